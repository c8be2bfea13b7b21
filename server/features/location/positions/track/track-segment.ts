import { distanceBetween } from "#packages/geodesy/geodesy.ts"
import { legDistances } from "./distance.ts"
import { groundTravel, judgeTrack, verdicts } from "./plausibility.ts"
import { type ThinOptions, thinTrack } from "./simplify.ts"
import { emptyTrack, orderedTrack, type Track, type TrackPoint } from "./track.ts"

export interface SegmentPoint extends TrackPoint {
  readonly speedKilometersPerHour: number | null
}

export interface FlaggedPoint {
  /** Milliseconds since 1970. */
  readonly recordedAt: number
  readonly lng: number
  readonly lat: number
  readonly verdict: number
}

/**
 * A simplified part of a person's track: the remaining points, with measurements over all points. The first and the
 * last travelled point always remain. Columns as in `Track`.
 */
export interface TrackSegment {
  readonly track: Track
  /** km/h; NaN when unknown. */
  readonly speed: Float64Array
  /** Metres travelled since the first point of the segment, over every plausible point between. */
  readonly along: Float64Array
  /** The first point cannot have been reached from the point before it. */
  readonly startsAnew: boolean
  /** All points of the segment, and those that are not travelled. */
  readonly pointCount: number
  readonly flaggedCount: number
  /** The first of those, at most `maxFlagged`. */
  readonly flagged: readonly FlaggedPoint[]
}

export const maxFlagged = 1000
/** Points this long before and after a segment are judged with it: a jump is only recognized next to its neighbours. */
export const contextMilliseconds = 600_000

/** The segment from `from` to before `to` (epoch milliseconds) of points in time order, which may extend beyond both. */
export function segmentOf(
  points: readonly SegmentPoint[],
  from: number,
  to: number,
  options: ThinOptions,
): TrackSegment {
  const all = orderedTrack(points)
  const judgedAll = judgeTrack(all)
  const legs = legDistances(all, judgedAll)
  const [first, end] = [placeOf(all, from), placeOf(all, to)]
  const judged = judgedAll.subarray(first, end)
  const part: Track = {
    recordedAt: all.recordedAt.subarray(first, end),
    lng: all.lng.subarray(first, end),
    lat: all.lat.subarray(first, end),
    accuracyMeters: all.accuracyMeters.subarray(first, end),
  }
  const along = new Float64Array(judged.length)
  const flagged: FlaggedPoint[] = []
  let flaggedCount = 0
  let meters = 0
  let startsAnew: boolean | undefined
  for (const [i, verdict] of judged.entries()) {
    if (verdict === verdicts.plausible || verdict === verdicts.restart) {
      // The distance to the first point is measured when segments are joined.
      if (startsAnew === undefined) startsAnew = verdict === verdicts.restart
      else meters += legs[first + i] ?? 0
    } else {
      flaggedCount += 1
      if (flagged.length < maxFlagged)
        flagged.push({
          recordedAt: part.recordedAt[i] ?? 0,
          lng: part.lng[i] ?? 0,
          lat: part.lat[i] ?? 0,
          verdict,
        })
    }
    along[i] = meters
  }
  const kept = thinTrack(part, judged, options)
  return {
    track: {
      recordedAt: Float64Array.from(kept, (i) => part.recordedAt[i] ?? 0),
      lng: Float64Array.from(kept, (i) => part.lng[i] ?? 0),
      lat: Float64Array.from(kept, (i) => part.lat[i] ?? 0),
      accuracyMeters: Float32Array.from(kept, (i) => part.accuracyMeters[i] ?? Number.NaN),
    },
    speed: Float64Array.from(kept, (i) => points[first + i]?.speedKilometersPerHour ?? Number.NaN),
    along: Float64Array.from(kept, (i) => along[i] ?? 0),
    startsAnew: startsAnew ?? false,
    pointCount: judged.length,
    flaggedCount,
    flagged,
  }
}

/** How many points of the track are before a moment. */
function placeOf({ recordedAt }: Track, moment: number): number {
  let [low, high] = [0, recordedAt.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((recordedAt[middle] ?? 0) < moment) low = middle + 1
    else high = middle
  }
  return low
}

/** Joins consecutive segments. */
export function joinSegments(segments: readonly TrackSegment[]): TrackSegment {
  const count = segments.reduce((sum, { speed }) => sum + speed.length, 0)
  const track = emptyTrack(count)
  const [speed, along] = [new Float64Array(count), new Float64Array(count)]
  let place = 0
  let meters = 0
  for (const segment of segments) {
    const length = segment.speed.length
    if (length === 0) continue
    track.recordedAt.set(segment.track.recordedAt, place)
    track.lng.set(segment.track.lng, place)
    track.lat.set(segment.track.lat, place)
    if (place > 0 && !segment.startsAnew) meters += metersBetween(track, place - 1, place)
    speed.set(segment.speed, place)
    for (let i = 0; i < length; i++) along[place + i] = meters + (segment.along[i] ?? 0)
    place += length
    meters = along[place - 1] ?? meters
  }
  return {
    track,
    speed,
    along,
    startsAnew: segments.find((segment) => segment.speed.length > 0)?.startsAnew ?? false,
    pointCount: segments.reduce((sum, { pointCount }) => sum + pointCount, 0),
    flaggedCount: segments.reduce((sum, { flaggedCount }) => sum + flaggedCount, 0),
    flagged: segments.flatMap(({ flagged }) => flagged).slice(0, maxFlagged),
  }
}

/** 0 for an impossible speed, which is detected here only after a pause longer than the context. */
function metersBetween({ recordedAt, lng, lat }: Track, from: number, to: number): number {
  const meters = distanceBetween(lng[from] ?? 0, lat[from] ?? 0, lng[to] ?? 0, lat[to] ?? 0)
  const seconds = Math.max(1, ((recordedAt[to] ?? 0) - (recordedAt[from] ?? 0)) / 1000)
  const { maxSpeedMetersPerSecond, maxAccuracyMeters } = groundTravel
  return meters <= maxSpeedMetersPerSecond * seconds + 2 * maxAccuracyMeters ? meters : 0
}
