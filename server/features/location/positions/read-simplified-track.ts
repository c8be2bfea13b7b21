import { setImmediate as yieldEventLoop } from "node:timers/promises"
import type { Sql } from "#core/database/database.ts"
import { runInThread, type ThreadTask } from "#core/threads/run-in-thread.ts"
import { readPoints, type TrackOptions } from "./read-track.ts"
import type { SimplifyInput } from "./thinning/simplify-thread.ts"
import { type SimplifiedTrack, type SimplifyOptions, simplifyTrack } from "./track/simplify.ts"
import type { Track } from "./track/track.ts"
import { contextMilliseconds, joinSegments, segmentOf, type TrackSegment } from "./track/track-segment.ts"
import { decodeSegment } from "./track/track-segment-code.ts"

/** Simplifying more points at once would block other requests for more than ten milliseconds. */
const pointsAtOnce = 5_000
const decodedAtOnce = 50
const hourMilliseconds = 3_600_000

/**
 * A person's track in a time span, thinned for a map at `zoom` (`simplifyTrack` with `isThinned` does the rest) and
 * measured over every point. Hours that the job `simplifyHours` has stored are decoded; the rest is read point by
 * point. A month of one-second points takes 720 rows instead of 2.6 million.
 */
export async function readSimplifiedTrack(
  sql: Sql,
  options: TrackOptions,
  zoom: number,
): Promise<TrackSegment> {
  const [from, end] = [options.from.epochMilliseconds, options.to.epochMilliseconds + 1]
  const segments: TrackSegment[] = []
  let read = from
  // Stored hours contain the points of all sources.
  for (const { hour, segment } of options.createdFrom === undefined
    ? await simplifiedHoursIn(sql, options)
    : []) {
    const start = hour.epochMilliseconds
    for await (const segment of thinned(sql, options, read, start, zoom)) segments.push(segment)
    segments.push(decodeSegment(segment))
    if (segments.length % decodedAtOnce === 0) await yieldEventLoop()
    read = start + hourMilliseconds
  }
  for await (const segment of thinned(sql, options, read, end, zoom)) segments.push(segment)
  return joinSegments(segments)
}

const simplifying: ThreadTask<SimplifyInput, SimplifiedTrack> = {
  name: "simplifying the track",
  module: new URL("./thinning/simplify-thread.ts", import.meta.url),
  pool: "quick",
  seconds: 30,
}
/** Up to here, simplifying is faster than sending the points to a thread. */
const pointsAtHand = 2_000

/** `simplifyTrack`, in a thread for long tracks: a month takes 0.1 to 0.5 seconds. */
export async function simplifyInThread(
  organizationId: string,
  track: Track,
  options: SimplifyOptions,
): Promise<SimplifiedTrack> {
  if (track.recordedAt.length <= pointsAtHand) return simplifyTrack(track, options)
  return runInThread(simplifying, { track, options }, { organizationId })
}

interface SimplifiedHour {
  hour: Temporal.Instant
  segment: Buffer
}

/** Stored hours that are entirely within the span and up to date with the points. */
function simplifiedHoursIn(
  sql: Sql,
  { tenant, personNumber, from, to }: TrackOptions,
): Promise<SimplifiedHour[]> {
  return sql<SimplifiedHour[]>`
    select hour, outline as segment from location_outlines
    join person_positions person using (organization_number, person_number)
    where organization_number = ${tenant.organizationNumber} and person_number = ${personNumber}
      and hour >= ${from} and hour <= ${to}::timestamptz + interval '1 millisecond' - interval '1 hour'
      and hour < person.outlined_until
      and (person.pending_from is null or hour + interval '1 hour' + ${contextMilliseconds}::int * interval '1 millisecond' <= person.pending_from)
    order by hour`
}

/** The points from `from` to before `end`, in segments of at most `pointsAtOnce`. */
async function* thinned(
  sql: Sql,
  options: TrackOptions,
  from: number,
  end: number,
  zoom: number,
): AsyncGenerator<TrackSegment> {
  for (let start = from; start < end; ) {
    const points = await readPoints(
      sql,
      {
        ...options,
        from: instant(Math.max(options.from.epochMilliseconds, start - contextMilliseconds)),
        to: instant(Math.min(options.to.epochMilliseconds, end - 1 + contextMilliseconds)),
      },
      pointsAtOnce,
    )
    const last = points.at(-1)?.recordedAt ?? start
    // The last points are context for those before them; they are read again with the next segment.
    const beforeLast = last - contextMilliseconds > start ? last - contextMilliseconds : last
    const until = points.length < pointsAtOnce ? end : Math.min(end, Math.max(start + 1, beforeLast))
    if (points.length > 0) yield segmentOf(points, start, until, { zoom })
    start = until
  }
}

const instant = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds)
