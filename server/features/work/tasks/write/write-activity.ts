import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { keepRemoved } from "#core/trash.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { lockTasks, relatedColumns, taskColumns } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import { summaryOf } from "./activity-master.ts"
import type { ChangeContext } from "./change-tasks.ts"
import { insertTasks, type NewTask } from "./insert-tasks.ts"

export interface NewActivity {
  id: Id<"task">
  hubId: Id<"hub">
  workflow: { _id: string; name: string; organizationId: string; steps: unknown; customStatuses: unknown }
  /** The tasks of its steps, in their order. */
  steps: readonly NewTask[]
  createdFrom: string
}

/** Writes the task that stands for an activity as a whole; its steps have been made with it as their parent. */
export async function insertActivity(
  tx: Tx,
  caller: Caller,
  activity: NewActivity,
  { now, live }: ChangeContext,
): Promise<void> {
  const master: NewTask = {
    id: activity.id,
    organizationId: caller.organizationId,
    hubId: activity.hubId,
    flowId: activity.workflow._id as Id<"flow">,
    flow: "ActivityWorkflow",
    ...summaryOf(activity.steps),
    title: activity.workflow.name,
    content: null,
    label: null,
    lng: null,
    lat: null,
    assignedTo: null,
    assignedBy: null,
    createdTime: now,
    createdBy: caller.email,
    createdFrom: activity.createdFrom,
    taskType: "activityMaster",
    parentId: null,
    flowVersion: null,
    orderIndex: Math.floor(now.epochMilliseconds / 1000) * 100_000,
    refId: null,
    values: {},
    attributes: {
      workflowId: activity.workflow._id,
      workflow: activity.workflow,
      subId: activity.steps.map((step) => step.id),
      subStatus: null,
    },
  }
  await insertTasks(tx, caller, [master])
  await publishTasks(tx, live, "task.created", [master])
}

/** Deletes an activity with its steps, finished ones too. It does not go to the trash. Undefined when there is none. */
export async function removeActivity(
  tx: Tx,
  caller: Caller,
  activityId: string,
  { live }: ChangeContext,
): Promise<TaskRow | undefined> {
  const [master] = await lockTasks(tx, caller, [activityId])
  if (master?.taskType !== "activityMaster") return undefined
  const gone = await tx<TaskRow[]>`
    with removed as (
      delete from tasks where organization_id = ${caller.organizationId}
        and (id = ${master.id} or (parent_id = ${master.id} and task_type = 'activityChild'))
      returning tasks.*
    ), kept as (${keepRemoved(tx, "Task")})
    select ${taskColumns(tx)}, ${relatedColumns(tx)} from removed tasks`
  await emitTasks(tx, live, "onTaskDeleted", gone)
  await publishTasks(tx, live, "task.deleted", gone)
  return master
}
