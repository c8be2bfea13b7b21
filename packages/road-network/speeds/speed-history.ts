import { type RoadClass, roadClasses } from "../tags/modes.ts"

/** How long driving took, by class of road and hour of the week, compared with the usual speeds. */
export interface SpeedHistory {
  /** Seconds at the usual speeds, by cell. */
  usual: Float64Array
  /** Seconds that it took. */
  driven: Float64Array
  /** Stretches of driving. */
  count: Float64Array
}

/** A stretch of driving of some hundred metres, signals and waiting included. */
export interface Stretch {
  hourOfWeek: number
  /** What it took, without what the network counts for signals, gates and toll booths. */
  seconds: number
  /** Seconds at the usual speeds, by class of road. */
  usual: readonly (readonly [roadClass: number, seconds: number])[]
}

export const hoursOfWeek = 168
/** Classes that traffic uses, the first ones of all classes. */
export const drivenClasses = roadClasses.slice(0, roadClasses.indexOf("pedestrian"))
const cellCount = drivenClasses.length * hoursOfWeek

/** Hours of the week begin on Monday, at midnight of the organization. */
export function hourOfWeek(dayOfWeek: number, hour: number): number {
  return (dayOfWeek - 1) * 24 + hour
}

const cellOf = (roadClass: number, hour: number): number => roadClass * hoursOfWeek + hour

export function emptyHistory(): SpeedHistory {
  const zeros = () => new Float64Array(cellCount)
  return { usual: zeros(), driven: zeros(), count: zeros() }
}

/** Cells with content: number, usual seconds, driven seconds, stretches. */
export type StoredHistory = (readonly [cell: number, usual: number, driven: number, count: number])[]

export function packHistory({ usual, driven, count }: SpeedHistory): StoredHistory {
  const round = (value: number | undefined) => Math.round((value ?? 0) * 100) / 100
  return [...usual].flatMap((value, cell) => {
    const entry = [cell, round(value), round(driven[cell]), round(count[cell])] as const
    return entry[1] > 0 ? [entry] : []
  })
}

export function unpackHistory(stored: StoredHistory): SpeedHistory {
  const history = emptyHistory()
  for (const [cell, usual, driven, count] of stored) {
    if (cell >= cellCount) continue
    history.usual[cell] = usual
    history.driven[cell] = driven
    history.count[cell] = count
  }
  return history
}

/** Added to a level before it counts, in seconds of driving at the speeds of the level above. */
const shrinkage = { overall: 3600, roadClass: 1800, dayType: 1800, cell: 1800 } as const
/** Monday to Friday are alike, until each of them has shown otherwise. */
const dayTypes = [[0, 1, 2, 3, 4], [5], [6]] as const

/**
 * How much longer a second of driving takes than usual, by cell. Each hour of a weekday is shrunk towards the same hour
 * of days like it, that towards its class of road, that towards all driving, and that towards the usual speeds.
 */
export function slownessOf(history: SpeedHistory): Float64Array {
  const slowness = new Float64Array(cellCount)
  const overall = shrunk(sumOf(history, [...slowness.keys()]), 1, shrinkage.overall)
  for (let roadClass = 0; roadClass < drivenClasses.length; roadClass++) {
    const hours = Array.from({ length: hoursOfWeek }, (_, hour) => cellOf(roadClass, hour))
    const ofClass = shrunk(sumOf(history, hours), overall, shrinkage.roadClass)
    for (const days of dayTypes)
      for (let hour = 0; hour < 24; hour++) {
        const alike = days.map((day) => cellOf(roadClass, day * 24 + hour))
        const level = shrunk(sumOf(history, alike), ofClass, shrinkage.dayType)
        for (const cell of alike) slowness[cell] = shrunk(sumOf(history, [cell]), level, shrinkage.cell)
      }
  }
  return slowness
}

/** The same by hour of the week alone: each class of road counts as much as it was driven. */
export function hourlySlowness(history: SpeedHistory, slowness: Float64Array): Float64Array {
  const driven = drivenClasses.map((_, roadClass) =>
    history.usual
      .subarray(cellOf(roadClass, 0), cellOf(roadClass + 1, 0))
      .reduce((sum, seconds) => sum + seconds, 0),
  )
  const all = driven.reduce((sum, seconds) => sum + seconds, 0)
  return Float64Array.from({ length: hoursOfWeek }, (_, hour) =>
    driven.reduce(
      (sum, seconds, index) => sum + (seconds / all) * (slowness[cellOf(index, hour)] as number),
      0,
    ),
  )
}

interface Sum {
  usual: number
  driven: number
}

function sumOf({ usual, driven }: SpeedHistory, cells: readonly number[]): Sum {
  return cells.reduce(
    (sum, cell) => ({
      usual: sum.usual + (usual[cell] as number),
      driven: sum.driven + (driven[cell] as number),
    }),
    { usual: 0, driven: 0 },
  )
}

function shrunk({ usual, driven }: Sum, above: number, weight: number): number {
  return (driven + weight * above) / (usual + weight)
}

const rounds = 6
/** Beyond these, it was no driving, or the map is wrong there. */
const plausibleRatio = [0.3, 12] as const

/**
 * Adds stretches to a history of which only the part `kept` still counts. The time of a stretch over several classes
 * is divided between them by what each took so far, again and again until that settles (expectation maximization).
 */
export function learnSpeeds(before: SpeedHistory, stretches: readonly Stretch[], kept = 1): SpeedHistory {
  const faded = {
    usual: before.usual.map((value) => value * kept),
    driven: before.driven.map((value) => value * kept),
    count: before.count.map((value) => value * kept),
  }
  const plausible = stretches.filter(({ seconds, usual }) => {
    const ratio = seconds / usual.reduce((sum, [, part]) => sum + part, 0)
    return ratio >= plausibleRatio[0] && ratio <= plausibleRatio[1]
  })
  let history: SpeedHistory = faded
  for (let round = 0; round < rounds; round++) history = withStretches(faded, plausible, slownessOf(history))
  return history
}

function withStretches(
  faded: SpeedHistory,
  stretches: readonly Stretch[],
  slowness: Float64Array,
): SpeedHistory {
  const next = { usual: faded.usual.slice(), driven: faded.driven.slice(), count: faded.count.slice() }
  for (const { hourOfWeek: hour, seconds, usual } of stretches) {
    const parts = usual.map(([roadClass, part]) => {
      const cell = cellOf(roadClass, hour)
      return { cell, part, expected: part * (slowness[cell] as number) }
    })
    const expected = parts.reduce((sum, part) => sum + part.expected, 0)
    const total = parts.reduce((sum, { part }) => sum + part, 0)
    for (const own of parts) {
      next.usual[own.cell] = (next.usual[own.cell] as number) + own.part
      next.driven[own.cell] = (next.driven[own.cell] as number) + (seconds * own.expected) / expected
      next.count[own.cell] = (next.count[own.cell] as number) + own.part / total
    }
  }
  return next
}

/** Fewer stretches say nothing about an organization. */
const minStretches = 100

export function isEnough({ count }: SpeedHistory): boolean {
  return count.reduce((sum, value) => sum + value, 0) >= minStretches
}

/** Factors in steps of this size: hours that hardly differ share a routing graph. */
const factorStep = 0.05
const factorRange = [0.3, 2] as const

/** Factors on the speeds of classes in some hours, which count alike: options of a routing graph. */
export function speedFactors(
  slowness: Float64Array,
  hours: readonly number[],
): Partial<Record<RoadClass, number>> | undefined {
  const factors: Partial<Record<RoadClass, number>> = {}
  for (const [index, roadClass] of drivenClasses.entries()) {
    const sum = hours.reduce((all, hour) => all + (slowness[cellOf(index, hour)] as number), 0)
    const factor = Math.min(factorRange[1], Math.max(factorRange[0], hours.length / sum))
    const rounded = Math.round(Math.round(factor / factorStep) * factorStep * 100) / 100
    if (rounded !== 1) factors[roadClass] = rounded
  }
  return Object.keys(factors).length > 0 ? factors : undefined
}

/** The time of a way in an hour: the usual seconds by class of road, and what does not depend on the speed. */
export function secondsInHour(
  slowness: Float64Array,
  hour: number,
  { usual, delay }: { usual: Stretch["usual"]; delay: number },
): number {
  return usual.reduce(
    (sum, [roadClass, part]) => sum + part * (slowness[cellOf(roadClass, hour)] ?? 1),
    delay,
  )
}

/** The speed in an hour as a share of the usual one. */
export function speedShare(slowness: Float64Array, roadClass: number, hour: number): number {
  return 1 / (slowness[cellOf(roadClass, hour)] ?? 1)
}
