import type { LinkGroup } from "./links.ts"
import type { Pace } from "./pace.ts"
import type { PlanProblem } from "./problem.ts"

/**
 * The problem as the search reads it: typed arrays over dense indices, no strings and no options.
 *
 * Nodes: visits 0..visitCount-1, then the hubs, then `nowhere`, at distance 0 of everything, where open
 * routes end. Slots: trip t of vehicle k is slot k * maxTrips + t. The arrays are read inside their bounds
 * everywhere; `as number` states this to the compiler without a run-time check.
 */
export type Model = {
  readonly problem: PlanProblem
  readonly visitCount: number
  readonly vehicleCount: number
  readonly nodeCount: number
  readonly dimensions: number
  readonly maxTrips: number
  readonly distance: Float64Array
  readonly duration: Float64Array
  /** Distances and durations read the same in both directions between visits and hubs. */
  readonly symmetric: boolean

  readonly service: Float64Array
  /** The first and last start of service. Of linked visits the search narrows them while they are placed. */
  readonly open: Float64Array
  readonly close: Float64Array
  readonly release: Float64Array
  /** Pairs of from and to; those of visit i start at windowStart[i]. */
  readonly windows: Float64Array
  readonly windowStart: Int32Array
  /** visit * dimensions + dimension */
  readonly demand: Float64Array
  /** The other visit of a pickup and delivery pair, or -1. */
  readonly partner: Int32Array
  /** 1 for a pickup, -1 for the delivery of one, 0 for a visit that is served from the hub. */
  readonly role: Int8Array
  readonly hasPairs: boolean
  /** Index of the visit's group in linkGroups, or -1. */
  readonly linkGroup: Int32Array
  readonly linkGroups: readonly LinkGroup[]
  readonly hasLinks: boolean
  /** Demand relative to the largest capacity, for sorting. */
  readonly size: Float64Array
  /** Price of leaving the visit out. */
  readonly dropCost: Float64Array
  /** 1 when the visit has to be served if it can. */
  readonly mandatory: Uint8Array
  readonly group: Int32Array
  readonly groupMembers: readonly Int32Array[]
  readonly priority: Int32Array
  /** 1 when the visit needs the rich insertion: a group with an order, or a release time. */
  readonly ordered: Uint8Array

  readonly startNode: Int32Array
  readonly endNode: Int32Array
  readonly shiftStart: Float64Array
  readonly shiftEnd: Float64Array
  /** Latest arrival at the end of the route. */
  readonly returnBy: Float64Array
  readonly capacity: Float64Array
  readonly minimumLoad: Float64Array
  readonly tripLimit: Int32Array
  readonly maxDuration: Float64Array
  readonly maxDistance: Float64Array
  readonly fixedCost: Float64Array
  readonly distanceCost: Float64Array
  readonly durationFactor: Float64Array
  readonly secondCost: Float64Array
  /** From this time on, a vehicle at work costs overtime. */
  readonly overtimeStart: Float64Array
  readonly overtimeCost: Float64Array
  /** Seconds at the end of every window that count as late, and what each of them costs. */
  readonly lateSeconds: Float64Array
  readonly lateCost: Float64Array
  readonly hasTimeCosts: boolean
  /** Where driving takes longer in some hours, and the pauses in its progress. */
  readonly pace: Pace | undefined
  readonly pausesOnRoad: Float64Array
  readonly pauses: Float64Array
  readonly pauseStart: Int32Array
  readonly restricted: Uint8Array
  readonly owner: Int32Array
  readonly ownerCount: number
  /** Indistinguishable vehicles share a kind, so only one empty vehicle of each is tried. */
  readonly kind: Int32Array
  readonly kindMembers: readonly Int32Array[]
  /** Per kind, the kinds that differ only in capacity and price: a route moves there as it is. */
  readonly siblings: readonly Int32Array[]
  readonly hasSiblings: boolean
  /** visit * vehicleCount + vehicle */
  readonly allowed: Uint8Array

  readonly restrictedLeg: Uint8Array | undefined
  readonly restrictedSpans: Float64Array

  /** visit * neighbourCount + rank: the other visits, nearest first. */
  readonly neighbours: Uint16Array
  readonly neighbourCount: number
  /** visit * nearCount + rank: those that are most likely served right before or behind it, by way and by time. */
  readonly nearVisits: Uint16Array
  readonly nearCount: number

  readonly balanceWeight: number
  /** What each visit counts where work is shared evenly, 1 in the mean. */
  readonly share: Float64Array
  readonly area: Int32Array
  readonly areaCount: number
  readonly areaWeight: number
  /** Owner that should serve the visit, or -1, and what any other one costs. */
  readonly preferredOwner: Int32Array
  readonly hasPreferences: boolean
  readonly unpreferredWeight: number
  readonly shortfallWeight: number
  /** Mean length of a leg between near visits: the scale of soft terms. */
  readonly legScale: number

  readonly hasWindows: boolean
  /** Some visit or shift limits time at all. */
  readonly timed: boolean
  /** Several windows, pauses, restricted legs or slow hours: times need the functions of times.ts. */
  readonly richTimes: boolean
  readonly hasDurationLimit: boolean
  readonly hasDistanceLimit: boolean
  readonly hasMinimumLoad: boolean
  readonly hasReleases: boolean
  readonly hasGroups: boolean
}
