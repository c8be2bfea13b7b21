import { headOf, type RoadNetwork } from "./network.ts"
import { isMotorized, type Mode, modes, type RoadClass, roadClasses } from "./tags/modes.ts"
import { roadFlags } from "./tags/read-way.ts"

/** What a journey is made with. Every combination has shortest paths of its own. */
export interface TravelOptions {
  mode: Mode
  avoidTolls?: boolean
  avoidFerries?: boolean
  avoidMotorways?: boolean
  /** Metres and tonnes: where a sign allows less, the vehicle does not go. */
  vehicle?: { height?: number; width?: number; length?: number; weight?: number }
  /** Factors on the speed of each class of roads: 0.5 doubles the time. See `speeds/speed-history.ts`. */
  speedFactors?: Partial<Record<RoadClass, number>>
}

/** Costs in milliseconds: along a directed segment, and at its head. */
export interface Weights {
  /** Milliseconds per centimetre, by kind and direction; infinite where closed. */
  pace: Float64Array
  hasDelays: boolean
}

/** 49 days less one. More is no journey: it counts as unreachable. */
export const maxCost = 0xffff_fffe
const limitTags = ["height", "width", "length", "weight"] as const

export function weightsOf({ columns }: RoadNetwork, options: TravelOptions): Weights {
  const { kindClass, kindFlags, kindSpeeds, kindLimits } = columns
  const column = modes.indexOf(options.mode)
  const avoided =
    (options.avoidTolls ? roadFlags.toll : 0) |
    (options.avoidFerries ? roadFlags.ferry : 0) |
    (options.avoidMotorways ? roadFlags.motorway : 0)
  const pace = new Float64Array(kindClass.length * 2).fill(Number.POSITIVE_INFINITY)
  for (let kind = 0; kind < kindClass.length; kind++) {
    if (((kindFlags[kind] as number) & avoided) !== 0) continue
    const tooLarge = limitTags.some((name, i) => {
      const limit = kindLimits[kind * 4 + i] as number
      return limit > 0 && (options.vehicle?.[name] ?? 0) * 100 > limit
    })
    if (tooLarge) continue
    const roadClass = roadClasses[kindClass[kind] as number] ?? "unclassified"
    const factor = Math.min(10, Math.max(0.05, options.speedFactors?.[roadClass] ?? 1))
    for (let direction = 0; direction < 2; direction++) {
      const speed = kindSpeeds[(kind * modes.length + column) * 2 + direction] as number
      // A centimetre at a hundredth of a kilometre per hour takes 3.6 s.
      if (speed > 0) pace[kind * 2 + direction] = 3600 / (speed * factor)
    }
  }
  return { pace, hasDelays: isMotorized(options.mode) }
}

/** Milliseconds for a part of a directed segment. At least 1 for all of it, so that no cycle is free. */
export function costAlong({ columns }: RoadNetwork, { pace }: Weights, directed: number, part = 1): number {
  const segment = directed >>> 1
  const kind = columns.segmentKind[segment] as number
  const cost = (columns.segmentLength[segment] as number) * (pace[kind * 2 + (directed & 1)] as number) * part
  return part === 1 ? Math.max(1, Math.round(cost)) : Math.round(cost)
}

/** Milliseconds lost at the node to which a directed segment leads: signals, toll booths, gates. */
export function delayAfter(network: RoadNetwork, { hasDelays }: Weights, directed: number): number {
  return hasDelays ? (network.columns.nodeDelay[headOf(network, directed)] as number) * 100 : 0
}
