/**
 * The route planning problem and its plan, as plain values.
 *
 * Units: times in seconds on one clock that starts at midnight of the first day (they may exceed 24 hours),
 * distances in metres. The search only adds and compares them, so a benchmark may use any unit throughout.
 */

/** From and to, both inclusive. */
export type TimeSpan = readonly [from: number, to: number]

export type Visit = {
  readonly id: string
  /** Row of the matrices. */
  readonly location: number
  readonly serviceSeconds: number
  /** Spans in which service may start, ascending and disjoint; none means any time. */
  readonly windows: readonly TimeSpan[]
  /** When the customer expects it. Planning again leaves this span only where that pays; plans do not look at it. */
  readonly promised?: TimeSpan
  /** One number per capacity dimension, at least 0. */
  readonly demand: readonly number[]
  /** Every tag has to be on the vehicle. */
  readonly tags: readonly string[]
  /** Only this vehicle may serve the visit. */
  readonly vehicleId?: string
  /** Another vehicle may serve the visit, but that counts as much as a detour of some mean legs. */
  readonly preferredVehicleId?: string
  /** Visits of a group share a vehicle, or are all dropped. */
  readonly group?: string
  /** Inside the group a lower number is finished before a higher one starts. */
  readonly priority?: number
  /**
   * Id of the visit where its goods are loaded, earlier on the same trip, instead of at the hub. Its demand is on board
   * in between, and that of the pickup does not count. Both are served, or none.
   */
  readonly pickupId?: string
  /** Starts so long after the end of other visits, on any vehicle. Linked visits are served together, or none is. */
  readonly after?: readonly {
    readonly visitId: string
    readonly minSeconds: number
    readonly maxSeconds?: number
  }[]
  /** Starts at the same time as these visits, on vehicles of other owners: work for several people. */
  readonly togetherWith?: readonly string[]
  /** How many vehicles come at the same time; the layers make visits that start together of it. */
  readonly crew?: number
  /** Each window ends with so many seconds in which starting counts, and costs, as late. */
  readonly lateness?: { readonly seconds: number; readonly costPerSecond: number }
  /** A trip that carries the visit leaves the hub no earlier. */
  readonly releaseTime?: number
  /**
   * Weighted objective: cost of dropping the visit; without it a visit is dropped only if it must.
   * Otherwise: how many dropped visits it counts for, 1 unless given.
   */
  readonly dropCost?: number
  /** Days of a plan over several days on which it may be served, from 0; any day unless given. */
  readonly days?: readonly number[]
  /** Another day may serve the visit, but that counts as much as another vehicle than the preferred one. */
  readonly preferredDays?: readonly number[]
}

/** A pause of so many seconds somewhere within a span. */
export type FlexibleBreak = { readonly within: TimeSpan; readonly seconds: number }

export type Vehicle = {
  readonly id: string
  /** Several shifts of one vehicle carry the same owner: it counts, and costs, once. The default is the id. */
  readonly owner?: string
  readonly startLocation: number
  /** Null for an open route, which ends at its last visit. */
  readonly endLocation: number | null
  readonly shift: TimeSpan
  /** Fixed pauses inside the shift, ascending and disjoint: no service overlaps them, travel rests in them. */
  readonly breaks: readonly TimeSpan[]
  /** Pauses whose time is free. Once they are placed, `breaks` holds them too, and `fixedBreaks` the others. */
  readonly flexibleBreaks?: readonly FlexibleBreak[]
  readonly fixedBreaks?: readonly TimeSpan[]
  /** Days of the shift that it does not work, from 0. The layer of days makes `isOff` or pauses of them. */
  readonly daysOff?: readonly number[]
  /** It does not work at all. */
  readonly isOff?: boolean
  /** Most load per trip and dimension; Infinity for no limit. */
  readonly capacity: readonly number[]
  /** Least load per trip and dimension; missing it costs, but is allowed. */
  readonly minimumLoad: readonly number[]
  readonly tags: readonly string[]
  /** Cost of using it; with the lexicographic objective 0 to 100, a factor on the price of a vehicle. */
  readonly fixedCost: number
  /** Cost per unit of distance. */
  readonly distanceCost: number
  /** Cost per second from leaving to the end. */
  readonly secondCost?: number
  /** The last seconds of the shift are overtime, with a cost per second of their own. */
  readonly overtime?: { readonly seconds: number; readonly costPerSecond: number }
  /** Multiplies the duration matrix: 3.6 / speed in km/h when that matrix holds metres. */
  readonly durationFactor: number
  /** Stays at the hub between trips reload the vehicle. */
  readonly maxTrips: number
  /** From leaving the hub to the end, of the shortest day that keeps the order and the times of the visits. */
  readonly maxDuration?: number
  readonly maxDistance?: number
  /** The way back after the last visit may end after the shift. */
  readonly returnsAfterShift?: boolean
  /** May not use the restricted legs in their spans. */
  readonly restricted?: boolean
}

/**
 * `lexicographic`: dropped visits, then vehicles, then distance.
 * `cost`: dropped visits, then the sum of all costs of vehicles, distance, time, overtime and lateness.
 * `weighted`: the sum of these costs and of the drop costs.
 */
type Objective = {
  readonly kind: "lexicographic" | "cost" | "weighted"
  /** Lexicographic only: more vehicles at work are better, instead of fewer. */
  readonly useAllVehicles?: boolean
}

/** Soft requests about which visits share a vehicle. */
export type Shape = {
  /** Shares the number of visits, or their time on site and on the road, evenly over the vehicles. */
  readonly balance: "none" | "visits" | "hours"
  /** Area of each visit, or -1: visits of different areas avoid sharing a vehicle. */
  readonly areas?: readonly number[]
  /** How much one unpreferred area on a vehicle costs, in average legs. */
  readonly areaWeight?: number
}

type RestrictedLegs = {
  /** 1 where the leg from row to column crosses the restricted zone. */
  readonly legs: Uint8Array
  readonly spans: readonly TimeSpan[]
}

/** Metres, and seconds, of a leg where there is no way: more than any working day, so that nobody is sent there. */
export const noWay = 20_000_000

export type PlanProblem = {
  readonly locationCount: number
  /** Row by row, locationCount squared entries. */
  readonly distances: Float64Array
  /** Same shape; may be the same array. Multiplied by the vehicle's durationFactor. */
  readonly durations: Float64Array
  /** Per hour of the day, from midnight, how many times longer than the durations a drive takes: 24 numbers, at least 1. */
  readonly slowness?: readonly number[]
  readonly dimensions: number
  readonly visits: readonly Visit[]
  readonly vehicles: readonly Vehicle[]
  readonly objective: Objective
  readonly shape?: Shape
  readonly restrictedLegs?: RestrictedLegs
}

/** Visits and vehicles by their index in the problem. A vehicle without work has no entry. */
export type Plan = {
  readonly routes: readonly PlannedRoute[]
  readonly dropped: readonly number[]
}

export type PlannedRoute = {
  readonly vehicle: number
  /** One list of visits per trip, in order. */
  readonly trips: readonly (readonly number[])[]
}

/** Whether the vehicle works, and carries the tags and the pin of the visit. Its own id counts as a tag. */
export function vehicleSuits(vehicle: Vehicle, visit: Visit): boolean {
  if (vehicle.isOff === true) return false
  const owner = vehicle.owner ?? vehicle.id
  if (visit.vehicleId !== undefined && visit.vehicleId !== owner) return false
  return visit.tags.every((tag) => tag === owner || vehicle.tags.includes(tag))
}

/** Pickup and delivery pairs by index. A pickup that is not part of the problem makes no pair. */
export function pairsOf(visits: readonly Visit[]): readonly Pair[] {
  const known = pairsOfVisits.get(visits)
  if (known) return known
  const pairs = findPairs(visits)
  pairsOfVisits.set(visits, pairs)
  return pairs
}

type Pair = { readonly pickup: number; readonly delivery: number }

/** Routes are evaluated many times, and their visits never change. */
const pairsOfVisits = new WeakMap<readonly Visit[], readonly Pair[]>()

function findPairs(visits: readonly Visit[]): Pair[] {
  if (!visits.some(({ pickupId }) => pickupId !== undefined)) return []
  const indexOf = new Map(visits.map(({ id }, index) => [id, index]))
  return visits.flatMap(({ pickupId }, delivery) => {
    const pickup = pickupId === undefined ? undefined : indexOf.get(pickupId)
    return pickup === undefined ? [] : [{ pickup, delivery }]
  })
}

/** @throws RangeError for an entry that the problem does not have */
export function at<T>(list: readonly T[], index: number): T {
  const item = list[index]
  if (item === undefined) throw new RangeError(`plan names entry ${index}, which the problem does not have`)
  return item
}
