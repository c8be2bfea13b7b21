/** Epoch seconds. */
type Time = number

export interface RemainingStop {
  /** Seconds on the road from the stop before, or from the current position. */
  travelSeconds: number
  /** Expected seconds on site and their standard deviation. */
  serviceSeconds: number
  serviceSpread: number
  /** Service starts no earlier. */
  opens?: Time
  /** Since when the worker is on site: no travel is left to this stop. */
  arrivedAt?: Time
}

export interface Situation {
  now: Time
  /** Nobody drives before this. */
  startsAt?: Time
  stops: readonly RemainingStop[]
  /** Fixed pauses, ascending: travel and service rest in them. */
  breaks: readonly (readonly [from: Time, to: Time])[]
  /** Standard deviation of one leg as a share of its time. */
  travelSpread: number
}

export interface ArrivalEstimate {
  arrival: Time
  /** Standard deviation in seconds, before calibration. */
  deviation: number
  stopsBefore: number
}

/** The share by which all durations of one day are off in the same direction. */
const sharedSpread = 0.06
/** The least share of a visit that is left while the worker is on site. */
const leastRemaining = 0.2
/** The position itself, and reaching the door. */
const leastDeviation = 45

/**
 * Walks through the stops in their order. Arrivals are normally distributed; where a stop opens later than the worker
 * comes, waiting absorbs a part of the uncertainty.
 */
export function estimateArrivals({
  now,
  startsAt,
  stops,
  breaks,
  travelSpread,
}: Situation): ArrivalEstimate[] {
  const from = Math.max(now, startsAt ?? now)
  let time = from
  let variance = leastDeviation ** 2
  /** Seconds of work between the beginning and here, all of which share an error. */
  let shared = 0
  const deviation = () => Math.sqrt(variance + (shared * sharedSpread) ** 2)
  return stops.map((stop, stopsBefore) => {
    if (stop.arrivedAt !== undefined && stopsBefore === 0) {
      const elapsed = Math.max(0, now - Math.max(stop.arrivedAt, stop.opens ?? 0))
      const left = Math.max(stop.serviceSeconds * leastRemaining, stop.serviceSeconds - elapsed)
      time = after(Math.max(now, stop.opens ?? now), left, breaks)
      variance += stop.serviceSpread ** 2
      shared += left
      return { arrival: stop.arrivedAt, deviation: 0, stopsBefore }
    }
    time = after(time, stop.travelSeconds, breaks)
    variance += (stop.travelSeconds * travelSpread) ** 2
    shared += stop.travelSeconds
    if (stop.opens !== undefined) {
      const spread = deviation()
      const waited = waitUntil(time, spread, stop.opens)
      time = Math.max(time, stop.opens, waited.mean)
      const kept = Math.min(1, waited.deviation / spread)
      variance *= kept ** 2
      shared *= kept
    }
    const arrival = time
    const estimate = { arrival, deviation: deviation(), stopsBefore }
    time = after(time, stop.serviceSeconds, breaks)
    variance += stop.serviceSpread ** 2
    shared += stop.serviceSeconds
    return estimate
  })
}

/** When so many seconds of work end that begin at `time`. */
function after(time: Time, seconds: number, breaks: Situation["breaks"]): Time {
  let at = time
  let left = seconds
  for (const [from, to] of breaks) {
    if (to <= at) continue
    if (at + left <= from) break
    left -= Math.max(0, from - at)
    at = to
  }
  return at + left
}

/** Mean and deviation of the later one of a normally distributed time and a fixed one (Clark 1961). */
function waitUntil(mean: number, deviation: number, opens: number): { mean: number; deviation: number } {
  const z = (mean - opens) / deviation
  if (z > 4) return { mean, deviation }
  if (z < -4) return { mean: opens, deviation: leastDeviation }
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  const share = normalShare(z)
  const above = (mean - opens) * share + deviation * density
  const square = ((mean - opens) ** 2 + deviation ** 2) * share + (mean - opens) * deviation * density
  return {
    mean: opens + above,
    deviation: Math.max(leastDeviation, Math.sqrt(Math.max(0, square - above ** 2))),
  }
}

/** The share of a normal distribution below z (Abramowitz and Stegun 26.2.17; off by less than 1e-7). */
function normalShare(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return z >= 0 ? 1 - tail : tail
}
