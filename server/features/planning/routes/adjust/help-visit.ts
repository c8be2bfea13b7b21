import type { Help } from "../../../../../packages/route-optimizer/evaluate/changes.ts"
import { placeBreaks } from "../../../../../packages/route-optimizer/evaluate/flexible-breaks.ts"
import { timetable } from "../../../../../packages/route-optimizer/evaluate/timetable.ts"
import { whatWouldHelp, withHelp } from "../../../../../packages/route-optimizer/evaluate/what-would-help.ts"
import { roundLoad } from "../../../../../packages/route-optimizer/loads.ts"
import { prepare } from "../../../../../packages/route-optimizer/plan-routes.ts"
import { linksOf } from "../../../../../packages/route-optimizer/problem/links.ts"
import {
  at,
  type Plan,
  type PlanProblem,
  type Visit,
} from "../../../../../packages/route-optimizer/problem/problem.ts"
import { keepPreferredDays } from "../../../../../packages/route-optimizer/search/preferred-days.ts"
import { crewOf } from "../../../../../packages/route-optimizer/search/split.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import { formatClock, parseClock } from "../clock-time.ts"
import { resultErrors } from "../errors.ts"
import { plannedBreaks, withPlannedBreak } from "../plan/breaks.ts"
import { buildProblem, planRequestOf } from "../plan/build-problem.ts"
import type { InputVehicle, InputVisit, RunInput, Span } from "../plan/run-input.ts"
import { isRestricted } from "../plan/write-routing.ts"
import type { Dropped, Routing, VehicleRoute, WireHelp, WireViolation } from "../result-schemas.ts"
import { roadsOfPlan } from "../roads/plan-time.ts"
import { findTravel } from "../roads/travel.ts"
import { distanceMatrix } from "../roads/travel-matrix.ts"
import { describeHelp } from "./describe-help.ts"
import {
  daysOfTrips,
  partOf,
  placeVisits,
  refOf,
  type Trips,
  tripsOf,
  type VisitRef,
  withRoutes,
} from "./place-visits.ts"
import { nodesOf, vehicleRoute } from "./route-nodes.ts"

/** A plan by hand as the solver sees it: one entry of the problem per visit or part in the plan. */
interface Current {
  problem: PlanProblem
  plan: Plan
  refs: VisitRef[]
  wanted: number
}

/** The single changes that would make room for a dropped visit in the plan as it is now, smallest first. */
export async function helpFor(
  input: RunInput,
  routing: Routing,
  visitId: string,
  options: { roads: RoadSupply },
): Promise<WireHelp[]> {
  const current = await read(input, routing, visitId, options)
  return whatWouldHelp(current.problem, current.plan, current.wanted).map(({ change }) =>
    describeHelp(input, current.problem, input.settings.capacityConstraint, change, current.wanted),
  )
}

/** The input and the plan after the change of that kind, with the visit on board. */
export async function applyHelp(
  input: RunInput,
  routing: Routing,
  query: { visitId: string; kind: string },
  options: { roads: RoadSupply },
): Promise<{ input: RunInput; routing: Routing; violations: WireViolation[] }> {
  const current = await read(input, routing, query.visitId, options)
  const help = whatWouldHelp(current.problem, current.plan, current.wanted).find(
    ({ change }) => change.kind === query.kind,
  )
  if (!help)
    throw resultErrors.badInput({
      message: `No change of kind ${query.kind} makes room for this visit`,
    })
  const changed = changedInput(input, current, help)
  const isLinked = new Set(linksOf(current.problem.visits).flatMap(({ first, second }) => [first, second]))
  const [route] = help.routes
  if (isLinked.has(current.wanted) || !route) {
    const { routes, served } = linkedRoutes(changed, routing, current, help)
    return {
      input: changed,
      routing: withRoutes(routing, routes, stillDropped(routing, served)),
      violations: [],
    }
  }
  const isNew = help.change.kind === "vehicle"
  const owner = ownerOf(current, route.vehicle)
  const vehicleId = isNew ? (changed.vehicles.at(-1)?.id ?? "") : owner
  // One that begins several days at the hub has a route for each: the others stay as they are.
  const others = current.plan.routes.filter(
    ({ vehicle }) => !isNew && vehicle !== route.vehicle && ownerOf(current, vehicle) === owner,
  )
  const planned = [...others, route]
    .toSorted((a, b) => a.vehicle - b.vehicle)
    .flatMap(({ vehicle, trips }) => trips.map((trip) => ({ day: dayOf(current, vehicle), trip })))
  const trips: Trips = planned.map(({ trip }) => trip.flatMap((index) => current.refs[index] ?? []))
  const days = new Map([[vehicleId, planned.map(({ day }) => day)]])
  const dropped = stillDropped(routing, trips.flat())
  const { routes, violations } = await placeVisits(changed, routing, new Map([[vehicleId, trips]]), {
    ...options,
    days,
  })
  return { input: changed, routing: withRoutes(routing, routes, dropped), violations }
}

function stillDropped({ dropped }: Routing, served: readonly VisitRef[]): Dropped[] {
  const aboard = new Set(served.map(({ visitId, splitNumber }) => `${visitId} ${splitNumber}`))
  return dropped.filter((visit) => {
    const ref = refOf(visit, [])
    return !aboard.has(`${ref.visitId} ${ref.splitNumber}`)
  })
}

/** New times of all vehicles, since a visit that others wait for moves them too. */
function linkedRoutes(
  input: RunInput,
  routing: Routing,
  current: Current,
  help: Help,
): { routes: VehicleRoute[]; served: VisitRef[] } {
  const { refs } = current
  const { problem, plan } = withHelp(current.problem, current.plan, help)
  const partAt = (index: number) => partOf(refs[index]?.splitNumber ?? null)
  const timed = {
    problem,
    timetables: timetable(problem, plan),
    dimensions: input.settings.capacityConstraint,
    visitOf: (index: number) => input.visits.find(({ id }) => id === refs[index]?.visitId),
    partOf: partAt,
  }
  const added = input.vehicles.at(-1)
  const renamed =
    help.change.kind === "vehicle" && added
      ? {
          ...problem,
          vehicles: problem.vehicles.with(-1, {
            ...at(problem.vehicles, problem.vehicles.length - 1),
            owner: added.id,
          }),
        }
      : problem
  const routes = input.vehicles.map((vehicle) =>
    vehicleRoute(
      withPlannedBreak(vehicle, renamed),
      nodesOf(input, vehicle, { ...timed, problem: renamed }),
      timed.dimensions,
      isRestricted(input, vehicle),
    ),
  )
  const before = new Map(routing.routing.map((route) => [route.vehicleId, route]))
  return {
    // A vehicle without work keeps its reason.
    routes: routes.map((route) => (route.trips.length > 0 ? route : (before.get(route.vehicleId) ?? route))),
    served: help.routes.flatMap(({ trips }) => trips.flat().flatMap((index) => refs[index] ?? [])),
  }
}

async function read(
  input: RunInput,
  routing: Routing,
  visitId: string,
  { roads }: { roads: RoadSupply },
): Promise<Current> {
  const dimensions = input.settings.capacityConstraint
  const left = routing.dropped.find((visit) => (visit.visitId ?? visit.id) === visitId)
  if (!left) throw resultErrors.badInput({ message: `${visitId} is not a dropped visit` })
  if (input.subHubs.length > 0)
    throw resultErrors.badInput({
      message: "Changes for a single visit are not available for plans with sub-hubs",
    })
  const built = buildProblem(input)
  const base = new Map(
    built.visitIndices.map((index, at) => [input.visits[index]?.id ?? "", built.problem.visits[at]]),
  )
  const refs: VisitRef[] = []
  const visits: Visit[] = []
  const add = (ref: VisitRef): number[] => {
    const visit = base.get(ref.visitId)
    if (!visit) return []
    refs.push(ref)
    const { number } = partOf(ref.splitNumber)
    const part = visit.crew === undefined ? visit : (crewOf(visit, visit.crew)[number - 1] ?? visit)
    visits.push({ ...part, demand: dimensions.map((name) => ref.demand[name] ?? 0) })
    return [visits.length - 1]
  }
  const planned = routing.routing.map((route) => ({
    route,
    trips: tripsOf(route, dimensions).map((trip) => trip.flatMap(add)),
  }))
  const dropped = routing.dropped.flatMap((visit) => add(refOf(visit, dimensions)))
  const wanted = refs.findIndex((ref) => ref.visitId === visitId && dropped.includes(refs.indexOf(ref)))
  if (wanted < 0)
    throw resultErrors.badInput({ message: `${visitId} has no coordinates, so no change makes room for it` })
  const travel = await findTravel(
    built.positions,
    input.settings,
    roadsOfPlan(roads, input),
    AbortSignal.timeout(10_000),
  )
  const matrix = travel.matrices ? undefined : distanceMatrix(built.positions)
  const matrices = travel.matrices ?? {
    distances: matrix ?? new Float64Array(0),
    durations: matrix ?? new Float64Array(0),
  }
  const vehicles = travel.hasOwnTimes
    ? built.problem.vehicles.map((vehicle) => ({ ...vehicle, durationFactor: 1 }))
    : built.problem.vehicles
  const request = planRequestOf(input, built)
  const { problem } = prepare({
    ...request,
    problem: { ...built.problem, ...matrices, vehicles, visits },
    autoSplit: "none",
  })
  const routes = planned
    .flatMap(({ route, trips }) => {
      const ofDays = problem.vehicles.flatMap((vehicle, index) =>
        (vehicle.owner ?? vehicle.id) === route.vehicleId ? [{ vehicle, index }] : [],
      )
      const days = daysOfTrips(
        ofDays.map(({ vehicle }) => vehicle),
        route,
        trips.length,
      )
      return ofDays.map(({ index }, day) => ({
        vehicle: index,
        trips: trips.filter((trip, at) => days[at] === day && trip.length > 0),
      }))
    })
    .filter(({ trips }) => trips.length > 0)
  const plan = { routes, dropped }
  const known = (index: number) =>
    plannedBreaks(
      routing.routing.find(
        ({ vehicleId }) => vehicleId === (problem.vehicles[index]?.owner ?? problem.vehicles[index]?.id),
      ),
    )
  const timed = keepPreferredDays(placeBreaks(problem, plan, { known, keeps: true }), plan)
  return { problem: timed, plan, refs, wanted }
}

function ownerOf({ problem }: Current, index: number): string {
  const vehicle = problem.vehicles[index]
  return vehicle?.owner ?? vehicle?.id ?? ""
}

/** Which of the days of its vehicle a vehicle of the problem is. */
function dayOf(current: Current, index: number): number {
  const owner = ownerOf(current, index)
  return current.problem.vehicles.slice(0, index).filter((_, at) => ownerOf(current, at) === owner).length
}

/** The change in the words of the input, so that later changes by hand follow the same rules. */
function changedInput(input: RunInput, current: Current, { change }: Help): RunInput {
  const { refs } = current
  const vehicles = (index: number, alter: (vehicle: InputVehicle) => InputVehicle): RunInput => ({
    ...input,
    vehicles: input.vehicles.map((vehicle) =>
      vehicle.id === ownerOf(current, index) ? alter(vehicle) : vehicle,
    ),
  })
  switch (change.kind) {
    case "window": {
      const id = refs[change.visit]?.visitId
      const widen = (visit: InputVisit): InputVisit => ({
        ...visit,
        timeWindow: widened(visit.timeWindow, change.minutes),
        ...(visit.timeWindows
          ? { timeWindows: visit.timeWindows.map((span) => widened(span, change.minutes)) }
          : {}),
      })
      return { ...input, visits: input.visits.map((visit) => (visit.id === id ? widen(visit) : visit)) }
    }
    case "gap": {
      const id = refs[change.visit]?.visitId
      const relax = ({ after = [], ...visit }: InputVisit): InputVisit => ({
        ...visit,
        after: after.map(({ visitId, minMinutes = 0, maxMinutes }) => ({
          visitId,
          minMinutes: Math.max(0, minMinutes - change.minutes),
          ...(maxMinutes === undefined ? {} : { maxMinutes: maxMinutes + change.minutes }),
        })),
      })
      return { ...input, visits: input.visits.map((visit) => (visit.id === id ? relax(visit) : visit)) }
    }
    case "shift":
      return vehicles(change.vehicle, (vehicle) => ({
        ...vehicle,
        workingTime: { ...vehicle.workingTime, endTime: later(vehicle.workingTime.endTime, change.minutes) },
      }))
    case "capacity": {
      const name = input.settings.capacityConstraint[change.dimension] ?? ""
      return vehicles(change.vehicle, (vehicle) => {
        const { min = 0, max = 0 } = vehicle.capacity[name] ?? {}
        const raised = roundLoad((max ?? 0) + change.amount)
        return { ...vehicle, capacity: { ...vehicle.capacity, [name]: { min, max: raised } } }
      })
    }
    case "tag":
      return vehicles(change.vehicle, (vehicle) => ({ ...vehicle, tags: [...vehicle.tags, change.tag] }))
    case "distance":
      return vehicles(change.vehicle, (vehicle) => ({
        ...vehicle,
        maxDistance: (vehicle.maxDistance ?? 0) + change.meters,
      }))
    case "duration":
      return vehicles(change.vehicle, (vehicle) => ({
        ...vehicle,
        maxDuration: (vehicle.maxDuration ?? 0) + change.minutes,
      }))
    case "dayOff": {
      const day = Temporal.PlainDate.from(input.routingDate).add({ days: dayOf(current, change.vehicle) })
      return vehicles(change.vehicle, ({ workDays, daysOff = [], ...vehicle }) => ({
        ...vehicle,
        daysOff: daysOff.filter((off) => off !== day.toString()),
        ...(workDays ? { workDays: [...new Set([...workDays, day.dayOfWeek])] } : {}),
      }))
    }
    case "vehicle": {
      const like = input.vehicles.find(({ id }) => id === ownerOf(current, change.like))
      if (!like) throw new RangeError(`The vehicle ${change.like} does not exist`)
      const number = 1 + input.vehicles.filter(({ id }) => id.startsWith(`${like.id}+`)).length
      const more = { ...like, id: `${like.id}+${number}`, name: `${like.name} +${number}`, assignee: "" }
      return { ...input, vehicles: [...input.vehicles, more] }
    }
  }
}

function widened(span: Span, minutes: number): Span {
  const start = span.startTime === null ? undefined : parseClock(span.startTime)
  const end = span.endTime === null ? undefined : parseClock(span.endTime)
  return {
    startTime: start === undefined ? null : formatClock(start - minutes * 60),
    endTime: end === undefined ? null : formatClock(end + minutes * 60),
  }
}

function later(time: string, minutes: number): string {
  return formatClock((parseClock(time) ?? 0) + minutes * 60)
}
