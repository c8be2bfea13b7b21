import type { Model } from "../problem/model.ts"

/**
 * A problem of one kind of vehicle in which only loads bound the routes. Places are the visits 0..visitCount-1 and, as the
 * last one, the hub, which has the way of the start in its row and that of the end in its column.
 */
export type Capacitated = {
  readonly visitCount: number
  readonly routeCount: number
  /** from * (visitCount + 1) + to, in units of cost */
  readonly distance: Float64Array
  readonly isSymmetric: boolean
  /** A change of cost that may be rounding. */
  readonly tolerance: number
  readonly demand: Float64Array
  readonly capacity: number
  /** Those near to visit i, or to which it is near, begin at nearStart[i]. */
  readonly near: Uint16Array
  readonly nearStart: Int32Array
  /** visit * closestCount + rank: the closest visits. */
  readonly closest: Uint16Array
  readonly closestCount: number
  /** Where visits lie as seen from the hub, read from the distances. */
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Neighbours of a visit beside which it may move. */
const nearLimit = 20
/** Closest visits whose routes pass near enough to exchange a visit. */
const closestLimit = 5
/** Routes beyond those that a plan has or the loads need, at most. */
const spareRoutes = (routes: number) => Math.ceil(0.3 * routes) + 3
const relativeTolerance = 1e-9

/** Whether loads alone bound the routes, and all vehicles and costs are of one kind. */
export function isCapacitated(model: Model): boolean {
  const isPlain = !(
    model.timed ||
    model.hasLinks ||
    model.hasPairs ||
    model.hasGroups ||
    model.hasDistanceLimit ||
    model.hasMinimumLoad ||
    model.hasPreferences
  )
  const isOfOneKind =
    model.kindMembers.length === 1 &&
    model.areaCount === 0 &&
    model.balanceWeight === 0 &&
    model.ownerCount === model.vehicleCount &&
    (model.fixedCost[0] as number) >= 0
  const isWhole = model.maxTrips === 1 && !model.mandatory.includes(0) && !model.allowed.includes(0)
  return isPlain && isOfOneKind && isWhole && model.dimensions === 1
}

/** @param usedCount routes of the plans to begin with, at most */
export function capacitatedOf(model: Model, usedCount: number, vehicleLimit: number): Capacitated {
  const { visitCount: n, nodeCount } = model
  const unit = model.distanceCost[0] as number
  const start = model.startNode[0] as number
  const end = model.endNode[0] as number
  const width = n + 1
  const distance = new Float64Array(width * width)
  // The search for fewer vehicles has been before, where they come first.
  const fixed = model.problem.objective.kind === "lexicographic" ? 0 : (model.fixedCost[0] as number)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) distance[i * width + j] = (model.distance[i * nodeCount + j] as number) * unit
    distance[n * width + i] = (model.distance[start * nodeCount + i] as number) * unit + fixed / 2
    distance[i * width + n] = (model.distance[i * nodeCount + end] as number) * unit + fixed / 2
  }
  const capacity = model.capacity[0] as number
  const demand = model.demand.reduce((sum, one) => sum + one, 0)
  const needed = demand > 0 ? Math.ceil(demand / capacity) : 0
  const routes = Math.max(usedCount, needed)
  return {
    visitCount: n,
    routeCount: Math.max(usedCount, Math.min(vehicleLimit, routes + spareRoutes(routes), n)),
    distance,
    isSymmetric: model.symmetric && start === end,
    tolerance: distance.reduce((most, value) => Math.max(most, value), 0) * relativeTolerance,
    demand: model.demand,
    capacity,
    ...nearEachOther(model),
    ...closestOf(model),
    ...seenFromHub(distance, n),
  }
}

function closestOf({ visitCount, neighbours, neighbourCount }: Model) {
  const closestCount = Math.min(closestLimit, neighbourCount)
  const closest = new Uint16Array(visitCount * closestCount)
  for (let i = 0; i < visitCount; i++) {
    for (let rank = 0; rank < closestCount; rank++)
      closest[i * closestCount + rank] = neighbours[i * neighbourCount + rank] as number
  }
  return { closest, closestCount }
}

function nearEachOther({ visitCount, neighbours, neighbourCount }: Model) {
  const lists = Array.from({ length: visitCount }, () => new Set<number>())
  for (let i = 0; i < visitCount; i++) {
    for (let rank = 0; rank < Math.min(nearLimit, neighbourCount); rank++) {
      const j = neighbours[i * neighbourCount + rank] as number
      lists[i]?.add(j)
      lists[j]?.add(i)
    }
  }
  const nearStart = new Int32Array(visitCount + 1)
  lists.forEach((list, i) => {
    nearStart[i + 1] = (nearStart[i] as number) + list.size
  })
  return { near: Uint16Array.from(lists.flatMap((list) => [...list])), nearStart }
}

/** Projections on the way from the hub to the farthest visit, and to the one that lies farthest from that line. */
function seenFromHub(distance: Float64Array, n: number) {
  const width = n + 1
  const fromHub = (i: number) => distance[n * width + i] as number
  const along = (axis: number) =>
    Float64Array.from({ length: n }, (_, i) => {
      const length = Math.max(fromHub(axis), 1e-9)
      return (fromHub(i) ** 2 + length ** 2 - (distance[i * width + axis] as number) ** 2) / (2 * length)
    })
  const farthest = (key: (i: number) => number) => {
    let best = 0
    for (let i = 1; i < n; i++) if (key(i) > key(best)) best = i
    return best
  }
  const x = along(farthest(fromHub))
  const y = along(farthest((i) => fromHub(i) ** 2 - (x[i] as number) ** 2))
  return { x, y }
}
