import { distanceBetween } from "#packages/geodesy/geodesy.ts"
import { judgeTrack, verdicts } from "./plausibility.ts"
import type { Track } from "./track.ts"

export interface TrackTotals {
  /** Great-circle sum over the travelled legs, in metres, not rounded. */
  readonly distanceMeters: number
  /** From the first to the last travelled point. */
  readonly durationSeconds: number
  /** Points that count, and all points. */
  readonly travelledCount: number
  readonly pointCount: number
}

/** Length and duration of a track. Points that `judgeTrack` leaves out neither add a leg nor break one. */
export function trackTotals(track: Track, judged: Uint8Array = judgeTrack(track)): TrackTotals {
  let distanceMeters = 0
  let travelledCount = 0
  let first = -1
  let last = -1
  for (let i = 0; i < judged.length; i++) {
    const verdict = judged[i]
    if (verdict !== verdicts.plausible && verdict !== verdicts.restart) continue
    if (last >= 0 && verdict === verdicts.plausible) distanceMeters += legMeters(track, last, i)
    if (first < 0) first = i
    last = i
    travelledCount++
  }
  const durationSeconds =
    first < 0 ? 0 : ((track.recordedAt[last] ?? 0) - (track.recordedAt[first] ?? 0)) / 1000
  return { distanceMeters, durationSeconds, travelledCount, pointCount: judged.length }
}

/**
 * For each point the metres travelled to it from the point before: 0 for the first, for a restart, and for every
 * point that is left out. Sums to `trackTotals().distanceMeters`.
 */
export function legDistances(track: Track, judged: Uint8Array = judgeTrack(track)): Float64Array {
  const legs = new Float64Array(judged.length)
  let last = -1
  for (let i = 0; i < judged.length; i++) {
    const verdict = judged[i]
    if (verdict !== verdicts.plausible && verdict !== verdicts.restart) continue
    if (last >= 0 && verdict === verdicts.plausible) legs[i] = legMeters(track, last, i)
    last = i
  }
  return legs
}

function legMeters({ lng, lat }: Track, from: number, to: number): number {
  return distanceBetween(lng[from] ?? 0, lat[from] ?? 0, lng[to] ?? 0, lat[to] ?? 0)
}
