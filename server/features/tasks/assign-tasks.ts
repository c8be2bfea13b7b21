import type { Caller } from "#core/access/caller.ts"
import { json, type Tx } from "#core/database.ts"
import { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { openStatus } from "#shared/task-status.ts"
import { findAssignable } from "../users/index.ts"
import { checkAssignees } from "./assignees.ts"
import { assigneesOf } from "./create-tasks.ts"
import { taskErrors } from "./errors.ts"
import { publishTasks, taskAssigned, taskUpdated } from "./events.ts"
import { insertHistories } from "./insert-tasks.ts"
import { findTasks, lockTasks } from "./queries.ts"
import { type AssignedTo, type TaskRow, toWireTask } from "./wire.ts"

export interface Assignment {
  taskId: string
  assignee: readonly string[]
}

export type Changed = { task: TaskRow } | { refusal: AppError }

/** Assigns people to tasks, or takes them away with an empty list. Each task by itself, in the order given. */
export async function assignTasks(
  tx: Tx,
  caller: Caller,
  assignments: readonly Assignment[],
  context: { now: Temporal.Instant; live: LiveEvents },
): Promise<Changed[]> {
  const locked = new Map(
    (
      await lockTasks(
        tx,
        caller,
        assignments.map(({ taskId }) => taskId),
      )
    ).map((task) => [task.id as string, task]),
  )
  const refusals = new Map<number, AppError>()
  for (const [index, { taskId, assignee }] of assignments.entries()) {
    const task = locked.get(taskId.toLowerCase())
    try {
      if (!task) throw taskErrors.notFound()
      if (task.status === "DONE") throw taskErrors.alreadyDone()
      await assignOne(tx, caller, task, assigneesOf({ assignee }), context.now)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refusals.set(index, error)
    }
  }
  const done = assignments
    .filter((_assignment, index) => !refusals.has(index))
    .map(({ taskId }) => taskId.toLowerCase())
  const after = new Map((await findWritten(tx, caller, done)).map((task) => [task.id as string, task]))
  const changed = [...after.values()]
  await publishTasks(
    tx,
    context.live,
    taskAssigned,
    changed.filter((task) => task.assignee.length > 0),
  )
  await publishTasks(
    tx,
    context.live,
    taskUpdated,
    done.flatMap((id) => locked.get(id) ?? []),
  )
  return assignments.map(({ taskId }, index) => {
    const task = after.get(taskId.toLowerCase())
    return refusals.has(index) || !task ? { refusal: refusals.get(index) ?? taskErrors.notFound() } : { task }
  })
}

/** What was just written, even when the change took it out of the caller's own sight. */
export function findWritten(tx: Tx, caller: Caller, taskIds: readonly string[]): Promise<TaskRow[]> {
  const permissions = new Set([...caller.permissions].filter((name) => name !== "view/task/only-me"))
  return findTasks(tx, { ...caller, permissions, hubs: "all", teamIds: [] }, taskIds)
}

async function assignOne(
  tx: Tx,
  caller: Caller,
  task: TaskRow,
  assignee: readonly string[],
  now: Temporal.Instant,
): Promise<void> {
  const found =
    assignee.length > 0 ? await findAssignable(tx, caller.organizationId, assignee, task.hubId) : []
  const people = checkAssignees(caller, assignee, new Map(found.map((person) => [person.email, person])))
  await writeAssignees(tx, caller, task, people, now)
  await insertHistories(
    tx,
    caller,
    [{ taskId: task.id, action: assignee.length > 0 ? "assign" : "unassign", changeData: toWireTask(task) }],
    now,
  )
}

export async function writeAssignees(
  tx: Tx,
  caller: Caller,
  task: Pick<TaskRow, "id">,
  people: readonly AssignedTo[],
  now: Temporal.Instant,
): Promise<void> {
  const emails = people.map((person) => person.email)
  const isAssigned = emails.length > 0
  await tx`
    update tasks set assignee = ${emails}, status = ${openStatus(emails)},
      assigned_to = ${isAssigned ? json(tx, people[0]) : null}, assigned_by = ${isAssigned ? caller.email : null},
      assigned_time = ${isAssigned ? now : null}, updated_by = ${caller.email}, updated_time = ${now}
    where organization_id = ${caller.organizationId} and id = ${task.id}`
}
