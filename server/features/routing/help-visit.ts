import { buildProblem, planRequestOf } from "./build-problem.ts"
import { formatClock, parseClock } from "./clock-time.ts"
import { describeHelp } from "./describe-help.ts"
import { resultErrors } from "./errors.ts"
import { placeVisits, refOf, type Trips, tripsOf, type VisitRef, withRoutes } from "./place-visits.ts"
import type { Routing, WireHelp, WireViolation } from "./result-schemas.ts"
import type { InputVehicle, InputVisit, RunInput, Span } from "./run-input.ts"
import { prepare } from "./solver/plan-routes.ts"
import type { Plan, PlanProblem, Visit } from "./solver/problem.ts"
import { type Help, whatWouldHelp } from "./solver/what-would-help.ts"
import { findTravel } from "./travel.ts"
import { distanceMatrix } from "./travel-matrix.ts"

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
  options: { routingUrl: string | undefined },
): Promise<WireHelp[]> {
  const current = await read(input, routing, visitId, options)
  return whatWouldHelp(current.problem, current.plan, current.wanted).map(({ change }) =>
    describeHelp(input, current.problem, input.settings.capacityConstraint, change),
  )
}

/** The input and the plan after the change of that kind, with the visit on board. */
export async function applyHelp(
  input: RunInput,
  routing: Routing,
  wish: { visitId: string; kind: string },
  options: { routingUrl: string | undefined },
): Promise<{ input: RunInput; routing: Routing; violations: WireViolation[] }> {
  const current = await read(input, routing, wish.visitId, options)
  const help = whatWouldHelp(current.problem, current.plan, current.wanted).find(
    ({ change }) => change.kind === wish.kind,
  )
  if (!help)
    throw resultErrors.badInput({
      message: `No change of the kind ${wish.kind} would make room for this visit`,
    })
  const changed = changedInput(input, current, help)
  const trips: Trips = help.route.trips.map((trip) => trip.flatMap((index) => current.refs[index] ?? []))
  const vehicleId =
    help.change.kind === "vehicle"
      ? (changed.vehicles.at(-1)?.id ?? "")
      : (current.problem.vehicles[help.route.vehicle]?.owner ??
        current.problem.vehicles[help.route.vehicle]?.id ??
        "")
  const aboard = new Set(trips.flat().map(({ visitId, splitNumber }) => `${visitId} ${splitNumber}`))
  const dropped = routing.dropped.filter((visit) => {
    const ref = refOf(visit, [])
    return !aboard.has(`${ref.visitId} ${ref.splitNumber}`)
  })
  const { routes, violations } = await placeVisits(changed, routing, new Map([[vehicleId, trips]]), options)
  return { input: changed, routing: withRoutes(routing, routes, dropped), violations }
}

async function read(
  input: RunInput,
  routing: Routing,
  visitId: string,
  { routingUrl }: { routingUrl: string | undefined },
): Promise<Current> {
  const dimensions = input.settings.capacityConstraint
  const left = routing.dropped.find((visit) => (visit.visitId ?? visit.id) === visitId)
  if (!left) throw resultErrors.badInput({ message: `${visitId} is not among the dropped visits` })
  if (input.subHubs.length > 0)
    throw resultErrors.badInput({ message: "Plans over sub-hubs are not looked into for a single visit" })
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
    visits.push({ ...visit, demand: dimensions.map((name) => ref.demand[name] ?? 0) })
    return [visits.length - 1]
  }
  const planned = routing.routing.map((route) => ({
    vehicle: input.vehicles.findIndex(({ id }) => id === route.vehicleId),
    trips: tripsOf(route, dimensions).map((trip) => trip.flatMap(add)),
  }))
  const dropped = routing.dropped.flatMap((visit) => add(refOf(visit, dimensions)))
  const wanted = refs.findIndex((ref) => ref.visitId === visitId && dropped.includes(refs.indexOf(ref)))
  if (wanted < 0)
    throw resultErrors.badInput({ message: `${visitId} names no place: nothing would make room for it` })
  const travel = await findTravel(built.positions, input.settings, routingUrl, AbortSignal.timeout(10_000))
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
  if (problem.vehicles.length > input.vehicles.length)
    throw resultErrors.badInput({
      message: "Several days that each start at the hub cannot be changed by hand",
    })
  const routes = planned.filter(({ vehicle, trips }) => vehicle >= 0 && trips.flat().length > 0)
  return { problem, plan: { routes, dropped }, refs, wanted }
}

/** The change in the words of the input, so that later changes by hand follow the same rules. */
function changedInput(input: RunInput, { refs }: Current, { change }: Help): RunInput {
  const vehicles = (index: number, alter: (vehicle: InputVehicle) => InputVehicle): RunInput => ({
    ...input,
    vehicles: input.vehicles.map((vehicle, k) => (k === index ? alter(vehicle) : vehicle)),
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
    case "shift":
      return vehicles(change.vehicle, (vehicle) => ({
        ...vehicle,
        workingTime: { ...vehicle.workingTime, endTime: later(vehicle.workingTime.endTime, change.minutes) },
      }))
    case "capacity": {
      const name = input.settings.capacityConstraint[change.dimension] ?? ""
      return vehicles(change.vehicle, (vehicle) => {
        const { min = 0, max = 0 } = vehicle.capacity[name] ?? {}
        const raised = Math.round(((max ?? 0) + change.amount) * 10) / 10
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
    case "vehicle": {
      const like = input.vehicles[change.like]
      if (!like) throw new RangeError(`there is no vehicle ${change.like}`)
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
