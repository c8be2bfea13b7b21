import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { legDistances, trackTotals } from "./distance.ts"
import { compareTrackPoints, orderedTrack, type TrackPoint } from "./track.ts"

/** A point with the distance that its device reported since the previous one, if any. */
export interface SentPoint extends TrackPoint {
  readonly sentDistanceKilometers?: number | undefined
  readonly sentDurationMinutes?: number | undefined
}

export interface SessionEnd {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly position: LngLat
}

export interface SessionTotals {
  /** Whole minutes from start to finish. */
  readonly trackedMinutes: number
  readonly totalDistanceKilometers: number
  readonly totalDurationMinutes: number
}

const millisecondsPerMinute = 60_000
const roundTo3 = (value: number) => Math.round(value * 1000) / 1000

/**
 * Totals of one finished session, from the plain points between its start and its finish (both inclusive), in any
 * order. Run it again when points arrive late.
 *
 * A device that measures its own distance is trusted: its sums are the totals. A device that sends bare positions gets
 * the great-circle distance from the start over its plausible points to the finish; of a mixture, each point counts as it
 * was sent, or else by its leg. Without any point: the beeline, and the tracked time.
 */
export function sessionTotals(
  start: SessionEnd,
  finish: SessionEnd,
  points: readonly SentPoint[],
): SessionTotals {
  const trackedMinutes = Math.round((finish.at - start.at) / millisecondsPerMinute)
  const inside = points
    .filter((point) => point.recordedAt >= start.at && point.recordedAt <= finish.at)
    .sort(compareTrackPoints)
  if (inside.length === 0) {
    return {
      trackedMinutes,
      totalDistanceKilometers: roundTo3(distanceMeters(start.position, finish.position) / 1000),
      totalDurationMinutes: trackedMinutes,
    }
  }
  const legs = legDistances(orderedTrack([asPoint(start), ...inside, asPoint(finish)]))
  let kilometers = 0
  let minutes = 0
  let before = start.at
  for (const [i, point] of inside.entries()) {
    kilometers += point.sentDistanceKilometers ?? (legs[i + 1] ?? 0) / 1000
    minutes += point.sentDurationMinutes ?? (point.recordedAt - before) / millisecondsPerMinute
    before = point.recordedAt
  }
  // A device that measures distances sends the last one with its last point.
  if (!inside.some((point) => point.sentDistanceKilometers !== undefined))
    kilometers += (legs.at(-1) ?? 0) / 1000
  if (!inside.some((point) => point.sentDurationMinutes !== undefined)) {
    minutes += (finish.at - before) / millisecondsPerMinute
  }
  return {
    trackedMinutes,
    totalDistanceKilometers: roundTo3(kilometers),
    totalDurationMinutes: roundTo3(minutes),
  }
}

export interface SessionSpan {
  /** Milliseconds since 1970; an open session has no `finishedAt`. */
  readonly startedAt: number
  readonly finishedAt?: number | undefined
}

/**
 * One person's travel over any range, as the tracking summary counts it: kilometres (3 decimals) over all plausible
 * points; minutes between successive points of the same session or, without any session, the minutes that were sent.
 */
export function travelledTotals(points: readonly SentPoint[], sessions: readonly SessionSpan[]) {
  const sorted = [...points].sort(compareTrackPoints)
  let minutes = 0
  if (sessions.length === 0) {
    for (const point of sorted) minutes += point.sentDurationMinutes ?? 0
  } else {
    for (const { startedAt, finishedAt } of sessions) {
      const within = sorted.filter(
        ({ recordedAt }) => recordedAt >= startedAt && recordedAt <= (finishedAt ?? Number.POSITIVE_INFINITY),
      )
      const [first, last] = [within[0], within.at(-1)]
      if (first && last) minutes += (last.recordedAt - first.recordedAt) / millisecondsPerMinute
    }
  }
  return {
    distanceKilometers: roundTo3(trackTotals(orderedTrack(sorted)).distanceMeters / 1000),
    durationMinutes: roundTo3(minutes),
  }
}

/** Start and finish are button presses: the person is there, whatever the receiver thinks of its accuracy. */
function asPoint(end: SessionEnd): TrackPoint {
  return { recordedAt: end.at, position: end.position }
}
