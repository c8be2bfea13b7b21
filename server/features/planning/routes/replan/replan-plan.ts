import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { routeTimetable } from "../../../../../packages/route-optimizer/evaluate/timetable.ts"
import { reviewPlan } from "../../../../../packages/route-optimizer/plan-routes.ts"
import { linksOf } from "../../../../../packages/route-optimizer/problem/links.ts"
import type {
  Plan,
  PlanProblem,
  TimeSpan,
  Vehicle,
  Visit,
} from "../../../../../packages/route-optimizer/problem/problem.ts"
import { pairsOf } from "../../../../../packages/route-optimizer/problem/problem.ts"
import { replan } from "../../../../../packages/route-optimizer/replan.ts"
import { tidyTimes } from "../../../../../packages/route-optimizer/search/tidy.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import { nodesOf, vehicleRoute } from "../adjust/route-nodes.ts"
import { plannedBreaks, withBreakOf } from "../plan/breaks.ts"
import { type BuiltProblem, buildProblem } from "../plan/build-problem.ts"
import type { InputVisit, RunInput } from "../plan/run-input.ts"
import { droppedEntry, isRestricted, unplannableOf } from "../plan/write-routing.ts"
import type { Dropped, RouteNode, Routing, VehicleRoute } from "../result-schemas.ts"
import { roadsOfPlan } from "../roads/plan-time.ts"
import { findTravel } from "../roads/travel.ts"
import { distanceMatrix } from "../roads/travel-matrix.ts"
import type { RunningRoute } from "./running-routes.ts"

/** What happened since the plan was made. Times in seconds of the plan's clock. */
export interface ReplanInputs {
  visits: readonly InputVisit[]
  cancelledVisitIds: ReadonlySet<string>
  pinnedVisitIds: ReadonlySet<string>
  /** Vehicles that take part no longer. */
  vehiclesOut: ReadonlySet<string>
  /** Vehicles that have to be back by a time. */
  endTimes: ReadonlyMap<string, number>
  delaySeconds: ReadonlyMap<string, number>
}

export interface ReplannedPlan {
  input: RunInput
  routing: Routing
  /** Of each vehicle before, without the changes but from now on; for comparison. */
  before: ReadonlyMap<string, { distance: number; seconds: number; visitIds: readonly string[] }>
  after: ReadonlyMap<string, { distance: number; seconds: number; visitIds: readonly string[] }>
  droppedIds: readonly string[]
  lateIds: readonly string[]
}

interface Frame {
  input: RunInput
  built: BuiltProblem
  problem: PlanProblem
  indexOf: ReadonlyMap<string, number>
}

/** Most planned visits on another vehicle afterwards, for each new one. */
const movedPerVisit = 2

/** Tag of vehicles that have not left the hub, and can still load goods. */
const loadable = "\u0000at-hub"

/** Plans a running day again: what is past stays, what is left is timed from now, and waiting visits find a vehicle. */
export async function replanRoutes(
  input: RunInput,
  routing: Routing,
  running: readonly RunningRoute[],
  { inputs, roads, signal }: { inputs: ReplanInputs; roads: RoadSupply; signal: AbortSignal },
): Promise<ReplannedPlan> {
  const next: RunInput = { ...input, visits: [...input.visits, ...inputs.visits] }
  const frame = await readFrame(next, running, inputs, roads, signal)
  const { problem, indexOf } = frame
  const isOut = (vehicleId: string) => inputs.vehiclesOut.has(vehicleId)
  const indices = (nodes: readonly RouteNode[]) =>
    nodes.flatMap(({ visitId }) =>
      inputs.cancelledVisitIds.has(visitId) ? [] : (indexOf.get(visitId) ?? []),
    )
  const planned = problem.vehicles.map(({ id }) => {
    const own = running.find(({ route }) => route.vehicleId === id)
    return own && !own.isFrozen ? indices(own.remaining) : []
  })
  const overflow = planned.flatMap((route, vehicle) =>
    takeWhatDoesNotFit(problem, vehicle, route, inputs.endTimes.has(problem.vehicles[vehicle]?.id ?? "")),
  )
  const routes = planned.map((route, vehicle) =>
    isOut(problem.vehicles[vehicle]?.id ?? "") ? [] : route.filter((visit) => !overflow.includes(visit)),
  )
  const leftBehind = planned.filter((_, vehicle) => isOut(problem.vehicles[vehicle]?.id ?? "")).flat()
  const dropped = routing.dropped.flatMap((visit) => indexOf.get(visit.visitId ?? visit.id) ?? [])
  const fresh = inputs.visits.flatMap(({ id }) => indexOf.get(id) ?? [])
  // A delay may have to move everything that it makes late.
  const isDelayed = inputs.delaySeconds.size > 0
  const cause = fresh.length + leftBehind.length + overflow.length
  const before = {
    problem,
    routes,
    waiting: [...leftBehind, ...overflow, ...fresh, ...dropped],
    kept: keptVisits(frame, running, inputs.pinnedVisitIds),
    frozen: new Set(
      problem.vehicles.flatMap(({ id }, vehicle) =>
        isOut(id) || running.some(({ route, isFrozen }) => isFrozen && route.vehicleId === id) ? vehicle : [],
      ),
    ),
  }
  const result = replan(before, isDelayed ? {} : { maxMovedInAll: movedPerVisit * Math.max(1, cause) })
  return writeReplanned(frame, routing, running, { planned, result, inputs })
}

/** From the end, what keeps a vehicle that has to be back early from being so. */
function takeWhatDoesNotFit(
  problem: PlanProblem,
  vehicle: number,
  route: readonly number[],
  isEarly: boolean,
): number[] {
  const end = problem.vehicles[vehicle]?.shift[1] ?? 0
  let fitting = [...route]
  const finish = () => routeTimetable(problem, { vehicle, trips: [fitting] }).stops.at(-1)?.serviceEnd ?? 0
  while (isEarly && fitting.length > 0 && finish() > end) fitting = fitting.slice(0, -1)
  return route.slice(fitting.length)
}

async function readFrame(
  input: RunInput,
  running: readonly RunningRoute[],
  inputs: ReplanInputs,
  roads: RoadSupply,
  signal: AbortSignal,
): Promise<Frame> {
  const open = new Set([...running.flatMap(({ remaining }) => remaining.map(({ visitId }) => visitId))])
  const past = new Set(running.flatMap((own) => own.past.map(({ visitId }) => visitId)))
  const visits = input.visits.flatMap(({ id }, index) =>
    inputs.cancelledVisitIds.has(id) || (past.has(id) && !open.has(id)) ? [] : index,
  )
  const built = buildProblem(input, { visits })
  const places = new Map(running.map(({ route, position }) => [route.vehicleId, position]))
  const positions: LngLat[] = [...built.positions]
  const startOf = new Map<string, number>()
  for (const [vehicleId, position] of places)
    if (position) startOf.set(vehicleId, positions.push(position) - 1)
  const travel = await findTravel(positions, input.settings, roadsOfPlan(roads, input), signal)
  const matrix = travel.matrices ? undefined : distanceMatrix(positions)
  const none = new Float64Array(0)
  const vehicles = built.problem.vehicles.map(({ flexibleBreaks: _, ...vehicle }): Vehicle => {
    const own = running.find(({ route }) => route.vehicleId === vehicle.id)
    const delay = inputs.delaySeconds.get(vehicle.id) ?? 0
    const ready = Math.max(own?.hasBegun ? 0 : vehicle.shift[0], own?.readyAt ?? 0) + delay
    const end = inputs.endTimes.get(vehicle.id) ?? vehicle.shift[1]
    return {
      ...vehicle,
      ...(travel.hasOwnTimes ? { durationFactor: 1 } : {}),
      startLocation: startOf.get(vehicle.id) ?? vehicle.startLocation,
      shift: [ready, Math.max(ready, end)],
      breaks: [...vehicle.breaks, ...breaksOf(own, vehicle)].filter(([, to]) => to > ready),
      ...(vehicle.daysOff?.includes(0) ? { isOff: true } : {}),
      maxTrips: 1,
      // What is left of the day has no least load.
      minimumLoad: vehicle.minimumLoad.map(() => 0),
      tags: own?.hasBegun ? vehicle.tags : [...vehicle.tags, loadable],
    }
  })
  const isFresh = new Set(inputs.visits.map(({ id }) => id))
  const problem = tidyTimes({
    ...built.problem,
    locationCount: positions.length,
    distances: travel.matrices?.distances ?? matrix ?? none,
    durations: travel.matrices?.durations ?? matrix ?? none,
    vehicles,
    visits: withoutPastPickups(built.problem.visits).map(
      (visit): Visit =>
        isFresh.has(visit.id) && visit.pickupId === undefined && visit.demand.some((amount) => amount > 0)
          ? { ...visit, tags: [...visit.tags, loadable] }
          : visit,
    ),
  })
  return { input, built, problem, indexOf: new Map(problem.visits.map(({ id }, index) => [id, index])) }
}

/** The flexible break of a running vehicle, where its plan has put it. */
function breaksOf(own: RunningRoute | undefined, { shift }: Vehicle): TimeSpan[] {
  return plannedBreaks(own?.route)
    .filter(([, to]) => to > shift[0])
    .slice(0, 1)
}

/** Goods whose pickup is done are on board, like those from the hub. */
function withoutPastPickups(visits: readonly Visit[]): Visit[] {
  const open = new Set(visits.map(({ id }) => id))
  return visits.map(({ pickupId, ...visit }) =>
    pickupId !== undefined && open.has(pickupId) ? { ...visit, pickupId } : visit,
  )
}

/** Pinned by the caller, on board, an end of a pair, linked with others, or one of a group that shares a vehicle. */
function keptVisits(
  { problem, indexOf }: Frame,
  running: readonly RunningRoute[],
  pinned: ReadonlySet<string>,
): ReadonlySet<number> {
  const paired = new Set([
    ...pairsOf(problem.visits).flatMap(({ pickup, delivery }) => [pickup, delivery]),
    ...linksOf(problem.visits).flatMap(({ first, second }) => [first, second]),
  ])
  const kept = [...pinned].flatMap((id) => indexOf.get(id) ?? [])
  for (const { hasBegun, remaining } of running)
    for (const { visitId } of remaining) {
      const index = indexOf.get(visitId)
      const visit = problem.visits[index ?? -1]
      if (index === undefined || !visit) continue
      const isOnBoard = hasBegun && visit.demand.some((amount) => amount > 0)
      const isPaired = paired.has(index)
      if (isOnBoard || isPaired || visit.group !== undefined) kept.push(index)
    }
  return new Set(kept)
}

interface Outcome {
  planned: readonly (readonly number[])[]
  result: ReturnType<typeof replan>
  inputs: ReplanInputs
}

function writeReplanned(
  { input, built, problem }: Frame,
  routing: Routing,
  running: readonly RunningRoute[],
  { planned, result, inputs }: Outcome,
): ReplannedPlan {
  const plan: Plan = {
    routes: result.routes.flatMap((route, vehicle) => (route.length > 0 ? { vehicle, trips: [route] } : [])),
    dropped: result.dropped,
  }
  const { timetables, evaluation } = reviewPlan(problem, plan)
  const visitAt = (index: number) => input.visits[built.visitIndices[index] ?? -1]
  const timed = {
    problem,
    timetables,
    dimensions: built.dimensions,
    visitOf: visitAt,
    partOf: () => undefined,
  }
  const routes = running.map((own): VehicleRoute => {
    const vehicle = input.vehicles.find(({ id }) => id === own.route.vehicleId)
    if (!vehicle || own.isFrozen) return own.route
    const nodes = nodesOf(input, vehicle, timed)
    const left = own.hasBegun ? nodes.slice(1) : nodes
    // Only the way back is left.
    if (own.remaining.length === 0 && left.length === 0) return own.route
    const trips = [...own.past, ...left].map((node, order) => ({ ...node, order }))
    return vehicleRoute(
      withBreakOf(vehicle, own.route),
      trips,
      built.dimensions,
      isRestricted(input, vehicle),
    )
  })
  const droppedIds = result.dropped.flatMap((index) => visitAt(index)?.id ?? [])
  const stillDropped = routing.dropped.filter(({ id, visitId }) => droppedIds.includes(visitId ?? id))
  const newlyDropped = result.dropped.flatMap((index): Dropped[] => {
    const id = visitAt(index)?.id
    if (stillDropped.some((visit) => (visit.visitId ?? visit.id) === id)) return []
    return droppedEntry(input, built.visitIndices[index] ?? -1, "other", [])
  })
  const kept = { ...input, visits: input.visits.filter(({ id }) => !inputs.cancelledVisitIds.has(id)) }
  const sums = (all: readonly (readonly number[])[]) =>
    new Map(
      problem.vehicles.map(({ id }, vehicle) => {
        const route = all[vehicle] ?? []
        const table = route.length > 0 ? routeTimetable(problem, { vehicle, trips: [route] }) : undefined
        return [
          id,
          {
            distance: table?.distance ?? 0,
            seconds: table?.stops.reduce((sum, { travelSeconds }) => sum + travelSeconds, 0) ?? 0,
            visitIds: route.flatMap((index) => visitAt(index)?.id ?? []),
          },
        ]
      }),
    )
  return {
    input: kept,
    routing: {
      routing: routes,
      dropped: [
        ...stillDropped,
        ...newlyDropped,
        ...built.unplannable.flatMap((i) => droppedEntry(input, i, unplannableOf(input, i), [])),
      ],
    },
    before: sums(planned),
    after: sums(result.routes),
    droppedIds,
    lateIds: evaluation.violations.flatMap(({ kind, visit }) =>
      kind === "timeWindow" && visit !== undefined ? (visitAt(visit)?.id ?? []) : [],
    ),
  }
}
