import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { type NewNotice, writeNotices } from "../../notices/index.ts"
import type { TaskRow } from "../wire.ts"
import type { ChangeContext } from "./change-tasks.ts"

/** A task that was created has no `before`, one that was deleted no `after`. */
export interface AssigneeChange {
  before?: TaskRow | undefined
  after?: TaskRow | undefined
}

/** Writes to the inboxes of people who got a task, lost one, or have one that somebody else changed. */
export function notifyAssignees(
  tx: Tx,
  caller: Caller,
  changes: readonly AssigneeChange[],
  { now, live }: ChangeContext,
): Promise<void> {
  const { organizationId, email } = caller
  return writeNotices(tx, { organizationId, by: email, now, live }, changes.flatMap(noticesOf))
}

function noticesOf({ before, after }: AssigneeChange): NewNotice[] {
  const task = after ?? before
  // A finished task is history: who had it too sees it among the finished ones.
  if (!task || after?.status === "DONE") return []
  const [had, have] = [assigneesOf(before), assigneesOf(after)]
  const { id: taskId } = task
  const title = task.title ?? task.flow
  const notices: NewNotice[] = [
    { kind: "taskNew", taskId, title, emails: have.filter((email) => !had.includes(email)) },
    { kind: "taskCancelled", taskId, title, emails: had.filter((email) => !have.includes(email)) },
  ]
  if (before && after && planOf(before) !== planOf(after))
    notices.push({ kind: "taskChanged", taskId, title, emails: have.filter((email) => had.includes(email)) })
  return notices.filter(({ emails }) => emails.length > 0)
}

function assigneesOf(task: TaskRow | undefined): readonly string[] {
  return task?.status === "ONGOING" ? task.assignee : []
}

/** What a person in the field has to know of: when, where and what. The order of a route changes all day. */
function planOf({ startTime, endTime, hubId, values }: TaskRow): string {
  return JSON.stringify([startTime, endTime, hubId, values])
}
