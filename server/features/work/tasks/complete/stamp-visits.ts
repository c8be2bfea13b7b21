import { Type } from "typebox"
import { findCallerOfUser } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import { defineJob } from "#core/jobs/define-job.ts"
import { taskKey } from "#shared/task-fields.ts"
import { lockTasks } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import { changeTasks, type TaskChange } from "../write/change-tasks.ts"

/** Who passes a place long before its task begins does not come for it. */
const earlyMilliseconds = 2 * 3_600_000

export interface TaskVisit {
  taskId: string
  /** Epoch milliseconds. */
  arrivedAt: number
  leftAt: number | null
}

/**
 * Writes into tasks when their worker arrived and left, by the positions of whatever follows that person: a companion app
 * or a hardware tracker says so as the phone page does. What is there already stays.
 */
export const stampVisits = defineJob({
  name: "tasks.stamp-visits",
  payload: Type.Object({
    organizationId: Type.String(),
    userId: Type.String(),
    visits: Type.Array(
      Type.Object({
        taskId: Type.String(),
        arrivedAt: Type.Number(),
        leftAt: Type.Union([Type.Number(), Type.Null()]),
      }),
    ),
  }),
  maxAttempts: 5,
  timeoutSeconds: 60,
  async handle({ sql, clock, live }, { organizationId, userId, visits }) {
    const caller = await findCallerOfUser(sql, organizationId, userId)
    if (!caller) return
    await inTransaction(sql, async (tx) => {
      const taskIds = visits.map(({ taskId }) => taskId)
      const tasks = new Map((await lockTasks(tx, caller, taskIds)).map((task) => [task.id as string, task]))
      const changes = visits.flatMap((visit) => stampOf(tasks.get(visit.taskId), visit, caller.email))
      if (changes.length > 0) await changeTasks(tx, caller, changes, { now: clock.now(), live })
    })
  },
})

function stampOf(task: TaskRow | undefined, visit: TaskVisit, email: string): TaskChange[] {
  if (!task?.assignee.includes(email)) return []
  const { arrivedAt, leftAt } = visit
  const stamp = (field: "arrivedTime" | "leftTime", at: number): TaskChange[] => {
    const time = Temporal.Instant.fromEpochMilliseconds(at).toString()
    return [{ taskId: task.id, kind: "patch", patch: { [taskKey(field, task.values)]: time } }]
  }
  if (task.status === "ONGOING" && !task.attributes.arrivedTime) {
    const isEarly = arrivedAt < task.startTime.epochMilliseconds - earlyMilliseconds
    return isEarly ? [] : stamp("arrivedTime", arrivedAt)
  }
  // Nobody has left a stop that goes on: a step outside is no departure.
  const isOwnDone = task.status === "DONE" && task.doneBy === email && !task.attributes.leftTime
  const isAfter = leftAt !== null && leftAt >= (task.doneTime?.epochMilliseconds ?? leftAt)
  return isOwnDone && isAfter ? stamp("leftTime", leftAt) : []
}
