import type { Violation } from "../../../../../packages/route-optimizer/evaluate/evaluator.ts"
import { placeBreaks } from "../../../../../packages/route-optimizer/evaluate/flexible-breaks.ts"
import { prepare, reviewPlan } from "../../../../../packages/route-optimizer/plan-routes.ts"
import type { Visit } from "../../../../../packages/route-optimizer/problem/problem.ts"
import { keepPreferredDays } from "../../../../../packages/route-optimizer/search/preferred-days.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import { parseClock } from "../clock-time.ts"
import { type GoodsAtSubHub, goodsAtSubHubs, handoverOf, strandedGoods } from "../dispatch/handed-over.ts"
import { resultErrors } from "../errors.ts"
import { plannedBreaks, withPlannedBreak } from "../plan/breaks.ts"
import { buildProblem, planRequestOf } from "../plan/build-problem.ts"
import { isLinked } from "../plan/links.ts"
import type { InputVisit, RunInput } from "../plan/run-input.ts"
import { isRestricted } from "../plan/write-routing.ts"
import type { Dropped, RouteNode, Routing, VehicleRoute, WireViolation } from "../result-schemas.ts"
import { roadsOfPlan } from "../roads/plan-time.ts"
import { findTravel } from "../roads/travel.ts"
import { distanceMatrix } from "../roads/travel-matrix.ts"
import { brokenLinks, tornGroups, tornPairs } from "./broken-links.ts"
import { type Bounds, linkedTrips, raiseBounds } from "./linked-vehicles.ts"
import { nodesOf, vehicleRoute } from "./route-nodes.ts"

/** A visit, or one part of it, as nodes and dropped visits name it. */
export interface VisitRef {
  visitId: string
  splitNumber: string | null
  /** Of the part, by constraint. */
  demand: Readonly<Record<string, number>>
  /** Set where a node stands for goods that are handed over at a sub-hub. */
  handover?: { subHubId: string; coordinate: string; visitIds: string[] }
}

/** Trips of a vehicle, each a list of visits in order. */
export type Trips = VisitRef[][]

export function refOf(place: RouteNode | Dropped, dimensions: readonly string[]): VisitRef {
  const visitId = place.visitId ?? ("id" in place ? String(place.id) : "")
  const handover = handoverOf(place)
  return {
    visitId,
    splitNumber: typeof place.splitNumber === "string" ? place.splitNumber : null,
    demand: Object.fromEntries(dimensions.map((name) => [name, Number(place[name] ?? 0)])),
    ...(handover ? { handover } : {}),
  }
}

export function tripsOf({ trips }: VehicleRoute, dimensions: readonly string[]): Trips {
  const found: Trips = []
  let last: number | undefined
  for (const node of trips) {
    if (node.isHub && !handoverOf(node)) continue
    const trip = node.tripOrder ?? 1
    if (trip !== last) found.push([])
    last = trip
    found.at(-1)?.push(refOf(node, dimensions))
  }
  return found
}

interface PlaceOptions {
  roads: RoadSupply
  /** Of the vehicles named, the day of each trip; that of the plan before unless given. */
  days?: ReadonlyMap<string, readonly number[]>
  bounds?: Bounds
}

interface Placed {
  routes: VehicleRoute[]
  violations: WireViolation[]
}

/**
 * New times for the vehicles whose trips changed, by the rules that the plan was made with, and what the new
 * order breaks. Only these vehicles and their visits are looked at, so a change costs the same in a large plan; and
 * vehicles of sub-hubs whose goods come at another time now, since they leave with them.
 */
export async function placeVisits(
  input: RunInput,
  routing: Routing,
  changed: ReadonlyMap<string, Trips>,
  options: PlaceOptions,
): Promise<Placed> {
  const isSubHub = new Set(input.subHubs.map(({ id }) => id))
  const startsAtSubHub = (vehicleId: string) =>
    isSubHub.has(input.vehicles.find(({ id }) => id === vehicleId)?.hubId ?? "")
  const goodsBefore = goodsAtSubHubs(input, routing)
  const ofHub = [...changed].filter(([vehicleId]) => !startsAtSubHub(vehicleId))
  const first = await (input.visits.some(isLinked) ? placeLinked : placeVehicles)(
    input,
    routing,
    new Map(ofHub),
    goodsBefore,
    options,
  )
  const goods = goodsAtSubHubs(input, withRoutes(routing, first.routes, []))
  const isElsewhere = ({ visitId }: RouteNode) => {
    const [was, is] = [goodsBefore.get(visitId), goods.get(visitId)]
    return was?.time !== is?.time || was?.subHubId !== is?.subHubId
  }
  const waiting = routing.routing.filter(
    ({ vehicleId, trips }) => startsAtSubHub(vehicleId) && !changed.has(vehicleId) && trips.some(isElsewhere),
  )
  const ofSubHubs = new Map([
    ...[...changed].filter(([vehicleId]) => startsAtSubHub(vehicleId)),
    ...waiting.map((route) => [route.vehicleId, tripsOf(route, input.settings.capacityConstraint)] as const),
  ])
  const second = await placeVehicles(input, routing, ofSubHubs, goods, options)
  const routes = [...first.routes, ...second.routes]
  return {
    routes,
    violations: [
      ...first.violations,
      ...second.violations,
      ...strandedGoods(input, goods, routes),
      ...tornGroups(input, routing, routes),
      ...tornPairs(input, routing, routes),
      ...brokenLinks(input, routing, routes),
    ],
  }
}

/** More would mean that the visits contradict each other. */
const maxRounds = 20

/** Vehicles whose visits wait for each other: each as early as it can be, then later until nobody comes too early. */
async function placeLinked(
  input: RunInput,
  routing: Routing,
  changed: ReadonlyMap<string, Trips>,
  goods: ReadonlyMap<string, GoodsAtSubHub>,
  options: PlaceOptions,
): Promise<Placed> {
  const dimensions = input.settings.capacityConstraint
  const trips = linkedTrips(input, routing.routing, changed, (route) => tripsOf(route, dimensions))
  const bounds: Bounds = new Map()
  let placed = await placeVehicles(input, routing, trips, goods, options)
  for (let round = 0; round < maxRounds; round++) {
    const waiting = raiseBounds(bounds, input, withRoutes(routing, placed.routes, []).routing)
    const late = new Map([...trips].filter(([vehicleId]) => waiting.has(vehicleId)))
    if (late.size === 0) break
    const again = await placeVehicles(input, routing, late, goods, { ...options, bounds })
    const isKept = ({ vehicleId }: { vehicleId?: string }) => !late.has(vehicleId ?? "")
    placed = {
      routes: [...placed.routes.filter(isKept), ...again.routes],
      violations: [...placed.violations.filter(isKept), ...again.violations],
    }
  }
  return placed
}

async function placeVehicles(
  input: RunInput,
  routing: Routing,
  changed: ReadonlyMap<string, Trips>,
  goods: ReadonlyMap<string, GoodsAtSubHub>,
  { roads, days: chosenDays, bounds }: PlaceOptions,
): Promise<Placed> {
  const routes: VehicleRoute[] = []
  const violations: WireViolation[] = []
  for (const [vehicleId, trips] of changed) {
    const k = input.vehicles.findIndex(({ id }) => id === vehicleId)
    const vehicle = input.vehicles[k]
    if (!vehicle) throw resultErrors.badInput({ message: `Vehicle ${vehicleId} is not in this plan` })
    const refs = trips.flat()
    const indices = refs.map((ref) =>
      ref.handover ? -1 : input.visits.findIndex(({ id }) => id === ref.visitId),
    )
    const built = buildProblem(input, {
      vehicles: [k],
      visits: [...new Set(indices.filter((_, at) => !refs[at]?.handover))],
    })
    const base = new Map(built.visitIndices.map((index, at) => [index, built.problem.visits[at]]))
    const visits = refs.map((ref, at): Visit => {
      const visit = ref.handover
        ? handoverVisit(input, ref.handover.subHubId, built.subHubLocations)
        : base.get(indices[at] ?? -1)
      if (!visit)
        throw resultErrors.badInput({
          message: `${ref.visitId} has no coordinates and cannot be assigned to a vehicle`,
        })
      const there = goods.get(ref.visitId)
      const { crew: _, ...alone } = visit
      return {
        ...alone,
        demand: built.dimensions.map((name) => ref.demand[name] ?? 0),
        ...(there?.subHubId === vehicle.hubId ? { releaseTime: there.time } : {}),
      }
    })
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
      ? built.problem.vehicles.map((planned) => ({ ...planned, durationFactor: 1 }))
      : built.problem.vehicles
    if (visits.length === 0) {
      routes.push(vehicleRoute(vehicle, [], built.dimensions, isRestricted(input, vehicle)))
      continue
    }
    const request = {
      ...planRequestOf(input, built),
      problem: { ...built.problem, ...matrices, vehicles, visits },
      autoSplit: "none" as const,
    }
    const prepared = prepare(request).problem
    const before = routing.routing.find((route) => route.vehicleId === vehicleId)
    const days = chosenDays?.get(vehicleId) ?? daysOfTrips(prepared.vehicles, before, trips.length)
    let next = 0
    const planned = trips.map((trip, at) => ({ day: days[at] ?? 0, visits: trip.map(() => next++) }))
    const routesOfDays = prepared.vehicles.map((_, day) => ({
      vehicle: day,
      trips: planned.filter((trip) => trip.day === day && trip.visits.length > 0).map((trip) => trip.visits),
    }))
    const plan = { routes: routesOfDays.filter((route) => route.trips.length > 0), dropped: [] }
    const known = () => plannedBreaks(before)
    const problem = keepPreferredDays(placeBreaks(prepared, plan, { known, keeps: true }), plan)
    const starts = new Map(
      refs.flatMap(({ visitId }, at): [number, number][] => {
        const bound = bounds?.get(vehicleId)?.get(visitId)
        return bound === undefined ? [] : [[at, bound]]
      }),
    )
    const { timetables, evaluation } = reviewPlan(problem, plan, starts)
    const visitAt = (at: number): InputVisit | undefined => input.visits[indices[at] ?? -1]
    const nodes = nodesOf(input, vehicle, {
      problem,
      timetables,
      dimensions: built.dimensions,
      visitOf: visitAt,
      partOf: (at) => partOf(refs[at]?.splitNumber ?? null),
      handoverOf: (at) => refs[at]?.handover,
    })
    routes.push(
      vehicleRoute(withPlannedBreak(vehicle, problem), nodes, built.dimensions, isRestricted(input, vehicle)),
    )
    violations.push(
      ...evaluation.violations
        .filter((violation) => !isRounding(violation))
        .map((violation) => toWireViolation(violation, vehicleId, visitAt)),
    )
  }
  return { routes, violations }
}

/**
 * The day of each trip of a vehicle that begins several days at its hub, which the problem has as a vehicle a day: the
 * one that had begun when the trip left. A trip more is on the next day, or on the last one with those before it.
 */
export function daysOfTrips(
  days: readonly { shift: readonly [number, number]; maxTrips: number }[],
  before: VehicleRoute | undefined,
  count: number,
): number[] {
  const leaving = [...Map.groupBy(before?.trips ?? [], (node) => node.tripOrder ?? 1).values()]
    .filter((nodes) => nodes.some((node) => !node.isHub || handoverOf(node)))
    .map(([first]) => parseClock(first?.eta ?? "") ?? 0)
  const known = leaving.map((time) =>
    Math.max(
      0,
      days.findLastIndex(({ shift }) => shift[0] <= time),
    ),
  )
  while (known.length < count) {
    const last = known.at(-1)
    const isNext = last !== undefined && last + 1 < days.length && days[last]?.maxTrips === 1
    known.push(isNext ? last + 1 : (last ?? 0))
  }
  return known
}

/** Goods that change vehicles, as a stop: as long as a visit that says nothing of its own. */
function handoverVisit(
  { subHubs, settings }: RunInput,
  subHubId: string,
  locations: readonly number[],
): Visit | undefined {
  const location = locations[subHubs.findIndex(({ id }) => id === subHubId)]
  if (location === undefined) return undefined
  const serviceSeconds = settings.defaultVisitTime * 60
  return { id: `hub-${subHubId}`, location, serviceSeconds, windows: [], demand: [], tags: [] }
}

/** Goods are ready at a time of the plan, whose clock shows whole seconds: what depends on it is up to one late. */
function isRounding({ kind, excess }: Violation): boolean {
  return (kind === "timeWindow" || kind === "shift") && excess !== undefined && excess < 1
}

export function partOf(splitNumber: string | null) {
  const [number, count] = (splitNumber ?? "1/1").split("/").map(Number)
  return { parent: 0, number: number ?? 1, count: count ?? 1 }
}

function toWireViolation(
  { kind, message, visit, excess }: Violation,
  vehicleId: string,
  visitAt: (at: number) => InputVisit | undefined,
): WireViolation {
  const visitId = visit === undefined ? undefined : visitAt(visit)?.id
  const rounded = (amount: number) => (kind === "capacity" ? amount : Math.ceil(amount * 10 - 1e-6) / 10)
  return {
    kind,
    message,
    vehicleId,
    ...(visitId === undefined ? {} : { visitId }),
    ...(excess === undefined || !Number.isFinite(excess) ? {} : { excess: rounded(excess) }),
  }
}

/** The whole plan with some vehicles' routes replaced and some visits dropped or taken up again. */
export function withRoutes(routing: Routing, routes: readonly VehicleRoute[], dropped: Dropped[]): Routing {
  const fresh = new Map(routes.map((route) => [route.vehicleId, route]))
  const kept = routing.routing.map((route) => fresh.get(route.vehicleId) ?? route)
  const known = new Set(kept.map(({ vehicleId }) => vehicleId))
  return { routing: [...kept, ...routes.filter(({ vehicleId }) => !known.has(vehicleId))], dropped }
}
