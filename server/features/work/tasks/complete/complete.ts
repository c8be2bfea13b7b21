import { type Caller, may } from "#core/access/caller.ts"
import { distanceMeters } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import type { FlowPage, FlowRow } from "../../flows/index.ts"
import { taskErrors } from "../errors.ts"
import type { DoneDay } from "../read/done-order.ts"
import type { TaskRow } from "../wire.ts"
import { instantOf, refuseProblems } from "../write/create-tasks.ts"
import { type Review, reviewFinish } from "./checks.ts"
import { type ComponentValues, readValues } from "./component-values.ts"
import { finishedOutcome, lateness, requiredBy } from "./outcome.ts"

export interface Finishing {
  task: TaskRow
  /** As sent: base fields and whatever else a phone knows. */
  patch: Readonly<Record<string, unknown>>
  /** The rarer base fields of the patch, as they are stored. */
  sent: Readonly<Record<string, unknown>>
  /** The component values after the change. */
  values: ComponentValues
  valuesBefore: ComponentValues
  pages: readonly FlowPage[]
  flow: Pick<FlowRow, "pages" | "configurations" | "version"> | undefined
  /** What the flow demanded when the task was made, where that is known. */
  demandedBefore: ReadonlySet<string> | undefined
  now: Temporal.Instant
}

/** A phone's clock may be ahead of ours by this much; a time further ahead is a mistake. */
const maxAheadMilliseconds = 86_400_000

/** When the work was finished: as a phone says, else now. */
export function doneTimeOf(
  patch: Readonly<Record<string, unknown>>,
  now: Temporal.Instant,
): Temporal.Instant {
  const sent = instantOf(typeof patch.doneTime === "string" ? patch.doneTime : undefined)
  if (sent !== undefined && sent > now.epochMilliseconds + maxAheadMilliseconds)
    throw taskErrors.invalid({
      message: "doneTime must not be in the future",
      fields: { doneTime: ["lies in the future"] },
    })
  return Temporal.Instant.fromEpochMilliseconds(sent ?? now.epochMilliseconds)
}

/** Refuses a task that cannot be finished now, else returns what finishing stamps on it. */
export function completion(
  caller: Caller,
  { task, patch, sent, pages, values, valuesBefore, flow, demandedBefore, now }: Finishing,
  previous: Pick<DoneDay, "count" | "doneTime" | "coordinate">,
): { doneTime: Temporal.Instant; attributes: Record<string, unknown>; review: Review } {
  const doneTime = doneTimeOf(patch, now)
  checkMoment(caller, task, now)
  const configurations = flow?.configurations ?? []
  const late = lateness(sent, task, flow, { doneTime, now })
  const work = { ...finishedOutcome(sent, task, flow), ...late.attributes }
  const required = requiredBy(configurations, work.outcome)
  refuseProblems(readValues(pages, values, "complete", { demandedBefore, required }).problems)
  const review = reviewFinish(caller, { flow, values, valuesBefore, sent, doneTime }, late.reviewReasons)
  const doneCoordinate = typeof patch.doneCoordinate === "string" ? patch.doneCoordinate : undefined
  const firstPageDone =
    typeof patch.page1DoneTime === "string" ? patch.page1DoneTime : task.attributes.page1DoneTime
  const startedAt = typeof firstPageDone === "string" ? parseDateTime(firstPageDone) : undefined
  const isFromPhone = patch.doneFrom === "MOBILE" || patch.doneCoordinate !== undefined
  return {
    doneTime,
    review,
    attributes: {
      ...work,
      ...review,
      doneFrom: patch.doneFrom ?? (isFromPhone ? "MOBILE" : "WEB"),
      doneOrder: previous.count + 1,
      ...(doneCoordinate ? { doneCoordinate } : {}),
      ...(startedAt === undefined
        ? {}
        : { duration: Math.max(0, Math.round((doneTime.epochMilliseconds - startedAt) / 60_000)) }),
      ...(previous.doneTime
        ? { travelDuration: roundMinutes(doneTime.epochMilliseconds - previous.doneTime.epochMilliseconds) }
        : {}),
      ...travelDistance(
        doneCoordinate ?? task.attributes.expectedCoordinate,
        previous.coordinate ?? hubCoordinate(task),
      ),
    },
  }
}

function checkMoment(caller: Caller, task: TaskRow, now: Temporal.Instant): void {
  if (task.status === "UNASSIGNED")
    throw taskErrors.notDoable({ message: "Assign this task before you finish it" })
  if (!task.assignee.includes(caller.email) && !may(caller, "edit/task"))
    throw taskErrors.forbidden({ message: "This task is assigned to somebody else" })
  if (Temporal.Instant.compare(now, task.startTime) < 0)
    throw taskErrors.notDoable({ message: "This task has not started yet" })
}

function travelDistance(to: unknown, from: string | null): { travelDistance?: number } {
  const target = typeof to === "string" ? parseLatLng(to) : undefined
  const origin = from === null ? undefined : parseLatLng(from)
  return target && origin ? { travelDistance: Math.round(distanceMeters(origin, target)) } : {}
}

function hubCoordinate(task: TaskRow): string | null {
  return task.hub ? `${task.hub.lat},${task.hub.lng}` : null
}

function roundMinutes(milliseconds: number): number {
  return Math.max(0, Math.round(milliseconds / 600) / 100)
}
