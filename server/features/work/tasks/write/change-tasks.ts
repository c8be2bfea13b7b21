import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { taskErrors } from "../errors.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { lockTasks } from "../queries.ts"
import { type TaskRow, toWireTask, type WireTask, type Written } from "../wire.ts"
import { refreshActivities } from "./activity-master.ts"
import { type Applied, applyChange } from "./apply-change.ts"
import { nameTeamMembers } from "./assignees.ts"
import { readReferences } from "./change-references.ts"
import { type ChangeKind, checkRight, checkState } from "./change-rules.ts"
import type { NewHistory } from "./insert-tasks.ts"
import { type AttemptOptions, createAttempt } from "./next-attempt.ts"
import { notifyAssignees } from "./notify-assignees.ts"
import type { TaskPatch } from "./task-body.ts"
import { readUniqueRefs } from "./unique-refs.ts"
import { updateTasks } from "./write-tasks.ts"

/** A change of one task. `assign` and `move` carry `assignee` and `hubId` alone; `put` replaces what is not sent. */
export interface TaskChange {
  taskId: string
  kind: ChangeKind
  patch: TaskPatch
  /** The tag that the caller's copy had; undefined when they do not care. */
  ifMatch?: string | undefined
  /** What only planning writes: the result that the task was dispatched from, and the rarer fields that come with it. */
  planned?: { routingResultId: string | null; attributes: Readonly<Record<string, unknown>> }
}

export interface ChangeContext {
  now: Temporal.Instant
  live: LiveEvents
}

export type Changed = Written | { refusal: AppError }

/**
 * Changes tasks, each by itself and in the order given; one that is refused leaves the others. All are
 * locked first, in the order of their ids, which prevents deadlocks; then
 * decided in memory; then written with a few statements, however many they are.
 */
export async function changeTasks(
  tx: Tx,
  caller: Caller,
  requests: readonly TaskChange[],
  context: ChangeContext,
): Promise<Changed[]> {
  const [locked, patches] = await Promise.all([
    lockTasks(
      tx,
      caller,
      requests.map(({ taskId }) => taskId),
    ),
    nameTeamMembers(
      tx,
      caller,
      requests.map(({ patch }) => patch),
    ),
  ])
  const changes = requests.map((options, index) => ({ ...options, patch: patches[index] ?? options.patch }))
  const [known, refs] = await Promise.all([
    readReferences(tx, caller, locked, changes, context.now),
    readUniqueRefs(
      tx,
      caller,
      changes.map(({ patch }) => patch.refId),
    ),
  ])
  const current = new Map<string, TaskRow>(locked.map((task) => [task.id, task]))
  const histories: NewHistory[] = []
  const attempts = new Map<string, { options: AttemptOptions; warnings: string[] }>()
  const events = {
    assigned: new Set<string>(),
    moved: new Set<string>(),
    finished: new Set<string>(),
    updated: new Set<string>(),
    arrived: new Set<string>(),
    left: new Set<string>(),
    failed: new Set<string>(),
  }
  const outcomes = changes.map(({ taskId, kind, patch, ifMatch, planned }): AppError | string[] => {
    try {
      const task = current.get(taskId.toLowerCase())
      if (!task) throw taskErrors.notFound()
      checkState(task, ifMatch, patch)
      if (kind === "patch" || kind === "put") checkRight(caller, task, patch)
      const applied = applyChange(caller, task, { kind, patch }, { ...known, current, now: context.now })
      if (applied.task.refId && applied.task.refId !== task.refId) refs.claim(applied.task.refId)
      const next = planned ? withPlan(applied.task, planned) : applied.task
      current.set(task.id, next)
      const changeData = toWireTask(task)
      histories.push(...historiesOf(applied, changeData, task.id))
      if (applied.nextAttempt)
        attempts.set(task.id, { options: applied.nextAttempt, warnings: applied.warnings })
      if (applied.isAssigned) events.assigned.add(task.id)
      if (applied.isMoved) events.moved.add(task.id)
      if (isSetNow("arrivedTime", task, next)) events.arrived.add(task.id)
      if (isSetNow("leftTime", task, next)) events.left.add(task.id)
      const isFinished = next.status === "DONE" && task.status !== "DONE"
      if (isFinished && next.attributes.outcome === "failed") events.failed.add(task.id)
      if (isFinished) events.finished.add(task.id)
      else if (isUpdate({ kind, planned }, task, next, applied)) events.updated.add(task.id)
      return applied.warnings
    } catch (error) {
      if (error instanceof AppError) return error
      throw error
    }
  })
  for (const [taskId, { options, warnings }] of attempts) {
    const task = current.get(taskId)
    if (!task) continue
    const created = await createAttempt(
      tx,
      caller,
      task,
      { options, flow: known.flows.get(task.flowId) },
      context,
    )
    if ("refusal" in created) warnings.push(`The next attempt was not created: ${created.refusal.message}`)
    else current.set(taskId, { ...task, attributes: { ...task.attributes, nextTaskId: created.taskId } })
  }
  const written = locked.filter((task) => current.get(task.id) !== task)
  // Sent together, in this order: none of them needs what another one returns.
  const [entries] = await Promise.all([
    updateTasks(tx, caller, {
      tasks: written.flatMap((task) => current.get(task.id) ?? []),
      entries: histories,
      now: context.now,
    }),
    refreshActivities(tx, caller, written, context),
    announce(tx, context, written, current, events),
    notifyAssignees(
      tx,
      caller,
      written.map((before) => ({ before, after: current.get(before.id) })),
      context,
    ),
  ])
  const entriesByTask = Map.groupBy(entries, (entry) => entry.taskId)
  return changes.map(({ taskId }, index) => {
    const task = current.get(taskId.toLowerCase())
    const outcome = outcomes[index] ?? []
    if (outcome instanceof AppError || !task)
      return { refusal: outcome instanceof AppError ? outcome : taskErrors.notFound() }
    return { task, warnings: outcome, histories: entriesByTask.get(task.id) ?? [] }
  })
}

/** The last of a change's entries has what was not applied, and the rules of the flow that a finish broke. */
function historiesOf(
  { task, actions, notApplied }: Applied,
  changeData: WireTask,
  taskId: string,
): NewHistory[] {
  const isFinished = task.status === "DONE" && changeData.status !== "DONE"
  const reviewReasons = isFinished ? task.attributes.reviewReasons : undefined
  const parts = {
    ...(Object.keys(notApplied).length > 0 ? { notApplied } : {}),
    ...(reviewReasons ? { reviewReasons } : {}),
  }
  const details = Object.keys(parts).length > 0 ? parts : undefined
  return actions.map((action, index) => ({
    ...{ taskId, action, changeData },
    details: index === actions.length - 1 ? details : undefined,
  }))
}

/**
 * Whether a change is an `onTaskUpdated`: it took people off, or changed something that the events of assigning, moving
 * and finishing are not about. What dispatching writes along with an assignment is part of that.
 */
function isUpdate(
  { kind, planned }: { kind: ChangeKind; planned: TaskChange["planned"] | undefined },
  before: TaskRow,
  after: TaskRow,
  { isAssigned, isMoved }: { isAssigned: boolean; isMoved: boolean },
): boolean {
  if (before.assignee.length > 0 && after.assignee.length === 0) return true
  if (kind === "assign" || kind === "move" || (planned && isAssigned)) return false
  return (!isAssigned && !isMoved) || contentOf(before) !== contentOf(after)
}

function isSetNow(field: string, before: TaskRow, after: TaskRow): boolean {
  return !before.attributes[field] && Boolean(after.attributes[field])
}

function contentOf(task: TaskRow): string {
  const { startTime, endTime, orderIndex, refId, values, attributes } = task
  return JSON.stringify([startTime, endTime, orderIndex, refId, values, attributes])
}

function withPlan(
  task: TaskRow,
  { routingResultId, attributes }: NonNullable<TaskChange["planned"]>,
): TaskRow {
  return { ...task, routingResultId, attributes: { ...task.attributes, ...attributes } }
}

/** One change; throws what refuses it. */
export async function changeTask(
  tx: Tx,
  caller: Caller,
  change: TaskChange,
  context: ChangeContext,
): Promise<Written> {
  const [changed] = await changeTasks(tx, caller, [change], context)
  if (!changed || "refusal" in changed) throw changed?.refusal ?? taskErrors.notFound()
  return changed
}

/** Changes the given fields of one task; `status: "DONE"` finishes it. Throws what refuses it. */
export async function patchTask(
  tx: Tx,
  caller: Caller,
  taskId: string,
  patch: TaskPatch,
  context: ChangeContext,
): Promise<TaskRow> {
  return (await changeTask(tx, caller, { taskId, kind: "patch", patch }, context)).task
}

/** Notifies the previous and the current hub of a task, and its previous and current assignees. */
async function announce(
  tx: Tx,
  context: ChangeContext,
  before: readonly TaskRow[],
  after: ReadonlyMap<string, TaskRow>,
  events: Record<
    "assigned" | "moved" | "finished" | "updated" | "arrived" | "left" | "failed",
    ReadonlySet<string>
  >,
): Promise<void> {
  const now = before.flatMap((task) => after.get(task.id) ?? [])
  const both = [...before, ...now]
  const assigned = now.filter((task) => events.assigned.has(task.id))
  const finished = now.filter((task) => events.finished.has(task.id))
  const changed = (ids: ReadonlySet<string>) => now.filter((task) => ids.has(task.id))
  const isOther = (task: TaskRow) => !events.finished.has(task.id) && !events.moved.has(task.id)
  const emitted = [
    ["onTaskAssigned", assigned.filter((task) => task.assignee.length > 0)],
    ["onTaskArrived", changed(events.arrived)],
    ["onTaskFinished", finished],
    ["onTaskFailed", changed(events.failed)],
    ["onTaskLeft", changed(events.left)],
    ["onTaskMoved", changed(events.moved)],
    ["onTaskUpdated", changed(events.updated)],
  ] as const
  const published = [
    ["task.assigned", assigned],
    ["task.moved", both.filter((task) => events.moved.has(task.id))],
    ["task.finished", finished],
    ["task.updated", both.filter(isOther)],
  ] as const
  await Promise.all([
    ...emitted.map(([event, tasks]) => emitTasks(tx, context.live, event, tasks)),
    ...published.map(([kind, tasks]) => publishTasks(tx, context.live, kind, tasks)),
  ])
}
