import { distanceBetween } from "#packages/geodesy/geodesy.ts"
import type { Track } from "./track.ts"

/**
 * What is thought of a point. Every point is kept and shown; only `plausible` and `restart` ones are travelled.
 * - `restart`: the person really is here, but cannot have travelled there from the point before (a flight, a
 *   corrected receiver): the track goes on, the leg does not count.
 * - `repeat`: same instant as the point before; nobody travels in no time.
 * - `jump`: too far away for the time, and the track does not go on from there.
 * - `inaccurate`: the device itself says that it hardly knows, or knew far better a moment before.
 */
export const verdicts = { plausible: 0, restart: 1, repeat: 2, jump: 3, inaccurate: 4 } as const
export type VerdictName = keyof typeof verdicts

export interface PlausibilityLimits {
  /** Faster than this between two points is no travel on the ground. */
  readonly maxSpeedMetersPerSecond: number
  /** Wider fixes (mobile cells, usually over 500 m) are left out. */
  readonly maxAccuracyMeters: number
  /**
   * A fix is also left out when it is this many times worse than what is still known from the trusted fix before,
   * whose accuracy fades by `fadeMetersPerSecond`. Phones mix network fixes of 40 m into GPS fixes of 5 m; counting
   * them, a parked bus travels kilometres. Where GPS has gone (a hall, a tunnel), they count after some seconds.
   */
  readonly coarseFactor: number
  readonly fadeMetersPerSecond: number
  /** Stands in when the device says nothing about accuracy. */
  readonly assumedAccuracyMeters: number
  /** A place that looked like a jump is accepted after this many points that agree with each other … */
  readonly confirmPoints: number
  /** … over at least this long: a stale network fix is often repeated for some seconds. */
  readonly confirmSeconds: number
}

export const groundTravel: PlausibilityLimits = {
  maxSpeedMetersPerSecond: 70,
  maxAccuracyMeters: 250,
  coarseFactor: 2,
  fadeMetersPerSecond: 1,
  assumedAccuracyMeters: 30,
  confirmPoints: 3,
  confirmSeconds: 10,
}

/** A run of points that agree with each other. `members` is kept only until the run is confirmed. */
interface Run {
  readonly first: number
  last: number
  count: number
  members: number[] | undefined
}

/**
 * Judges every point of a track (see `verdicts`), one byte each.
 *
 * A point belongs to the track when it can be reached from the last trusted one. Otherwise it opens a rival run,
 * which takes over once it is confirmed; if the old run never was (the first fix after switching on is often
 * the one of yesterday), the old run is the jump. Points that arrive late are judged by running this again over the
 * points around them: the result depends on the points alone and not on the order of their arrival.
 */
export function judgeTrack(track: Track, limits: PlausibilityLimits = groundTravel): Uint8Array {
  const { recordedAt, lng, lat, accuracyMeters } = track
  const judged = new Uint8Array(recordedAt.length)
  const accuracyAt = (i: number) => {
    const accuracy = accuracyMeters[i]
    return accuracy === undefined || Number.isNaN(accuracy) ? limits.assumedAccuracyMeters : accuracy
  }
  const isReachable = (from: number, to: number) => {
    const meters = distanceBetween(lng[from] ?? 0, lat[from] ?? 0, lng[to] ?? 0, lat[to] ?? 0)
    // Many senders cut times to the second, so intervals under one second are ignored.
    const seconds = Math.max(1, ((recordedAt[to] ?? 0) - (recordedAt[from] ?? 0)) / 1000)
    return meters <= limits.maxSpeedMetersPerSecond * seconds + accuracyAt(from) + accuracyAt(to)
  }
  const isCoarse = (before: number, i: number) => {
    const seconds = ((recordedAt[i] ?? 0) - (recordedAt[before] ?? 0)) / 1000
    const known = (accuracyMeters[before] ?? Number.NaN) + limits.fadeMetersPerSecond * seconds
    // Comparisons with an unknown accuracy are false.
    return (accuracyMeters[i] ?? Number.NaN) > limits.coarseFactor * known
  }
  const isConfirmed = (run: Run) =>
    run.count >= limits.confirmPoints &&
    (recordedAt[run.last] ?? 0) - (recordedAt[run.first] ?? 0) >= limits.confirmSeconds * 1000

  let trusted: Run | undefined
  let rival: Run | undefined
  let previousTime = Number.NaN
  for (let i = 0; i < recordedAt.length; i++) {
    if (accuracyAt(i) > limits.maxAccuracyMeters || (trusted && isCoarse(trusted.last, i))) {
      judged[i] = verdicts.inaccurate
    } else if (recordedAt[i] === previousTime) {
      judged[i] = verdicts.repeat
    } else {
      previousTime = recordedAt[i] ?? Number.NaN
      if (!trusted) {
        trusted = { first: i, last: i, count: 1, members: [i] }
      } else if (isReachable(trusted.last, i)) {
        extend(trusted, i)
        rival = undefined
      } else {
        judged[i] = verdicts.jump
        if (rival && isReachable(rival.last, i)) extend(rival, i)
        else rival = { first: i, last: i, count: 1, members: [i] }
        if (isConfirmed(rival)) {
          for (const member of rival.members ?? []) judged[member] = verdicts.plausible
          if (trusted.members) for (const member of trusted.members) judged[member] = verdicts.jump
          judged[rival.first] = trusted.members ? verdicts.plausible : verdicts.restart
          rival.members = undefined
          trusted = rival
          rival = undefined
        }
      }
      if (trusted.members && isConfirmed(trusted)) trusted.members = undefined
    }
  }
  return judged
}

function extend(run: Run, i: number): void {
  run.last = i
  run.count++
  run.members?.push(i)
}
