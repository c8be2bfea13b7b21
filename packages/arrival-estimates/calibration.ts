import type { ArrivalEstimate } from "./estimate-arrivals.ts"

/** An estimate that was made, and when the worker arrived. */
export interface CalibrationSample {
  /** Actual minus estimated arrival, in deviations of the estimate. */
  error: number
  stopsBefore: number
  /** Seconds from when it was made to the estimated arrival. */
  horizon: number
}

/** How far off arrivals were, in deviations of their estimate: a low and a high quantile for each group. */
export interface Calibration {
  groups: Readonly<Record<string, readonly [low: number, middle: number, high: number]>>
  count: number
}

/** A window holds what is between them. */
export const quantileLevels = [0.05, 0.5, 0.95] as const
/** A normal distribution's, and the median of an estimate that is right. */
const normal = [-1.645, 0, 1.645] as const
export const uncalibrated: Calibration = { groups: {}, count: 0 }

/** With fewer samples, a group uses the quantiles of all. */
const smallestGroup = 60
const all = "all"

const stopGroups = [0, 1, 3, 6, 12] as const
const horizonGroups = [600, 1800, 5400, 14_400] as const

function groupOf(stopsBefore: number, horizon: number): string {
  const stops = stopGroups.findIndex((most) => stopsBefore <= most)
  const time = horizonGroups.findIndex((most) => horizon <= most)
  return `${stops === -1 ? "more" : stops}-${time === -1 ? "more" : time}`
}

export function learnCalibration(samples: readonly CalibrationSample[]): Calibration {
  if (samples.length < smallestGroup) return uncalibrated
  const grouped = Map.groupBy(samples, ({ stopsBefore, horizon }) => groupOf(stopsBefore, horizon))
  const large = [...grouped].filter(([, group]) => group.length >= smallestGroup)
  return {
    count: samples.length,
    groups: Object.fromEntries(
      [[all, samples] as const, ...large].map(([key, group]) => [key, quantilesOf(group)]),
    ),
  }
}

/** Quantiles with the correction of conformal prediction: the outer ones are a little further out in small groups. */
function quantilesOf(samples: readonly CalibrationSample[]): [number, number, number] {
  const errors = samples.map(({ error }) => error).toSorted((one, other) => one - other)
  const size = errors.length
  // Places are within the list, because no group is smaller than `smallestGroup`.
  const at = (place: number) => errors[place] ?? 0
  const [low, middle, high] = quantileLevels
  return [
    at(Math.floor((size + 1) * low) - 1),
    at(Math.round((size - 1) * middle)),
    at(Math.ceil((size + 1) * high) - 1),
  ]
}

/** The corrected arrival and the window that holds it in nine of ten cases, as epoch seconds. */
export function windowOf(
  calibration: Calibration,
  { arrival, deviation, stopsBefore }: ArrivalEstimate,
  { now, opens }: { now: number; opens?: number },
): { arrival: number; earliest: number; latest: number } {
  const { groups } = calibration
  const [low, middle, high] = groups[groupOf(stopsBefore, arrival - now)] ?? groups[all] ?? normal
  const soonest = Math.max(now, opens ?? now)
  const corrected = Math.max(soonest, arrival + middle * deviation)
  return {
    arrival: corrected,
    earliest: Math.min(corrected, Math.max(soonest, arrival + low * deviation)),
    latest: Math.max(corrected, arrival + high * deviation),
  }
}
