import { type Caller, may } from "#core/access/caller.ts"
import { distanceMeters } from "#packages/geodesy/geodesy.ts"
import { parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { outsideRule } from "#shared/task-outcomes.ts"
import { valueText } from "#shared/values.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import { type FlowComponent, type FlowRow, inputTypeOf } from "../../flows/index.ts"
import { taskErrors } from "../errors.ts"
import { type ComponentValues, isEmpty, titleOf } from "./component-values.ts"

/** Metres around the place of a lock whose flow names no radius. */
const defaultRadius = 100
/** A fix that is older than this when the work is finished says little about where it was finished. */
const maxFixAgeMinutes = 10

export interface Finish {
  flow: Pick<FlowRow, "pages" | "configurations"> | undefined
  values: ComponentValues
  /** As they were before this change, so that nobody moves a lock to where they are. */
  valuesBefore: ComponentValues
  /** The rarer base fields of the change, as they are stored. */
  sent: Readonly<Record<string, unknown>>
  doneTime: Temporal.Instant
}

export interface Review {
  needsReview: true | undefined
  reviewReasons: string[] | undefined
}

/**
 * Checks a finish against the location locks, watermarks and units of its flow. What breaks them is stored all the same
 * and marked for a supervisor, as is what was found before (`found`); only where the flow rejects work outside a lock,
 * people who only do tasks are refused.
 */
export function reviewFinish(caller: Caller, finish: Finish, found: readonly string[] = []): Review {
  const components = finish.flow?.pages.flatMap((page) => page.components) ?? []
  const outside = components.flatMap((component) => outsideOf(component, finish) ?? [])
  if (
    outside.length > 0 &&
    !may(caller, "edit/task") &&
    outsideRule(finish.flow?.configurations ?? []) === "reject"
  )
    throw taskErrors.notDoable({ message: outside.join(". "), fields: { doneCoordinate: outside } })
  const reasons = [
    ...found,
    ...outside,
    ...components.flatMap((component) => unmarkedOf(caller, component, finish) ?? []),
    ...components.flatMap((component) => unitlessOf(component, finish) ?? []),
  ]
  return reasons.length > 0
    ? { needsReview: true, reviewReasons: reasons }
    : { needsReview: undefined, reviewReasons: undefined }
}

/** Why a finish is not at the place of a lock; undefined if it is, or if the component is no lock. */
function outsideOf(
  component: FlowComponent,
  { values, valuesBefore, sent, doneTime }: Finish,
): string | undefined {
  const isLock = component.component === "input" && inputTypeOf(component) === "Geolocation"
  if (!isLock || component.useGeoLock !== true) return undefined
  const place = parseLatLng(valueText(valuesBefore[component.id]) ?? valueText(values[component.id]) ?? "")
  if (!place) return undefined
  const radius = Number(component.radius) > 0 ? Number(component.radius) : defaultRadius
  const title = titleOf(component)
  const allowed = `at most ${metersText(radius)} are allowed`
  const at = typeof sent.doneCoordinate === "string" ? parseLatLng(sent.doneCoordinate) : undefined
  if (!at) return `Finished without a position, and ${title} needs one: ${allowed}`
  const accuracy = typeof sent.doneAccuracy === "number" ? sent.doneAccuracy : undefined
  const age = fixAgeMinutes(sent.doneCoordinateTime, doneTime)
  const quality = [
    ...(accuracy === undefined ? [] : [`accurate to ${metersText(accuracy)}`]),
    ...(age === undefined ? [] : [age < 1 ? "less than a minute old" : `${age} minutes old`]),
  ].join(" and ")
  const position = quality === "" ? "" : `. The position is ${quality}`
  const distance = distanceMeters(at, place)
  // An inaccurate position may be wrong by as much again as is allowed, but not by more.
  if (distance > radius + Math.min(accuracy ?? 0, radius))
    return `Finished ${metersText(distance)} from ${title}: ${allowed}${position}`
  if (age !== undefined && age > maxFixAgeMinutes)
    return `Finished with an old position at ${title}${position}`
  return undefined
}

/** Photos that should show where they were taken. Planners upload photos that others took. */
function unmarkedOf(caller: Caller, component: FlowComponent, { values, sent }: Finish): string | undefined {
  if (component.component !== "photo" || component.watermark !== true || may(caller, "edit/task"))
    return undefined
  const hasPhoto = Object.entries(values).some(
    ([key, value]) =>
      key.startsWith(`${component.id}_`) &&
      /^\d{1,3}_url$/.test(key.slice(component.id.length + 1)) &&
      !isEmpty(value),
  )
  return hasPhoto && isEmpty(sent.doneCoordinate)
    ? `The photos of ${titleOf(component)} need a watermark, and no position was sent for it`
    : undefined
}

function unitlessOf(component: FlowComponent, { values }: Finish): string | undefined {
  const isMeasured =
    component.useUnit === true && Array.isArray(component.units) && component.units.length > 0
  if (!isMeasured || isEmpty(values[component.id]) || !isEmpty(values[`${component.id}_unit`]))
    return undefined
  return `${titleOf(component)} has no unit`
}

function fixAgeMinutes(fixTime: unknown, doneTime: Temporal.Instant): number | undefined {
  const at = typeof fixTime === "string" ? parseDateTime(fixTime) : undefined
  return at === undefined ? undefined : Math.max(0, Math.floor((doneTime.epochMilliseconds - at) / 60_000))
}

function metersText(meters: number): string {
  return meters < 1000 ? `${Math.round(meters)} m` : `${(meters / 1000).toFixed(1)} km`
}
