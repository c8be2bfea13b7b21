import { server } from "../../../api/server.ts"
import { type BulkResult, inBulk } from "../../work/tasks/bulk.ts"
import type { DayTask, DispatchDay } from "./dispatch.queries.ts"

export interface Placement {
  tasks: readonly DayTask[]
  /** The person; null unassigns. */
  email: string | null
  /** Whose timeline they were dragged from: other people of a task stay. */
  from: string | undefined
  /** All open stops of the person in their new order; without it only the person changes. */
  order: readonly string[] | undefined
  day: DispatchDay
}

interface TaskChange {
  _id: string
  assignee?: string[]
  orderIndex?: number
}

/** The changes that a placement makes: people of the moved tasks, and positions of the stops that change them. */
function changesOf({ tasks, email, from, order, day }: Placement): TaskChange[] {
  const moved = new Map(tasks.map((task) => [task._id, task]))
  const peopleOf = (task: DayTask) => {
    const others = from === undefined ? [] : task.assignee.filter((person) => person !== from)
    return [...new Set([...others, ...(email === null ? [] : [email])])]
  }
  if (!order) return tasks.map((task) => ({ _id: task._id, assignee: peopleOf(task) }))
  const known = new Map(day.tasks.map((task) => [task._id, task]))
  return order.flatMap((id, index): TaskChange[] => {
    const task = moved.get(id) ?? known.get(id)
    if (!task) return []
    const orderIndex = index + 1
    const people = moved.has(id) ? peopleOf(task) : task.assignee
    const isSame =
      people.length === task.assignee.length && people.every((one) => task.assignee.includes(one))
    if (isSame && task.orderIndex === orderIndex) return []
    return [{ _id: id, ...(isSame ? {} : { assignee: people }), orderIndex }]
  })
}

/** One request, however many tasks change; each is refused or accepted on its own. */
export function placeTasks(placement: Placement): Promise<BulkResult> {
  const changes = changesOf(placement)
  const byId = new Map(changes.map((change) => [change._id, change]))
  const bodies = (ids: readonly string[]) => ids.flatMap((id) => byId.get(id) ?? [])
  return inBulk([...byId.keys()], (ids) =>
    placement.order
      ? server.patch("/api/v3/tasks/bulk", { body: { tasks: bodies(ids) } })
      : server.put("/api/v3/tasks/bulk/assign", { body: { tasks: bodies(ids) } }),
  )
}

/** The day as it will be, shown until the server has confirmed it. */
export function withPlacement(day: DispatchDay, placement: Placement): DispatchDay {
  const changes = new Map(changesOf(placement).map((change) => [change._id, change]))
  const people = new Set([placement.email, ...placement.tasks.flatMap(({ assignee }) => assignee)])
  // What was expected of these people is no longer true.
  const isOutdated = (task: DayTask) => task.assignee.some((email) => people.has(email))
  return {
    ...day,
    tasks: day.tasks.map((known) => {
      const { expectedArrival: _expected, ...rest } = known
      const task: DayTask = isOutdated(known) ? rest : known
      const change = changes.get(task._id)
      if (!change) return task
      const assignee = change.assignee ?? task.assignee
      return {
        ...task,
        assignee,
        orderIndex: change.orderIndex ?? task.orderIndex,
        status: assignee.length === 0 ? "UNASSIGNED" : task.status === "UNASSIGNED" ? "ONGOING" : task.status,
      }
    }),
  }
}
