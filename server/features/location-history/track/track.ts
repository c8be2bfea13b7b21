import type { LngLat } from "#shared/geodesy.ts"

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

/** Puts points into columns, sorted by device time; points of the same instant keep their order. */
export function toTrack(points: Iterable<TrackPoint>): Track {
  const sorted = [...points].sort((a, b) => a.recordedAt - b.recordedAt)
  const track = emptyTrack(sorted.length)
  for (const [i, point] of sorted.entries()) {
    track.recordedAt[i] = point.recordedAt
    track.lng[i] = point.position[0]
    track.lat[i] = point.position[1]
    if (point.accuracyMeters !== undefined) track.accuracyMeters[i] = point.accuracyMeters
  }
  return track
}
