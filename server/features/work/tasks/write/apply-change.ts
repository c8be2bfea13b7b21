import type { Caller } from "#core/access/caller.ts"
import { openStatus } from "#shared/task-status.ts"
import type { FlowRow } from "../../flows/index.ts"
import { plannedAttributes, readClientAttributes } from "../complete/client-attributes.ts"
import { completion, doneTimeOf } from "../complete/complete.ts"
import { readValues } from "../complete/component-values.ts"
import { derive, withoutForms } from "../complete/derive.ts"
import { checkReason, finishes } from "../complete/outcome.ts"
import { keepPlanned, keepPlans, mayPlan } from "../complete/planned-values.ts"
import { checkSubTasks } from "../complete/sub-tasks.ts"
import { taskErrors } from "../errors.ts"
import { dayOf } from "../read/done-order.ts"
import type { TaskRow } from "../wire.ts"
import { checkStep } from "./activity-master.ts"
import { assigneesOf, checkAssignees } from "./assignees.ts"
import { isFinishing, type References } from "./change-references.ts"
import { type ChangeKind, changesAssignees, changesHub } from "./change-rules.ts"
import { instantOf, refuseProblems } from "./create-tasks.ts"
import type { NewHistory } from "./insert-tasks.ts"
import { type AttemptOptions, attemptOptions } from "./next-attempt.ts"
import type { TaskPatch } from "./task-body.ts"

export interface Known extends References {
  /** All tasks of the call as they are so far, by id. */
  current: ReadonlyMap<string, TaskRow>
  now: Temporal.Instant
}

export interface Applied {
  task: TaskRow
  /** What was left out of the change. */
  warnings: string[]
  /** What was sent and not applied, by the ids of components. */
  notApplied: Record<string, unknown>
  /** Set when the finished task gets a next attempt. */
  nextAttempt: AttemptOptions | undefined
  /** What the task's history will say, in order. */
  actions: NewHistory["action"][]
  isAssigned: boolean
  isMoved: boolean
}

/** The task after a change, or the refusal. Decides in memory; nothing is written. */
export function applyChange(
  caller: Caller,
  before: TaskRow,
  { kind, patch }: { kind: ChangeKind; patch: TaskPatch },
  known: Known,
): Applied {
  const isEdit = kind === "patch" || kind === "put"
  const flow = known.flows.get(before.flowId)
  if (isEdit) checkFlow(before, patch, flow)
  const isMoved = changesHub(before, patch)
  // A repeated assignment, after a lost response, assigns nobody a second time.
  const isReassigned = patch.assignee !== undefined && changesAssignees(before, patch)
  let task = isMoved ? moved(before, patch.hubId ?? "", known) : before
  if (isReassigned || kind === "assign") {
    const assigned = reassigned(caller, task, assigneesOf({ assignee: patch.assignee ?? [] }), known)
    if (isReassigned) task = assigned
  }
  const [warnings, notApplied] = [[] as string[], {}]
  if (isEdit) task = edited(caller, task, { kind, patch, warnings, notApplied }, flow, known)
  const actions: NewHistory["action"][] = [
    ...(isMoved ? (["move"] as const) : []),
    ...(isReassigned && (task.assignee.length > 0 || before.assignee.length > 0)
      ? ([task.assignee.length > 0 ? "assign" : "unassign"] as const)
      : []),
    ...(isEdit ? [kind] : []),
  ]
  // Two changes within one millisecond still get two entity tags.
  const soonest = before.updatedTime.add({ milliseconds: 1 })
  const updatedTime = Temporal.Instant.compare(soonest, known.now) > 0 ? soonest : known.now
  return {
    task: { ...task, updatedBy: caller.email, updatedTime },
    warnings,
    notApplied,
    nextAttempt:
      task.status === "DONE" && before.status !== "DONE"
        ? attemptOptions(caller, task, attemptSent(patch, flow), flow, warnings)
        : undefined,
    actions,
    isMoved,
    isAssigned: isReassigned && task.assignee.length > 0,
  }
}

function attemptSent(patch: Readonly<Record<string, unknown>>, flow: FlowRow | undefined): unknown {
  const isComponent = flow?.pages.some((page) => page.components.some(({ id }) => id === "nextAttempt"))
  return isComponent ? patch._nextAttempt : patch.nextAttempt
}

function checkFlow(task: TaskRow, patch: TaskPatch, flow: FlowRow | undefined): void {
  if (patch.flow === undefined || patch.flow === task.flow || patch.flow === flow?.name) return
  throw taskErrors.invalid({
    message: "The flow of a task cannot be changed. Create a new task instead",
    fields: { flow: ["cannot change"] },
  })
}

/** People and state stay when a task moves. */
function moved(task: TaskRow, hubId: string, known: Known): TaskRow {
  const hub = known.hubs.get(hubId.toLowerCase())
  if (!hub) throw taskErrors.badHub()
  return { ...task, hubId: hub._id as TaskRow["hubId"], hub }
}

function reassigned(caller: Caller, task: TaskRow, emails: readonly string[], known: Known): TaskRow {
  const people = checkAssignees(
    caller,
    emails,
    new Map(
      [...known.people].map(([email, person]) => [
        email,
        { ...person, hasHub: person.isOwner || person.hubIds.includes(task.hubId) },
      ]),
    ),
  )
  const isAssigned = people.length > 0
  return {
    ...task,
    assignee: people.map((person) => person.email),
    status: openStatus(emails),
    assignedTo: people[0] ?? null,
    assignedBy: isAssigned ? caller.email : null,
    assignedTime: isAssigned ? known.now : null,
  }
}

interface Edit {
  kind: "put" | "patch"
  patch: TaskPatch
  /** Both are filled. */
  warnings: string[]
  notApplied: Record<string, unknown>
}

function edited(
  caller: Caller,
  task: TaskRow,
  { kind, patch, warnings, notApplied }: Edit,
  flow: FlowRow | undefined,
  known: Known,
): TaskRow {
  const pages = flow?.pages ?? []
  const { attributes, warnings: unread } = readClientAttributes(patch, pages)
  const { sentAttributes, warnings: plans } = keepPlans(caller, task, attributes)
  const planned = keepPlanned(caller, task, pages, patch)
  warnings.push(...unread, ...plans, ...planned.warnings)
  Object.assign(notApplied, planned.notApplied)
  const isReplaced = kind === "put" && flow !== undefined
  const sent = isReplaced ? { ...planned.sent, ...planned.kept } : planned.sent
  const read = readValues(pages, sent, kind === "put" ? "replace" : "change")
  refuseProblems(read.problems.filter(({ component }) => !Object.hasOwn(planned.kept, component.id)))
  const values = isReplaced ? { ...read.values, ...planned.kept } : { ...task.values, ...read.values }
  const [startTime, endTime] = [
    instantOf(patch.startTime) ?? task.startTime.epochMilliseconds,
    instantOf(patch.endTime) ?? task.endTime.epochMilliseconds,
  ].map((milliseconds) => Temporal.Instant.fromEpochMilliseconds(milliseconds)) as [
    Temporal.Instant,
    Temporal.Instant,
  ]
  if (Temporal.Instant.compare(endTime, startTime) <= 0)
    throw taskErrors.invalid({
      message: "The end time must be after the start time",
      fields: { endTime: ["must be after startTime"] },
    })
  const { title, content, label, lng, lat, forms, ...locks } = derive(pages, values)
  const kept = kind === "put" && mayPlan(caller, task) ? withoutPlans(task.attributes) : task.attributes
  const next: TaskRow = {
    ...task,
    ...(flow ? { title, content, label, lng, lat } : {}),
    startTime,
    endTime,
    orderIndex: patch.orderIndex ?? task.orderIndex,
    refId: patch.refId === undefined && kind === "patch" ? task.refId : (patch.refId ?? null),
    values,
    attributes: {
      ...(flow ? withoutForms(kept) : kept),
      ...sentAttributes,
      ...(flow ? { ...locks, ...forms } : {}),
    },
  }
  const { outcome } = sentAttributes
  if (finishes({ isDone: isFinishing(patch), outcome }, next, warnings))
    return finished(
      caller,
      { task: next, valuesBefore: task.values, warnings },
      { patch: { ...patch, ...sentAttributes }, sent: sentAttributes },
      flow,
      known,
    )
  if (outcome === "skipped") checkReason(outcome, reasonOf(next), next, flow)
  return next
}

function withoutPlans(attributes: TaskRow["attributes"]): TaskRow["attributes"] {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => !plannedAttributes.has(key)))
}

function reasonOf({ attributes }: TaskRow): string | undefined {
  return typeof attributes.outcomeReason === "string" ? attributes.outcomeReason : undefined
}

function finished(
  caller: Caller,
  { task, valuesBefore, warnings }: { task: TaskRow; valuesBefore: TaskRow["values"]; warnings: string[] },
  { patch, sent }: { patch: TaskPatch; sent: Readonly<Record<string, unknown>> },
  flow: FlowRow | undefined,
  known: Known,
): TaskRow {
  checkStep(task, known.activities, known.current)
  checkSubTasks(task, known.openSubTasks, known.current)
  const day = known.doneDays.get(dayOf(doneTimeOf(patch, known.now)))
  if (!day) throw new Error("a day of finished work was not read")
  const { doneTime, attributes, review } = completion(
    caller,
    {
      task,
      patch,
      sent,
      values: task.values,
      valuesBefore,
      pages: flow?.pages ?? [],
      flow,
      demandedBefore: known.demanded.get(task.id),
      now: known.now,
    },
    day,
  )
  warnings.push(...(review.reviewReasons ?? []).map((reason) => `Marked for review. ${reason}`))
  const done: TaskRow = {
    ...task,
    status: "DONE",
    doneBy: caller.email,
    doneTime,
    isLastDoneOrder: true,
    attributes: { ...task.attributes, ...attributes },
  }
  if (day.last) day.last.isLastDoneOrder = false
  const coordinate = attributes.doneCoordinate ?? task.attributes.expectedCoordinate
  day.count += 1
  day.doneTime = doneTime
  day.coordinate = typeof coordinate === "string" ? coordinate : null
  day.last = done
  return done
}
