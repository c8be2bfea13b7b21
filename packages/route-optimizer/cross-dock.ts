import { sumOfLoads } from "./loads.ts"
import type { PlannedRoutes, PlanRequest } from "./plan-routes.ts"
import { planRoutes } from "./plan-routes.ts"
import type { PlanProblem, Vehicle, Visit } from "./problem/problem.ts"
import type { Progress, SolveOptions } from "./solve.ts"

/**
 * Two echelons: vehicles of the main hub carry goods to sub-hubs, vehicles of a sub-hub on to the visits.
 *
 * `all`: every visit goes over a sub-hub. `drop`: visits go directly, and only what no main-hub vehicle could
 * take goes over a sub-hub, on main-hub vehicles that may serve sub-hubs.
 */
export type CrossDockRequest = PlanRequest & {
  readonly type: "all" | "drop"
  readonly subHubs: readonly { readonly id: string; readonly location: number }[]
  /** Per vehicle: index of its sub-hub, -1 for the main hub. */
  readonly subHubOf: readonly number[]
  /** Per vehicle, for `drop`. */
  readonly servesSubHubs: readonly boolean[]
  readonly handoverSeconds: number
  /** Longest way of a sub-hub vehicle. */
  readonly subHubDistanceLimit?: number
}

/** Goods for some visits of one sub-hub, handed over as one visit of the first echelon. */
type Handover = {
  /** Id of the visit that stands for it in the first echelon. */
  readonly id: string
  readonly subHub: number
  /** Visits of the request. */
  readonly visits: readonly number[]
}

export type Echelon = PlannedRoutes & {
  /** Visit of the request for each visit that the echelon was given; -1 for a handover. */
  readonly requestVisits: readonly number[]
  /** Vehicle of the request for each vehicle that the echelon was given. */
  readonly requestVehicles: readonly number[]
}

export type CrossDocked = {
  /** From the main hub; absent when it has nothing to carry. */
  readonly first: Echelon | undefined
  /** From the sub-hubs. */
  readonly second: Echelon | undefined
  readonly handovers: readonly Handover[]
  /** Visits of the request that neither echelon serves. */
  readonly dropped: readonly number[]
}

/** Tags of this layer; no tag of a user starts with a space. */
const carrierTag = " serves sub-hubs"
const subHubTag = (subHub: number) => ` sub-hub ${subHub}`

export function planCrossDock(request: CrossDockRequest, options: SolveOptions): CrossDocked {
  const everyone = request.problem.visits.map((_, i) => i)
  if (request.type === "all") return overSubHubs(request, options, everyone, [])
  const direct = planEchelon(request, share(options, 0, 0.4), everyone, mainVehicles(request), [])
  const left = droppedVisits(direct)
  if (left.length === 0 || !request.subHubOf.some((subHub) => subHub >= 0)) {
    return { first: direct, second: undefined, handovers: [], dropped: left }
  }
  const isLeft = new Set(left)
  const rest = everyone.filter((i) => !isLeft.has(i))
  const docked = overSubHubs(request, share(options, 0.4, 1), left, rest)
  // Carrying for the sub-hubs must not cost more visits than it wins.
  return docked.dropped.length < left.length
    ? docked
    : { first: direct, second: undefined, handovers: [], dropped: left }
}

function overSubHubs(
  request: CrossDockRequest,
  options: SolveOptions,
  docked: readonly number[],
  direct: readonly number[],
): CrossDocked {
  const vehicles = request.subHubOf.flatMap((subHub, k) => (subHub >= 0 ? [k] : []))
  if (vehicles.length === 0) {
    const first =
      direct.length > 0 ? planEchelon(request, options, direct, mainVehicles(request), []) : undefined
    return {
      first,
      second: undefined,
      handovers: [],
      dropped: [...docked, ...(first ? droppedVisits(first) : [])],
    }
  }
  // Which sub-hub serves which visit, as if the goods were there already.
  const draft = planEchelon(request, share(options, 0, 0.3), docked, vehicles, [])
  const handovers = bundle(request, subHubsOf(request, draft))
  const first = planEchelon(request, share(options, 0.3, 0.6), direct, mainVehicles(request), handovers)
  const ready = readyTimes(first, handovers)
  const second = planEchelon(request, share(options, 0.6, 1), [...ready.keys()], vehicles, [], ready)
  const served = new Set([...servedVisits(first), ...servedVisits(second)])
  return {
    first,
    second,
    handovers,
    dropped: [...direct, ...docked].filter((i) => !served.has(i)).sort((a, b) => a - b),
  }
}

type Ready = ReadonlyMap<number, { readonly subHub: number; readonly time: number }>

function planEchelon(
  request: CrossDockRequest,
  options: SolveOptions,
  visitIndices: readonly number[],
  vehicleIndices: readonly number[],
  handovers: readonly Handover[],
  ready?: Ready,
): Echelon {
  const { problem } = request
  const visits: Visit[] = visitIndices.map((i) => {
    const visit = at(problem.visits, i)
    const goods = ready?.get(i)
    return goods
      ? { ...visit, releaseTime: goods.time, tags: [...visit.tags, subHubTag(goods.subHub)] }
      : visit
  })
  const vehicles = vehicleIndices.map((k): Vehicle => {
    const vehicle = at(problem.vehicles, k)
    const subHub = request.subHubOf[k] ?? -1
    if (subHub < 0) {
      const isCarrier = request.type === "all" || request.servesSubHubs[k] === true
      return isCarrier ? { ...vehicle, tags: [...vehicle.tags, carrierTag] } : vehicle
    }
    const limit = request.subHubDistanceLimit
    const limited =
      limit === undefined
        ? vehicle
        : { ...vehicle, maxDistance: Math.min(limit, vehicle.maxDistance ?? limit) }
    return { ...limited, tags: [...limited.tags, subHubTag(subHub)] }
  })
  const carried = handovers.map((handover) => handoverVisit(request, handover))
  const echelon: PlanProblem = { ...problem, visits: [...visits, ...carried], vehicles }
  const requestVisits = [...visitIndices, ...carried.map(() => -1)]
  if (echelon.visits.length === 0 || vehicles.length === 0) {
    return { ...nothing(echelon), requestVisits, requestVehicles: vehicleIndices }
  }
  const planned = planRoutes({ ...request, problem: echelon }, options)
  return { ...planned, requestVisits, requestVehicles: vehicleIndices }
}

function nothing(problem: PlanProblem): PlannedRoutes {
  const dropped = problem.visits.map((_, i) => i)
  return {
    problem,
    parts: dropped.map((parent) => ({ parent, number: 1, count: 1 })),
    plan: { routes: [], dropped },
    timetables: [],
    evaluation: {
      violations: [],
      ...{
        dropped: dropped.length,
        vehicles: 0,
        distance: 0,
        cost: 0,
        unpreferredVehicles: 0,
        unpreferredDays: 0,
      },
    },
    dropped: dropped.map((visit) => ({ visit, reason: "other" as const, help: [] })),
    idle: [],
    rounds: 0,
  }
}

/** Sub-hub of each visit that the draft serves. A split visit belongs to the sub-hub of its first part. */
function subHubsOf(request: CrossDockRequest, draft: Echelon): Map<number, number> {
  const result = new Map<number, number>()
  for (const { vehicle, trips } of draft.plan.routes) {
    const id = at(draft.problem.vehicles, vehicle)
    const k =
      draft.requestVehicles.find((k) => at(request.problem.vehicles, k).id === (id.owner ?? id.id)) ?? -1
    const subHub = request.subHubOf[k] ?? -1
    for (const i of trips.flat()) {
      const visit = requestVisit(draft, i)
      if (!result.has(visit)) result.set(visit, subHub)
    }
  }
  return result
}

/** Whole visits, as many together as the largest carrier takes in every dimension. */
function bundle(request: CrossDockRequest, subHubOf: ReadonlyMap<number, number>): Handover[] {
  const { problem } = request
  const carriers = mainVehicles(request).filter(
    (k) => request.type === "all" || request.servesSubHubs[k] === true,
  )
  const room = Array.from({ length: problem.dimensions }, (_, c) =>
    carriers.reduce(
      (most, k) => Math.max(most, problem.vehicles[k]?.capacity[c] ?? Number.POSITIVE_INFINITY),
      0,
    ),
  )
  const open: { subHub: number; visits: number[]; load: number[] }[] = []
  for (const [visit, subHub] of subHubOf) {
    const demand = room.map((_, c) => problem.visits[visit]?.demand[c] ?? 0)
    const fitting = open.find(
      (other) =>
        other.subHub === subHub &&
        demand.every((amount, c) => sumOfLoads([other.load[c] ?? 0, amount]) <= (room[c] ?? 0)),
    )
    if (fitting) {
      fitting.visits.push(visit)
      fitting.load = fitting.load.map((load, c) => sumOfLoads([load, demand[c] ?? 0]))
    } else open.push({ subHub, visits: [visit], load: demand })
  }
  return open.map(({ subHub, visits }, h) => ({ id: ` handover ${h + 1}`, subHub, visits }))
}

function handoverVisit(request: CrossDockRequest, { id, subHub, visits }: Handover): Visit {
  const { problem, subHubs, handoverSeconds } = request
  return {
    id,
    location: at(subHubs, subHub).location,
    serviceSeconds: handoverSeconds,
    windows: [],
    demand: Array.from({ length: problem.dimensions }, (_, c) =>
      sumOfLoads(visits.map((i) => problem.visits[i]?.demand[c] ?? 0)),
    ),
    tags: [carrierTag],
    dropCost: visits.length,
  }
}

/** When the goods of each visit have been handed over at its sub-hub. */
function readyTimes(first: Echelon, handovers: readonly Handover[]): Ready {
  const ready = new Map<number, { subHub: number; time: number }>()
  for (const stop of first.timetables.flatMap((table) => table.stops)) {
    const visit = first.problem.visits[stop.visit]
    const handover = handovers.find((other) => visit?.id === other.id || visit?.id.startsWith(`${other.id}#`))
    if (handover === undefined) continue
    for (const i of handover.visits) {
      const known = ready.get(i)?.time ?? Number.NEGATIVE_INFINITY
      ready.set(i, { subHub: handover.subHub, time: Math.max(known, stop.serviceEnd) })
    }
  }
  return ready
}

function requestVisit(echelon: Echelon, index: number): number {
  return echelon.requestVisits[echelon.parts[index]?.parent ?? -1] ?? -1
}

function servedVisits(echelon: Echelon): number[] {
  return echelon.plan.routes.flatMap(({ trips }) => trips.flat().map((i) => requestVisit(echelon, i)))
}

function droppedVisits(echelon: Echelon): number[] {
  return [...new Set(echelon.plan.dropped.map((i) => requestVisit(echelon, i)))].filter((i) => i >= 0)
}

function mainVehicles(request: CrossDockRequest): number[] {
  return request.subHubOf.flatMap((subHub, k) => (subHub < 0 ? [k] : []))
}

/** The part of the budget, and of the progress, between two shares. */
function share(options: SolveOptions, from: number, to: number): SolveOptions {
  const { budget, onProgress } = options
  const part = to - from
  return {
    ...options,
    budget: {
      ...(budget.rounds === undefined ? {} : { rounds: Math.ceil(budget.rounds * part) }),
      ...(budget.milliseconds === undefined ? {} : { milliseconds: budget.milliseconds * part }),
    },
    ...(onProgress
      ? {
          onProgress: (progress: Progress) =>
            onProgress({ ...progress, share: from + progress.share * part }),
        }
      : {}),
  }
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError(`there is no entry ${index}`)
  return item
}
