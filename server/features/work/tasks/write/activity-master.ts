import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { json } from "#core/database/database.ts"
import type { TaskStatus } from "#shared/task-status.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { findWritten } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import type { ChangeContext } from "./change-tasks.ts"
import { stepTooEarly } from "./step-refusal.ts"

/** A task of an activity as its neighbours see it. */
interface Step {
  id: string
  parentId: string
  hubId: TaskRow["hubId"]
  status: TaskStatus
  flow: string
  title: string | null
  assignee: string[]
  startTime: Temporal.Instant
  endTime: Temporal.Instant
}

export interface ActivitySteps {
  /** Ids of the steps' tasks, in the order in which they must be finished. */
  order: readonly string[]
  steps: ReadonlyMap<string, Step>
  /** Of the caller, for what is refused. */
  language: string
}

interface MasterRow {
  id: TaskRow["id"]
  organizationId: TaskRow["organizationId"]
  hubId: TaskRow["hubId"]
  assignee: string[]
  status: TaskStatus
  attributes: {
    subId?: string[]
    subStatus?: string | null
    workflow?: { steps?: { statusMapping?: string | null }[] }
  }
}

/** The steps of the activities that these tasks belong to, locked, so that two steps are not finished at once. */
export async function stepsOf(
  tx: Tx,
  caller: Caller,
  tasks: readonly TaskRow[],
): Promise<ReadonlyMap<string, ActivitySteps>> {
  const parentIds = parentsOf(tasks)
  if (parentIds.length === 0) return new Map()
  const masters = await lockMasters(tx, caller, parentIds)
  const steps = await readSteps(tx, caller, parentIds)
  const [person] = await tx<{ language: string }[]>`
    select language from users where organization_id = ${caller.organizationId} and id = ${caller.userId}`
  const language = person?.language ?? caller.language
  return new Map(
    masters.map((master) => [
      master.id as string,
      {
        order: master.attributes.subId ?? [],
        steps: new Map(steps.filter((step) => step.parentId === master.id).map((step) => [step.id, step])),
        language,
      },
    ]),
  )
}

function parentsOf(tasks: readonly TaskRow[]): string[] {
  const children = tasks.filter((task) => task.taskType === "activityChild" && task.parentId !== null)
  return [...new Set(children.map((task) => task.parentId ?? ""))]
}

function lockMasters(tx: Tx, caller: Caller, ids: readonly string[]): Promise<MasterRow[]> {
  return tx<MasterRow[]>`
    select id, organization_id, hub_id, assignee, status, attributes from tasks
    where organization_id = ${caller.organizationId} and id = any (${ids as string[]}) and task_type = 'activityMaster'
    order by id for update`
}

function readSteps(tx: Tx, caller: Caller, parentIds: readonly string[]): Promise<Step[]> {
  return tx<Step[]>`
    select id, parent_id, hub_id, status, flow, title, assignee, start_time, end_time from tasks
    where organization_id = ${caller.organizationId} and parent_id = any (${parentIds as string[]})
      and task_type = 'activityChild'`
}

/** Refuses to finish a step of an activity before the one that comes first. */
export function checkStep(
  task: TaskRow,
  activities: ReadonlyMap<string, ActivitySteps>,
  current: ReadonlyMap<string, TaskRow>,
): void {
  const activity = task.parentId === null ? undefined : activities.get(task.parentId)
  const previousId = activity?.order[activity.order.indexOf(task.id) - 1]
  const previous = previousId === undefined ? undefined : activity?.steps.get(previousId)
  if (!activity || !previous || (current.get(previous.id)?.status ?? previous.status) === "DONE") return
  throw stepTooEarly(previous, activity.language)
}

/** Derives people, times and state of activities from their steps after some of these changed. */
export async function refreshActivities(
  tx: Tx,
  caller: Caller,
  changed: readonly TaskRow[],
  context: ChangeContext,
): Promise<void> {
  const parentIds = parentsOf(changed)
  if (parentIds.length === 0) return
  const masters = await lockMasters(tx, caller, parentIds)
  const steps = await readSteps(tx, caller, parentIds)
  for (const master of masters) {
    const own = (master.attributes.subId ?? []).flatMap(
      (id) => steps.find((step) => step.id === id && step.parentId === master.id) ?? [],
    )
    if (own.length === 0) continue
    const summary = summaryOf(own)
    const attributes = { ...master.attributes, subStatus: subStatusOf(master, own) }
    await tx`
      update tasks set assignee = ${summary.assignee}, status = ${summary.status}, start_time = ${summary.startTime},
        end_time = ${summary.endTime}, attributes = ${json(tx, attributes)},
        done_time = ${summary.status === "DONE" ? context.now : null}, done_by = ${summary.status === "DONE" ? caller.email : null},
        updated_by = ${caller.email}, updated_time = ${context.now}
      where organization_id = ${caller.organizationId} and id = ${master.id}`
  }
  const ids = masters.map(({ id }) => id)
  await emitTasks(tx, context.live, "onTaskUpdated", await findWritten(tx, caller, ids))
  await publishTasks(tx, context.live, "task.updated", masters)
}

/** Nobody's while no step has anybody, done when all are, else ongoing. */
export function summaryOf(steps: readonly Pick<Step, "status" | "assignee" | "startTime" | "endTime">[]): {
  assignee: string[]
  status: TaskStatus
  startTime: Temporal.Instant
  endTime: Temporal.Instant
} {
  const assignee = [...new Set(steps.flatMap((step) => step.assignee))]
  const isDone = steps.every((step) => step.status === "DONE")
  const starts = steps.map((step) => step.startTime).toSorted(Temporal.Instant.compare)
  const ends = steps.map((step) => step.endTime).toSorted(Temporal.Instant.compare)
  const [startTime, endTime] = [starts[0], ends.at(-1)]
  if (!startTime || !endTime) throw new Error("an activity without steps")
  return {
    assignee,
    status: isDone ? "DONE" : assignee.length === 0 ? "UNASSIGNED" : "ONGOING",
    startTime,
    endTime,
  }
}

/** The status that the last finished step stands for. */
function subStatusOf(master: MasterRow, steps: readonly Step[]): string | null {
  const last = steps.findLastIndex((step) => step.status === "DONE")
  return last < 0 ? null : (master.attributes.workflow?.steps?.[last]?.statusMapping ?? null)
}
