import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { daySeconds, spreadOverDays } from "../../../../../packages/route-optimizer/problem/days.ts"
import { linksOf } from "../../../../../packages/route-optimizer/problem/links.ts"
import type {
  PlanProblem,
  TimeSpan,
  Vehicle,
  Visit,
} from "../../../../../packages/route-optimizer/problem/problem.ts"
import { pairsOf } from "../../../../../packages/route-optimizer/problem/problem.ts"
import { splitVisits, type VisitPart } from "../../../../../packages/route-optimizer/search/split.ts"
import { tidyTimes } from "../../../../../packages/route-optimizer/search/tidy.ts"
import type { RoadSupply } from "../../../location/roads/index.ts"
import { nodesOf, vehicleRoute } from "../adjust/route-nodes.ts"
import { plannedBreaks, withBreakOf } from "../plan/breaks.ts"
import { type BuiltProblem, buildProblem } from "../plan/build-problem.ts"
import { isLinked } from "../plan/links.ts"
import { replanInWorker } from "../plan/plan-in-worker.ts"
import type { InputVisit, RunInput } from "../plan/run-input.ts"
import { droppedEntry, isRestricted, unplannableOf } from "../plan/write-routing.ts"
import type { Dropped, RouteNode, Routing, VehicleRoute } from "../result-schemas.ts"
import { roadsOfPlan } from "../roads/plan-time.ts"
import { findTravel } from "../roads/travel.ts"
import { afterPastVisits, partAt, partsOf, withoutPastPickups } from "./open-visits.ts"
import type { ReplannedDay } from "./replan-day.ts"
import { type RunningRoute, withDrivenLeg } from "./running-routes.ts"

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
  /** Whether workers and customers know the plan. */
  isDispatched: boolean
}

export interface ReplannedPlan {
  input: RunInput
  routing: Routing
  /** Of each vehicle before, without the changes but from now on; for comparison. */
  before: ReadonlyMap<string, { distance: number; seconds: number; visitIds: readonly string[] }>
  after: ReadonlyMap<string, { distance: number; seconds: number; visitIds: readonly string[] }>
  droppedIds: readonly string[]
  lateIds: readonly string[]
  /** Visits that are reached at another time than promised. */
  brokenPromiseIds: readonly string[]
}

interface Frame {
  input: RunInput
  built: BuiltProblem
  problem: PlanProblem
  /** Of each location, where the problem has no matrices. */
  positions: readonly LngLat[] | undefined
  indexOf: ReadonlyMap<string, number>
  /** Of each visit of the problem: its visit of `built`, or for which of its people it is. */
  parts: readonly VisitPart[]
}

/** Tag of vehicles that have not left the hub, and can still load goods. */
const loadable = "\u0000at-hub"

/** Plans a running day again: what is past stays, what is left is timed from now, and waiting visits find a vehicle. */
export async function replanRoutes(
  input: RunInput,
  routing: Routing,
  running: readonly RunningRoute[],
  {
    organizationId,
    inputs,
    roads,
    signal,
  }: { organizationId: string; inputs: ReplanInputs; roads: RoadSupply; signal: AbortSignal },
): Promise<ReplannedPlan> {
  const told = promisedVisits(input, running, inputs.isDispatched)
  const next: RunInput = { ...input, visits: [...told, ...inputs.visits] }
  const frame = await readFrame(next, running, inputs, roads, signal)
  const { problem, positions, indexOf } = frame
  const indices = (nodes: readonly RouteNode[]) =>
    nodes.flatMap((node) => (inputs.cancelledVisitIds.has(node.visitId) ? [] : (partAt(indexOf, node) ?? [])))
  const planned = problem.vehicles.map(({ id }) => {
    const own = running.find(({ route }) => route.vehicleId === id)
    return own && !isLeftAsItIs(own, inputs) ? indices(own.remaining) : []
  })
  const placed = new Set(planned.flat())
  const vehiclesWhere = (matches: (vehicleId: string) => boolean) =>
    new Set(problem.vehicles.flatMap(({ id }, vehicle) => (matches(id) ? vehicle : [])))
  const request = {
    problem,
    planned,
    out: vehiclesWhere((id) => inputs.vehiclesOut.has(id)),
    early: vehiclesWhere((id) => inputs.endTimes.has(id)),
    frozen: vehiclesWhere((id) =>
      running.some((own) => own.route.vehicleId === id && isLeftAsItIs(own, inputs)),
    ),
    kept: keptVisits(frame, running, inputs.pinnedVisitIds),
    fresh: partsOf(frame, new Set(inputs.visits.map(({ id }) => id))),
    dropped: partsOf(frame, new Set(routing.dropped.map(({ id, visitId }) => visitId ?? id))).filter(
      (index) => !placed.has(index),
    ),
    isDelayed: inputs.delaySeconds.size > 0,
  }
  const job = { kind: "replan" as const, request, ...(positions ? { positions } : {}) }
  const replanned = await replanInWorker(job, { organizationId, signal })
  return writeReplanned(frame, routing, running, { replanned, inputs })
}

/** A vehicle that takes part no longer gives away what it has, even what cannot be planned again. */
function isLeftAsItIs({ isFrozen, route }: RunningRoute, { vehiclesOut }: ReplanInputs): boolean {
  return isFrozen && !vehiclesOut.has(route.vehicleId)
}

/** The customers of a dispatched plan know when somebody comes: what a visit was first dispatched with is its promise. */
function promisedVisits(
  input: RunInput,
  running: readonly RunningRoute[],
  isDispatched: boolean,
): readonly InputVisit[] {
  if (!isDispatched) return input.visits
  const etas = new Map(
    running.flatMap(({ remaining }) => remaining.map(({ visitId, eta }) => [visitId, eta] as const)),
  )
  return input.visits.map((visit) => {
    const eta = visit.promisedTime ?? etas.get(visit.id)
    return eta ? { ...visit, promisedTime: eta } : visit
  })
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
  const patience = AbortSignal.any([signal, AbortSignal.timeout(20_000)])
  const travel = await findTravel(positions, input.settings, roadsOfPlan(roads, input), patience)
  // Nights are pauses, and windows return every day, also where each day of the plan begins at the hub.
  const daily = spreadOverDays(built.problem, "last visit")
  const vehicles = daily.vehicles.map(({ flexibleBreaks: _, ...vehicle }): Vehicle => {
    const own = running.find(({ route }) => route.vehicleId === vehicle.id)
    const delay = inputs.delaySeconds.get(vehicle.id) ?? 0
    const ready = Math.max(own?.hasBegun ? 0 : vehicle.shift[0], own?.readyAt ?? 0) + delay
    const end = homeBy(inputs.endTimes.get(vehicle.id), vehicle, ready) ?? vehicle.shift[1]
    return {
      ...vehicle,
      ...(travel.hasOwnTimes ? { durationFactor: 1 } : {}),
      startLocation: startOf.get(vehicle.id) ?? vehicle.startLocation,
      shift: [ready, Math.max(ready, end)],
      breaks: [...vehicle.breaks, ...breaksOf(own, vehicle)].filter(([, to]) => to > ready),
      maxTrips: 1,
      // What is left of the day has no least load.
      minimumLoad: vehicle.minimumLoad.map(() => 0),
      tags: own?.hasBegun ? vehicle.tags : [...vehicle.tags, loadable],
    }
  })
  const timed = { ...built.problem, locationCount: positions.length, ...travel.matrices, vehicles }
  const adapted = afterPastVisits(withoutPastPickups(daily.visits), running)
  const { problem: whole, parts } = splitVisits(tidyTimes({ ...timed, visits: adapted }), "none")
  const isFresh = new Set(inputs.visits.map(({ id }) => id))
  const problem = {
    ...whole,
    // Of several people, the one who brings the goods.
    visits: whole.visits.map(
      (visit): Visit =>
        isFresh.has(visit.id) && visit.pickupId === undefined && visit.demand.some((amount) => amount > 0)
          ? { ...visit, tags: [...visit.tags, loadable] }
          : visit,
    ),
  }
  return {
    input,
    built,
    problem,
    parts,
    positions: travel.matrices ? undefined : positions,
    indexOf: new Map(problem.visits.map(({ id }, index) => [id, index])),
  }
}

/** A time of the day that it is, or of the morning after in a night shift. */
function homeBy(clock: number | undefined, { shift }: Vehicle, now: number): number | undefined {
  if (clock === undefined) return undefined
  const today = clock + Math.floor(now / daySeconds) * daySeconds
  const isNightShift = shift[0] % daySeconds > shift[1] % daySeconds
  return isNightShift && today < now ? today + daySeconds : today
}

/** The flexible break of a running vehicle, where its plan has put it; the same on every day. */
function breaksOf(own: RunningRoute | undefined, { shift }: Vehicle): TimeSpan[] {
  const [first] = plannedBreaks(own?.route).filter(([, to]) => to > shift[0])
  if (!first) return []
  const days = Math.max(1, Math.ceil((shift[1] - first[0]) / daySeconds))
  return Array.from({ length: days }, (_, d) => [first[0] + d * daySeconds, first[1] + d * daySeconds])
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
    for (const node of remaining) {
      const index = partAt(indexOf, node)
      const visit = problem.visits[index ?? -1]
      if (index === undefined || !visit) continue
      const isOnBoard = hasBegun && visit.demand.some((amount) => amount > 0)
      const isPaired = paired.has(index)
      if (isOnBoard || isPaired || visit.group !== undefined) kept.push(index)
    }
  return new Set(kept)
}

function writeReplanned(
  { input, built, problem, parts }: Frame,
  routing: Routing,
  running: readonly RunningRoute[],
  { replanned, inputs }: { replanned: ReplannedDay; inputs: ReplanInputs },
): ReplannedPlan {
  const { timetables, dropped, late } = replanned
  const inputIndex = (index: number) => built.visitIndices[parts[index]?.parent ?? -1] ?? -1
  const visitAt = (index: number) => input.visits[inputIndex(index)]
  const timed = {
    problem,
    timetables,
    dimensions: built.dimensions,
    visitOf: visitAt,
    partOf: (index: number) => parts[index],
  }
  const routes = running.map((own): VehicleRoute => {
    const vehicle = input.vehicles.find(({ id }) => id === own.route.vehicleId)
    if (!vehicle || isLeftAsItIs(own, inputs)) return own.route
    const nodes = nodesOf(input, vehicle, timed)
    const left = own.hasBegun ? withDrivenLeg(nodes.slice(1), own) : nodes
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
  const idsOf = (indices: readonly number[]) => [
    ...new Set(indices.flatMap((index) => visitAt(index)?.id ?? [])),
  ]
  const droppedIds = idsOf(dropped)
  const stillDropped = routing.dropped.filter(({ id, visitId }) => droppedIds.includes(visitId ?? id))
  const amounts = (read: (name: string, dimension: number) => unknown) =>
    Object.fromEntries(built.dimensions.map((name, c) => [name, Number(read(name, c) ?? 0)]))
  /** The part of a load that a broken vehicle had, or of a visit for several people when others still come. */
  const lostPartOf = (index: number, id: string) => {
    const { number, count, parent } = parts[index] ?? { number: 1, count: 1, parent: -1 }
    const isAlone = count > 1 && dropped.filter((other) => parts[other]?.parent === parent).length < count
    if (isAlone)
      return {
        splitNumber: `${number}/${count}`,
        capacity: amounts((_, c) => problem.visits[index]?.demand[c]),
      }
    const nodes = running.filter(({ route, isFrozen }) => isFrozen && inputs.vehiclesOut.has(route.vehicleId))
    const node = nodes.flatMap(({ remaining }) => remaining).find(({ visitId }) => visitId === id)
    if (count > 1 || typeof node?.splitNumber !== "string") return undefined
    return { splitNumber: node.splitNumber, capacity: amounts((name) => node[name]) }
  }
  const isNew = (id: string) => !stillDropped.some((other) => (other.visitId ?? other.id) === id)
  const newlyDropped = droppedIds.filter(isNew).flatMap((id): Dropped[] => {
    const index = dropped.find((one) => visitAt(one)?.id === id) ?? -1
    const visit = visitAt(index)
    const reason = visit && isLinked(visit) ? "link" : "other"
    return droppedEntry(input, inputIndex(index), reason, [], lostPartOf(index, id))
  })
  const kept = { ...input, visits: input.visits.filter(({ id }) => !inputs.cancelledVisitIds.has(id)) }
  const byVehicle = (routes: ReplannedDay["before"]) =>
    new Map(
      problem.vehicles.map(({ id }, vehicle) => {
        const { distance = 0, seconds = 0, visits = [] } = routes[vehicle] ?? {}
        return [id, { distance, seconds, visitIds: idsOf(visits) }]
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
    before: byVehicle(replanned.before),
    after: byVehicle(replanned.after),
    droppedIds,
    lateIds: idsOf(late),
    brokenPromiseIds: timetables.flatMap(({ stops }) =>
      stops.flatMap(({ visit, arrival }) => {
        const promised = problem.visits[visit]?.promised
        const isKept = !promised || (arrival >= promised[0] && arrival <= promised[1])
        return isKept ? [] : (visitAt(visit)?.id ?? [])
      }),
    ),
  }
}
