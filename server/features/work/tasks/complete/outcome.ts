import {
  isTaskOutcome,
  lateRule,
  type OutcomeRule,
  outcomeRule,
  type TaskOutcome,
} from "#shared/task-outcomes.ts"
import type { FlowConfiguration, FlowRow } from "../../flows/index.ts"
import { taskErrors } from "../errors.ts"
import type { TaskRow } from "../wire.ts"

type Attributes = Readonly<Record<string, unknown>>
type Flow = Pick<FlowRow, "configurations" | "version"> | undefined

/** Whether a change finishes the task: `skipped` never does, and another outcome needs the status. */
export function finishes(
  { isDone, outcome }: { isDone: boolean; outcome: unknown },
  task: TaskRow,
  warnings: string[],
): boolean {
  if (outcome === "skipped") {
    if (task.status !== "ONGOING")
      throw taskErrors.notDoable({ message: "Only an assigned task can be skipped" })
    if (isDone) warnings.push("status was ignored: a skipped task stays open")
    return false
  }
  if (!isDone && isTaskOutcome(outcome))
    throw taskErrors.invalid({
      message: `Send status DONE with the outcome ${outcome}`,
      fields: { outcome: ["needs status DONE"] },
    })
  return isDone
}

/** The outcome of a task that is being finished, as it is stored: undefined for done, which needs no mark. */
export function finishedOutcome(
  sent: Attributes,
  task: TaskRow,
  flow: Flow,
): { outcome: TaskOutcome | undefined; outcomeReason: string | undefined } {
  const outcome = isTaskOutcome(sent.outcome) ? sent.outcome : "done"
  const outcomeReason = textOf(sent.outcomeReason)
  checkReason(outcome, outcomeReason, task, flow)
  return { outcome: outcome === "done" ? undefined : outcome, outcomeReason }
}

/** Refuses a reason that the flow does not list, or none where it asks for one. */
export function checkReason(
  outcome: TaskOutcome,
  reason: string | undefined,
  task: TaskRow,
  flow: Flow,
): void {
  const rule = outcomeRule(flow?.configurations ?? [], outcome)
  if (reason === undefined) {
    if (rule.reasonRequired) throw badReason("outcomeReason", `is required for the outcome ${outcome}`, rule)
    return
  }
  if (isOfCurrentVersion(task, flow) && rule.reasons.length > 0 && !rule.reasons.includes(reason))
    throw badReason("outcomeReason", `is not a reason of the outcome ${outcome}`, rule)
}

/** Ids that an outcome other than done requires. */
export function requiredBy(
  configurations: readonly FlowConfiguration[],
  outcome: TaskOutcome | undefined,
): ReadonlySet<string> | undefined {
  return outcome === undefined ? undefined : new Set(outcomeRule(configurations, outcome).required)
}

/** A finish that arrives later than this was kept on a phone without a network: nobody is there to correct it. */
const keptMilliseconds = 120_000

export interface Lateness {
  attributes: { isLate: true | undefined; lateReason: string | undefined }
  /** What a supervisor should look at. */
  reviewReasons: string[]
}

/**
 * Marks work that was finished after the end time. What a phone finished in time counts, however late it is sent. A reason
 * that the flow asks for, or does not list, is refused; from a phone that was offline it is stored for review.
 */
export function lateness(
  sent: Attributes,
  task: TaskRow,
  flow: Flow,
  { doneTime, now }: { doneTime: Temporal.Instant; now: Temporal.Instant },
): Lateness {
  const finished = Temporal.Instant.compare(doneTime, now) < 0 ? doneTime : now
  if (Temporal.Instant.compare(finished, task.endTime) <= 0)
    return { attributes: { isLate: undefined, lateReason: undefined }, reviewReasons: [] }
  const rule = lateRule(flow?.configurations ?? [])
  const lateReason = textOf(sent.lateReason) ?? textOf(task.attributes.lateReason)
  const attributes = { isLate: true, lateReason } as const
  const isMissing = lateReason === undefined && rule.reasonRequired
  const isUnlisted = lateReason !== undefined && rule.reasons.length > 0 && !rule.reasons.includes(lateReason)
  if (!isMissing && !isUnlisted) return { attributes, reviewReasons: [] }
  const isKept = now.epochMilliseconds - finished.epochMilliseconds > keptMilliseconds
  if (!isKept && isMissing)
    throw badReason("lateReason", "is required: the end time of this task has passed", rule)
  if (!isKept && isOfCurrentVersion(task, flow))
    throw badReason("lateReason", "is not a reason of this flow", rule)
  return {
    attributes,
    reviewReasons: [
      isMissing
        ? "Finished late without a reason"
        : `Finished late for a reason that the flow does not list: ${lateReason}`,
    ],
  }
}

/** A phone that was offline may have the reasons of an earlier version of the flow. */
function isOfCurrentVersion(task: TaskRow, flow: Flow): boolean {
  return task.flowVersion === null || task.flowVersion === flow?.version
}

function badReason(field: string, reason: string, { reasons }: Pick<OutcomeRule, "reasons">) {
  const choices = reasons.length > 0 ? `. Choose from: ${reasons.join(", ")}` : ""
  return taskErrors.invalid({ message: `${field} ${reason}${choices}`, fields: { [field]: [reason] } })
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined
}
