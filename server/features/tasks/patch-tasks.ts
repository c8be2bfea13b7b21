import { type Caller, may } from "#core/access/caller.ts"
import { inTransaction, json, type Tx } from "#core/database.ts"
import { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { type FlowRow, findFlow } from "../flows/index.ts"
import { assignTasks, type Changed, findWritten } from "./assign-tasks.ts"
import { completion } from "./complete.ts"
import { readValues } from "./component-values.ts"
import { assigneesOf, clientAttributesOf, instantOf, refuseProblems } from "./create-tasks.ts"
import { derive } from "./derive.ts"
import { taskErrors } from "./errors.ts"
import { publishTasks, taskFinished, taskUpdated } from "./events.ts"
import { insertHistories } from "./insert-tasks.ts"
import { moveTask } from "./move-tasks.ts"
import { lockTasks } from "./queries.ts"
import type { TaskPatch } from "./task-body.ts"
import { type TaskRow, taskETag, toWireTask } from "./wire.ts"

export interface PatchContext {
  now: Temporal.Instant
  live: LiveEvents
  /** The tag that the caller's copy had; undefined when he does not care. */
  ifMatch?: string | undefined
}

/** Changes the given fields of one task; `status: "DONE"` finishes it. Throws what refuses it. */
export async function patchTask(
  tx: Tx,
  caller: Caller,
  taskId: string,
  patch: TaskPatch,
  context: PatchContext,
): Promise<TaskRow> {
  const [before] = await lockTasks(tx, caller, [taskId])
  if (!before) throw taskErrors.notFound()
  checkMatch(before, context.ifMatch)
  if (before.status === "DONE") throw taskErrors.alreadyDone()
  checkRight(caller, before, patch)
  let task = before
  if (patch.assignee !== undefined && changesAssignees(before, patch.assignee))
    task = await reassign(tx, caller, before, patch.assignee, context)
  if (patch.hubId !== undefined && patch.hubId.toLowerCase() !== before.hubId)
    task = await moveTask(tx, caller, task, patch.hubId, context)
  const flow = await findFlow(tx, caller, task.flowId)
  const isFinishing = patch.status?.toUpperCase() === "DONE"
  await writeFields(tx, caller, task, patch, flow, context, isFinishing)
  await insertHistories(
    tx,
    caller,
    [{ taskId: task.id, action: "patch", changeData: toWireTask(before) }],
    context.now,
  )
  const [after] = await findWritten(tx, caller, [task.id])
  if (!after) throw new Error("a task vanished in the transaction that changed it")
  await publishTasks(tx, context.live, isFinishing ? taskFinished : taskUpdated, [after])
  return after
}

/** Each patch by itself, in the order given; one that is refused leaves the others. */
export async function patchTasks(
  tx: Tx,
  caller: Caller,
  patches: readonly { taskId: string; patch: TaskPatch }[],
  context: PatchContext,
): Promise<Changed[]> {
  const outcomes: Changed[] = []
  for (const { taskId, patch } of patches) {
    try {
      outcomes.push({
        task: await inTransaction(tx, (step) => patchTask(step, caller, taskId, patch, context)),
      })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      outcomes.push({ refusal: error })
    }
  }
  return outcomes
}

export function checkMatch(task: TaskRow, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === "*") return
  const tags = ifMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""))
  if (!tags.includes(taskETag(task))) throw taskErrors.changedMeanwhile()
}

/**
 * edit/task changes anything; do/task the caller's own ongoing tasks, as far as work on them goes;
 * task/reorder their orderIndex. Assigning and moving need their own permission besides.
 */
function checkRight(caller: Caller, task: TaskRow, patch: TaskPatch): void {
  const isOwn = task.status === "ONGOING" && task.assignee.includes(caller.email)
  const keys = Object.keys(patch)
  const planning = ["hubId", "startTime", "endTime", "assignee", "refId", "orderIndex"]
  const onlyWork = keys.every((key) => !planning.includes(key))
  const onlyOrder = keys.every((key) => key === "orderIndex" || key === "_id")
  const isAllowed =
    may(caller, "edit/task") ||
    (may(caller, "do/task") && isOwn && onlyWork) ||
    (may(caller, "task/reorder") && isOwn && onlyOrder)
  if (!isAllowed) throw taskErrors.forbidden()
  if (patch.assignee !== undefined && changesAssignees(task, patch.assignee) && !may(caller, "assign/task"))
    throw taskErrors.forbidden({ message: "Your role lacks the permission assign/task" })
  if (patch.hubId !== undefined && patch.hubId.toLowerCase() !== task.hubId && !may(caller, "move/task"))
    throw taskErrors.forbidden({ message: "Your role lacks the permission move/task" })
}

function changesAssignees(task: TaskRow, wanted: readonly string[]): boolean {
  const emails = assigneesOf({ assignee: wanted })
  return emails.length !== task.assignee.length || emails.some((email) => !task.assignee.includes(email))
}

async function reassign(
  tx: Tx,
  caller: Caller,
  task: TaskRow,
  assignee: readonly string[],
  context: PatchContext,
): Promise<TaskRow> {
  const [changed] = await assignTasks(tx, caller, [{ taskId: task.id, assignee }], context)
  if (!changed || "refusal" in changed) throw changed?.refusal ?? taskErrors.notFound()
  return changed.task
}

async function writeFields(
  tx: Tx,
  caller: Caller,
  task: TaskRow,
  patch: TaskPatch,
  flow: FlowRow | undefined,
  context: PatchContext,
  isFinishing: boolean,
): Promise<void> {
  const pages = flow?.pages ?? []
  const read = readValues(pages, patch, "change")
  refuseProblems(read.problems)
  const values = { ...task.values, ...read.values }
  const finish = isFinishing
    ? await completion(tx, caller, { task, patch, values, pages, now: context.now })
    : undefined
  const start = instantOf(patch.startTime) ?? task.startTime.epochMilliseconds
  const end = instantOf(patch.endTime) ?? task.endTime.epochMilliseconds
  if (end <= start)
    throw taskErrors.invalid({
      message: "endTime must be after startTime",
      fields: { endTime: ["must be after startTime"] },
    })
  const { title, content, label, lng, lat, ...locks } = derive(pages, values)
  const attributes = {
    ...task.attributes,
    ...clientAttributesOf(patch),
    ...(flow ? locks : {}),
    ...finish?.attributes,
  }
  await tx`
    update tasks set
      ${flow ? tx`title = ${title}, content = ${content}, label = ${label}, lng = ${lng}, lat = ${lat},` : tx``}
      ${finish ? tx`status = 'DONE', done_by = ${caller.email}, done_time = ${finish.doneTime},` : tx``}
      ref_id = ${patch.refId === undefined ? task.refId : patch.refId}, order_index = ${patch.orderIndex ?? task.orderIndex},
      start_time = ${Temporal.Instant.fromEpochMilliseconds(start)}, end_time = ${Temporal.Instant.fromEpochMilliseconds(end)},
      "values" = ${json(tx, values)}, attributes = ${json(tx, attributes)},
      updated_by = ${caller.email}, updated_time = ${context.now}
    where organization_id = ${caller.organizationId} and id = ${task.id}`
}
