import type { LngLat } from "#packages/geodesy/geodesy.ts"

/**
 * One person's positions in time order, as columns: a month of one-second points is 2.6 million rows, and an object
 * per row would cost ten times the memory and most of the time. All columns have the same length.
 */
export interface Track {
  /** Milliseconds since 1970, ascending; equal neighbours happen. */
  readonly recordedAt: Float64Array
  readonly lng: Float64Array
  readonly lat: Float64Array
  /** Radius in metres that the device claims for the fix; NaN when it said nothing. */
  readonly accuracyMeters: Float32Array
}

export interface TrackPoint {
  /** Milliseconds since 1970. */
  readonly recordedAt: number
  readonly position: LngLat
  readonly accuracyMeters?: number | undefined
}

/** Columns of `length` points, to be filled in time order. Unfilled accuracies read as unknown. */
export function emptyTrack(length: number): Track {
  return {
    recordedAt: new Float64Array(length),
    lng: new Float64Array(length),
    lat: new Float64Array(length),
    accuracyMeters: new Float32Array(length).fill(Number.NaN),
  }
}

/**
 * Device time; of the same instant the more accurate fix first, then by place, so that the order of arrival, which
 * nobody can repeat, decides nothing.
 */
export function compareTrackPoints(a: TrackPoint, b: TrackPoint): number {
  if (a.recordedAt !== b.recordedAt) return a.recordedAt - b.recordedAt
  const unknown = Number.MAX_VALUE
  return (
    (a.accuracyMeters ?? unknown) - (b.accuracyMeters ?? unknown) ||
    a.position[0] - b.position[0] ||
    a.position[1] - b.position[1]
  )
}

/** Puts points of any order into columns, sorted by `compareTrackPoints`. */
export function toTrack(points: Iterable<TrackPoint>): Track {
  return orderedTrack([...points].sort(compareTrackPoints))
}

/** Puts points that are in time order already into columns. */
export function orderedTrack(sorted: readonly TrackPoint[]): Track {
  const track = emptyTrack(sorted.length)
  for (const [i, point] of sorted.entries()) {
    track.recordedAt[i] = point.recordedAt
    track.lng[i] = point.position[0]
    track.lat[i] = point.position[1]
    if (point.accuracyMeters !== undefined) track.accuracyMeters[i] = point.accuracyMeters
  }
  return track
}
