import type { LngLat } from "#packages/geodesy/geodesy.ts"
import type { PlanRequest } from "../../../../../packages/route-optimizer/plan-routes.ts"
import { dailyShifts, daySeconds } from "../../../../../packages/route-optimizer/problem/days.ts"
import { isRestrictedOn, restrictedLegs } from "../../../../../packages/route-optimizer/problem/odd-even.ts"
import type {
  PlanProblem,
  TimeSpan,
  Vehicle,
  Visit,
} from "../../../../../packages/route-optimizer/problem/problem.ts"
import { worksOn } from "../../../work/vehicles/index.ts"
import { parseClock } from "../clock-time.ts"
import { secondsPerMeter } from "../roads/travel-matrix.ts"
import { costsOf, hasCosts, latenessOf, skillTags } from "./costs.ts"
import { isLinked } from "./links.ts"
import { type Unplannable, unplannableReason } from "./pairs.ts"
import type { InputVehicle, InputVisit, RunInput, Span } from "./run-input.ts"

/** The problem of a run without its matrices, and how its indices relate to the input. */
export interface BuiltProblem {
  /** Matrices are empty: the planner fills them for `positions`. */
  readonly problem: PlanProblem
  readonly positions: readonly LngLat[]
  /** Names of the capacity dimensions. */
  readonly dimensions: readonly string[]
  /** Visit of the input for each visit of the problem. */
  readonly visitIndices: readonly number[]
  /** Visits of the input that are invalid, or whose coordinate names no place. */
  readonly unplannable: readonly number[]
  /** Location of each sub-hub. */
  readonly subHubLocations: readonly number[]
}

const noMatrix = new Float64Array(0)
/** A window without an end is open until the last second of its day, so that the next day's does not touch it. */
const endOfDay = daySeconds - 1

/** @param pick visits and vehicles of the input that take part; all unless given */
export function buildProblem(
  input: RunInput,
  pick: { visits?: readonly number[]; vehicles?: readonly number[] } = {},
): BuiltProblem {
  const places = createPlaces()
  const hubLocation = places.locate(input.hub.position)
  const subHubLocations = input.subHubs.map(({ position }) => places.locate(position))
  const locationOfHub = new Map(input.subHubs.map(({ id }, s) => [id, subHubLocations[s] ?? hubLocation]))
  const dimensions = input.settings.capacityConstraint
  const vehicleIndices = pick.vehicles ?? input.vehicles.map((_, k) => k)
  const chosen = pick.visits ?? input.visits.map((_, i) => i)
  const vehicles = vehicleIndices.flatMap((k) => {
    const vehicle = input.vehicles[k]
    if (!vehicle) return []
    const hub = locationOfHub.get(vehicle.hubId) ?? hubLocation
    const start = vehicle.start ? places.locate(vehicle.start.position) : hub
    const end = vehicle.end ? places.locate(vehicle.end.position) : returnsToHub(input) ? hub : null
    return [vehicleOf(input, vehicle, { start, end }, dimensions)]
  })
  const dayCount = dayCountOf(vehicles)
  const isOvernight = vehicles.some(({ shift }) => shift[1] <= shift[0] || shift[1] > daySeconds)
  const reasonOf = reasonsFor(input)
  const visitIndices = chosen.filter((i) => input.visits[i] && reasonOf(i) === undefined)
  const pickups = new Set(input.visits.flatMap(({ pickupVisitId }) => pickupVisitId ?? []))
  const visits = visitIndices.flatMap((i) => {
    const visit = input.visits[i]
    if (!visit?.position) return []
    const isPickup = pickups.has(visit.id)
    return [visitOf(input, visit, places.locate(visit.position), { isOvernight, isPickup, dayCount })]
  })
  const { positions } = places
  return {
    problem: {
      locationCount: positions.length,
      distances: noMatrix,
      durations: noMatrix,
      dimensions: dimensions.length,
      visits,
      vehicles,
      objective: hasCosts(input)
        ? { kind: "cost" }
        : { kind: "lexicographic", useAllVehicles: input.settings.useAllVehicle },
      ...restrictions(input, positions),
    },
    positions,
    dimensions,
    visitIndices,
    unplannable: chosen.filter((i) => input.visits[i] && reasonOf(i) !== undefined),
    subHubLocations,
  }
}

/** Why visits of the input take no part. Only pairs have to look at other visits. */
function reasonsFor(input: RunInput): (index: number) => Unplannable | undefined {
  const hasPairs = input.visits.some((visit) => visit.pickupVisitId !== undefined || isLinked(visit))
  const visits = hasPairs ? input.visits : []
  return (index) => {
    const visit = input.visits[index]
    return visit && unplannableReason({ visits }, visit)
  }
}

/** What the layers around the search need besides the problem. */
export function planRequestOf(input: RunInput, { problem, positions }: BuiltProblem): PlanRequest {
  const { settings, hub } = input
  // Degrees of longitude are shorter than those of latitude; areas are cut across the wider side in metres.
  const shrink = Math.cos((hub.position[1] * Math.PI) / 180)
  return {
    problem,
    points: positions.map(([lng, lat]) => ({ x: lng * shrink, y: lat })),
    autoSplit: settings.autoSplit,
    autoMerge: settings.autoMerge,
    clustering: settings.clustering,
    ...fairnessOf(settings),
    // Inputs of before have no reserve.
    reserveSeconds: (settings.reserveMinutes ?? 0) * 60,
    dayStart: settings.multidayOption,
  }
}

function fairnessOf({ fairness }: RunInput["settings"]): Pick<PlanRequest, "fairness"> {
  return fairness === "visits" || fairness === "hours" ? { fairness } : {}
}

function returnsToHub({ settings }: RunInput): boolean {
  return settings.returnToHub || settings.multitrip
}

function createPlaces() {
  const positions: LngLat[] = []
  const known = new Map<string, number>()
  return {
    positions,
    locate(position: LngLat): number {
      const key = position.join(",")
      const index = known.get(key) ?? positions.length
      if (index === positions.length) {
        positions.push(position)
        known.set(key, index)
      }
      return index
    },
  }
}

function vehicleOf(
  input: RunInput,
  vehicle: InputVehicle,
  { start, end }: { start: number; end: number | null },
  dimensions: readonly string[],
): Vehicle {
  const { settings } = input
  const shift = shiftOf(vehicle)
  const { overtime, ...prices } = costsOf(input, vehicle)
  return {
    id: vehicle.id,
    startLocation: start,
    endLocation: end,
    shift: overtime ? [shift[0], shift[1] + overtime.seconds] : shift,
    ...breaksOf(vehicle, shift),
    ...daysOffOf(input, vehicle, shift),
    capacity: dimensions.map((name) => vehicle.capacity[name]?.max ?? Number.POSITIVE_INFINITY),
    minimumLoad: dimensions.map((name) => vehicle.capacity[name]?.min ?? 0),
    tags: [...vehicle.tags, ...skillTags(vehicle, input.routingDate)],
    ...prices,
    ...(overtime ? { overtime } : {}),
    // Durations are metres, unless a road service gives seconds.
    durationFactor: secondsPerMeter(vehicle.speed),
    maxTrips: settings.multitrip ? settings.numberOfMultitrip : 1,
    ...distanceLimitOf(input, vehicle),
    ...(vehicle.maxDuration === undefined ? {} : { maxDuration: vehicle.maxDuration * 60 }),
    ...(settings.returnAfterWorkingTime ? { returnsAfterShift: true } : {}),
    ...(settings.useOddEven && isRestrictedOn(vehicle.oddEven ?? undefined, input.routingDate)
      ? { restricted: true }
      : {}),
  }
}

/** The limit of sub-hub vehicles, and one that a change by hand has set. */
function distanceLimitOf({ settings, subHubs }: RunInput, { hubId, maxDistance }: InputVehicle) {
  const ofSubHub = subHubs.some(({ id }) => id === hubId) ? settings.vehicleSubHubDistanceLimit : null
  const limits = [maxDistance, ofSubHub ?? undefined].filter((limit) => limit !== undefined)
  return limits.length > 0 ? { maxDistance: Math.min(...limits) } : {}
}

export function shiftOf({ workingTime }: InputVehicle): TimeSpan {
  return [parseClock(workingTime.startTime) ?? 0, parseClock(workingTime.endTime) ?? daySeconds]
}

function breaksOf(
  { breakTime, breakMinutes }: InputVehicle,
  shift: TimeSpan,
): Pick<Vehicle, "breaks" | "flexibleBreaks"> {
  const [from, to] = [breakTime.startTime, breakTime.endTime].map((text) =>
    text === null ? undefined : parseClock(text),
  )
  if (from === undefined || to === undefined) return { breaks: [] }
  // A break at 1:00 of a shift from 19:00 is after midnight.
  const isNextDay = from < shift[0] && to <= shift[0]
  const until = breakMinutes !== undefined && to <= from ? to + daySeconds : to
  const span: TimeSpan = isNextDay ? [from + daySeconds, to + daySeconds] : [from, until]
  return breakMinutes === undefined
    ? { breaks: [span] }
    : { breaks: [], flexibleBreaks: [{ within: span, seconds: breakMinutes * 60 }] }
}

/** Days of the shift, from 0, on which the vehicle does not work. */
function daysOffOf(
  { routingDate }: RunInput,
  vehicle: InputVehicle,
  shift: TimeSpan,
): Pick<Vehicle, "daysOff"> {
  if (!vehicle.workDays && !vehicle.daysOff) return {}
  const first = Temporal.PlainDate.from(routingDate)
  const off = dailyShifts(shift).flatMap((_, d) => {
    return worksOn(vehicle, first.add({ days: d })) ? [] : [d]
  })
  return off.length > 0 ? { daysOff: off } : {}
}

/** How many days the longest of the shifts runs over. */
export function dayCountOf(vehicles: readonly Pick<Vehicle, "shift">[]): number {
  return vehicles.reduce((most, { shift }) => Math.max(most, dailyShifts(shift).length), 1)
}

/** Days of the plan, from 0, on which the visit may be served, and should be. Without any of its preferred days it has none. */
function daysOf(
  { routingDate }: RunInput,
  { days, preferredDays = [] }: InputVisit,
  dayCount: number,
): Pick<Visit, "days" | "preferredDays"> {
  const first = Temporal.PlainDate.from(routingDate)
  const numberOf = (day: string) => first.until(Temporal.PlainDate.from(day), { largestUnit: "days" }).days
  const preferred = preferredDays.map(numberOf).filter((day) => day >= 0 && day < dayCount)
  return {
    ...(days ? { days: days.map(numberOf) } : {}),
    ...(preferred.length > 0 ? { preferredDays: preferred } : {}),
  }
}

function visitOf(
  input: RunInput,
  visit: InputVisit,
  location: number,
  { isOvernight, isPickup, dayCount }: { isOvernight: boolean; isPickup: boolean; dayCount: number },
): Visit {
  const { settings } = input
  const lateness = latenessOf(input)
  const windows = windowsOf(visit).map(([from, to]): TimeSpan => [from, to + (lateness?.seconds ?? 0)])
  return {
    id: visit.id,
    location,
    serviceSeconds: visitMinutes(input, visit) * 60,
    windows: isOvernight
      ? [...windows, ...windows.map(([from, to]): TimeSpan => [from + daySeconds, to + daySeconds])]
      : windows,
    // What a pickup loads is what its delivery says.
    demand: settings.capacityConstraint.map((name) => (isPickup ? 0 : (visit.capacity[name] ?? 0))),
    tags: visit.tags,
    ...(visit.assignedVehicleId === undefined ? {} : { vehicleId: visit.assignedVehicleId }),
    ...preferenceOf(input, visit),
    ...(visit.priority === undefined ? {} : { dropCost: visit.priority }),
    ...(lateness && windows.length > 0 ? { lateness } : {}),
    ...(visit.pickupVisitId === undefined ? {} : { pickupId: visit.pickupVisitId }),
    ...(visit.workers === undefined ? {} : { crew: visit.workers }),
    ...(visit.after === undefined
      ? {}
      : {
          after: visit.after.map(({ visitId, minMinutes = 0, maxMinutes }) => ({
            visitId,
            minSeconds: minMinutes * 60,
            ...(maxMinutes === undefined ? {} : { maxSeconds: maxMinutes * 60 }),
          })),
        }),
    ...daysOf(input, visit, dayCount),
    ...promiseOf(input, visit),
    ...(visit.releaseTime === undefined ? {} : { releaseTime: parseClock(visit.releaseTime) ?? 0 }),
    ...(visit.visitGroup !== undefined && (input.usesGroups || visit.useVisitGroup === true)
      ? { group: visit.visitGroup, priority: visit.visitGroupPriority ?? 0 }
      : {}),
  }
}

/** Inputs of before have no promises and no setting for them. */
function promiseOf(
  { settings }: RunInput,
  { promisedTime }: Pick<InputVisit, "promisedTime">,
): Pick<Visit, "promised"> {
  const at = parseClock(promisedTime ?? "")
  const around = (settings.promiseMinutes ?? 0) * 60
  return at === undefined || around === 0 ? {} : { promised: [at - around, at + around] }
}

function preferenceOf(
  { vehicles }: RunInput,
  { preferredVehicle }: InputVisit,
): Pick<Visit, "preferredVehicleId"> {
  if (preferredVehicle === undefined) return {}
  const wanted = preferredVehicle.trim().toLowerCase()
  const found =
    vehicles.find(({ id }) => id.toLowerCase() === wanted) ??
    vehicles.find(({ name, assignee }) => assignee === wanted || name.trim().toLowerCase() === wanted)
  return found ? { preferredVehicleId: found.id } : {}
}

function windowsOf(visit: InputVisit): TimeSpan[] {
  const spans = visit.timeWindows ?? [visit.timeWindow]
  const isAnyTime = spans.some((span) => span.startTime === null && span.endTime === null)
  if (isAnyTime) return []
  return spans.map(
    (span: Span): TimeSpan => [
      span.startTime === null ? 0 : (parseClock(span.startTime) ?? 0),
      span.endTime === null ? endOfDay : (parseClock(span.endTime) ?? endOfDay),
    ],
  )
}

/** Minutes on site: as given, else by the settings, rounded up. */
export function visitMinutes({ settings }: RunInput, visit: InputVisit): number {
  if (visit.visitTime !== null) return visit.visitTime
  const dynamic = settings.dynamicVisitTime.reduce(
    (sum, { name, visitTime }) => sum + visitTime * (visit.capacity[name] ?? 0),
    0,
  )
  return settings.defaultVisitTime + Math.ceil(dynamic - 1e-9)
}

function restrictions(input: RunInput, positions: readonly LngLat[]): Pick<PlanProblem, "restrictedLegs"> {
  const { settings, zone } = input
  if (!settings.useOddEven || zone.length === 0) return {}
  const spans = settings.oddEvenTime.flatMap(({ startTime, endTime }): TimeSpan[] => {
    const [from, to] = [parseClock(startTime), parseClock(endTime)]
    return from === undefined || to === undefined || to <= from ? [] : [[from, to]]
  })
  if (spans.length === 0) return {}
  const point = ([x, y]: LngLat) => ({ x, y })
  const legs = restrictedLegs(
    positions.map(point),
    zone.map((ring) => ring.map(point)),
  )
  return { restrictedLegs: { legs, spans: spans.toSorted((a, b) => a[0] - b[0]) } }
}
