import { type Caller, may } from "#core/access/caller.ts"
import { taskKey } from "#shared/task-fields.ts"
import { taskErrors } from "../errors.ts"
import { type TaskRow, taskETag } from "../wire.ts"
import { assigneesOf } from "./assignees.ts"
import { instantOf } from "./create-tasks.ts"
import type { TaskPatch } from "./task-body.ts"

/** What decides about a change of a task. */
type RuledTask = Pick<
  TaskRow,
  | "id"
  | "hubId"
  | "status"
  | "taskType"
  | "assignee"
  | "startTime"
  | "endTime"
  | "updatedTime"
  | "refId"
  | "orderIndex"
  | "values"
  | "attributes"
>

export type ChangeKind = "put" | "patch" | "assign" | "move"

/**
 * Refuses a change of a task that is done, that follows from others, or that the caller read before the last change. When
 * the worker left may still be added, because people leave after they have finished.
 */
export function checkState(task: RuledTask, ifMatch: string | undefined, patch: TaskPatch = {}): void {
  checkMatch(task, ifMatch)
  if (task.status === "DONE" && !onlyLeaves(task, patch)) throw taskErrors.alreadyDone()
  if (task.taskType === "activityMaster")
    throw taskErrors.invalid({
      message: "An activity is derived from its steps. Change the tasks of the steps",
    })
}

function onlyLeaves(task: RuledTask, patch: TaskPatch): boolean {
  const keys = Object.keys(patch).filter((key) => key !== "_id")
  return keys.length === 1 && keys[0] === taskKey("leftTime", task.values) && !task.attributes.leftTime
}

/** Only `If-Match` protects against changing what somebody else changed meanwhile. `*` matches anything. */
export function checkMatch(task: RuledTask, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return
  const tags = ifMatch.split(",").map((tag) => tag.trim().replace(/^W\//, ""))
  if (!tags.includes(taskETag(task))) throw taskErrors.changedMeanwhile()
}

/**
 * edit/task changes anything; do/task the caller's own ongoing tasks, as far as work on them goes;
 * task/reorder their orderIndex. Assigning and moving need their own permission besides. A planning field
 * that is sent as it is changes nothing: phones send back whole tasks.
 */
export function checkRight(caller: Caller, task: RuledTask, patch: TaskPatch): void {
  const reassigns = changesAssignees(task, patch)
  const moves = changesHub(task, patch)
  const isOwn = task.status !== "UNASSIGNED" && task.assignee.includes(caller.email)
  const plans =
    reassigns ||
    moves ||
    changesTime(patch.startTime, task.startTime) ||
    changesTime(patch.endTime, task.endTime) ||
    (patch.refId !== undefined && patch.refId !== task.refId)
  const reorders = patch.orderIndex !== undefined && patch.orderIndex !== task.orderIndex
  const works = Object.keys(patch).some((key) => key !== "_id" && key !== "orderIndex")
  const isAllowed =
    may(caller, "edit/task") ||
    (isOwn &&
      !plans &&
      (!reorders || may(caller, "task/reorder")) &&
      (!works || may(caller, "do/task")) &&
      (may(caller, "do/task") || may(caller, "task/reorder")))
  if (!isAllowed) throw taskErrors.forbidden()
  if (reassigns && !may(caller, "assign/task"))
    throw taskErrors.forbidden({ message: "Your role lacks the permission assign/task" })
  if (moves && !may(caller, "move/task"))
    throw taskErrors.forbidden({ message: "Your role lacks the permission move/task" })
}

export function changesAssignees(task: RuledTask, patch: TaskPatch): boolean {
  if (patch.assignee === undefined) return false
  const emails = assigneesOf({ assignee: patch.assignee })
  return emails.length !== task.assignee.length || emails.some((email) => !task.assignee.includes(email))
}

export function changesHub(task: RuledTask, patch: TaskPatch): boolean {
  return patch.hubId !== undefined && patch.hubId.toLowerCase() !== task.hubId
}

/** Times are shown to the second: one sent back as it was shown is no change. */
function changesTime(sent: string | undefined, stored: Temporal.Instant): boolean {
  const wanted = instantOf(sent)
  return wanted !== undefined && Math.floor(wanted / 1000) !== Math.floor(stored.epochMilliseconds / 1000)
}
