import { setImmediate as yieldEventLoop } from "node:timers/promises"
import type { Sql } from "#core/database/database.ts"
import { runInThread, type ThreadTask } from "#core/threads/run-in-thread.ts"
import { readPoints, type TrackOptions } from "./read-track.ts"
import type { SimplifyInput } from "./thinning/simplify-thread.ts"
import { type SimplifiedTrack, type SimplifyOptions, simplifyTrack } from "./track/simplify.ts"
import { contextMilliseconds, joinStretches, type Stretch, stretchOf } from "./track/stretch.ts"
import { decodeStretch } from "./track/stretch-code.ts"
import type { Track } from "./track/track.ts"

/** Judging and thinning more of them at once would keep other requests waiting for more than ten milliseconds. */
const pointsAtOnce = 5_000
const decodedAtOnce = 50
const hourMilliseconds = 3_600_000

/**
 * A person's way through a time span, thinned for a map at `zoom` (`simplifyTrack` with `isThinned` does the rest), and
 * measured over every point. Hours that `location.outline-hours` has thinned are read as they are; what lies between
 * them is read point by point. A month of one-second points: 720 rows instead of 2.6 million.
 */
export async function readWay(sql: Sql, options: TrackOptions, zoom: number): Promise<Stretch> {
  const [from, end] = [options.from.epochMilliseconds, options.to.epochMilliseconds + 1]
  const stretches: Stretch[] = []
  let read = from
  // Outlines are of all sources together.
  for (const { hour, outline } of options.createdFrom === undefined ? await outlinesIn(sql, options) : []) {
    const start = hour.epochMilliseconds
    for await (const stretch of thinned(sql, options, read, start, zoom)) stretches.push(stretch)
    stretches.push(decodeStretch(outline))
    if (stretches.length % decodedAtOnce === 0) await yieldEventLoop()
    read = start + hourMilliseconds
  }
  for await (const stretch of thinned(sql, options, read, end, zoom)) stretches.push(stretch)
  return joinStretches(stretches)
}

const simplifying: ThreadTask<SimplifyInput, SimplifiedTrack> = {
  name: "simplifying the track",
  module: new URL("./thinning/simplify-thread.ts", import.meta.url),
  pool: "quick",
  seconds: 30,
}
/** Up to here, simplifying takes less time than handing the points to a thread. */
const pointsAtHand = 2_000

/** `simplifyTrack`, in a thread where it takes long: a tenth of a second to a half for a month. */
export async function simplifyWay(
  organizationId: string,
  track: Track,
  options: SimplifyOptions,
): Promise<SimplifiedTrack> {
  if (track.recordedAt.length <= pointsAtHand) return simplifyTrack(track, options)
  return runInThread(simplifying, { track, options }, { organizationId })
}

interface OutlineRow {
  hour: Temporal.Instant
  outline: Buffer
}

/** Hours that lie whole in the span and are as the points are: no later change waits to be worked on. */
function outlinesIn(sql: Sql, { tenant, personNumber, from, to }: TrackOptions): Promise<OutlineRow[]> {
  return sql<OutlineRow[]>`
    select hour, outline from location_outlines
    join person_positions person using (organization_number, person_number)
    where organization_number = ${tenant.organizationNumber} and person_number = ${personNumber}
      and hour >= ${from} and hour <= ${to}::timestamptz + interval '1 millisecond' - interval '1 hour'
      and hour < person.outlined_until
      and (person.pending_from is null or hour + interval '1 hour' + ${contextMilliseconds}::int * interval '1 millisecond' <= person.pending_from)
    order by hour`
}

/** What is stored between two moments, the later one excluded, in parts of at most `pointsAtOnce`. */
async function* thinned(
  sql: Sql,
  options: TrackOptions,
  from: number,
  end: number,
  zoom: number,
): AsyncGenerator<Stretch> {
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
    // The last points are there to judge those before them; they come again with the next part.
    const beforeLast = last - contextMilliseconds > start ? last - contextMilliseconds : last
    const until = points.length < pointsAtOnce ? end : Math.min(end, Math.max(start + 1, beforeLast))
    if (points.length > 0) yield stretchOf(points, start, until, { zoom })
    start = until
  }
}

const instant = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds)
