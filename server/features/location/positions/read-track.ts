import type { Fragment, Sql } from "#core/database/database.ts"
import type { Tenant } from "./store/people.ts"
import { defaultSource, sourceCodeOf } from "./thinning/point-codes.ts"
import type { SentPoint } from "./track/session-totals.ts"

export interface TrackOptions {
  tenant: Tenant
  personNumber: number
  /** Both ends included. */
  from: Temporal.Instant
  to: Temporal.Instant
  createdFrom?: string | undefined
}

export interface ReadPoint extends SentPoint {
  speedKilometersPerHour: number | null
}

/** A day of one-second points. More would keep other requests waiting while they are judged. */
const maxPoints = 90_000
/** Where there are more, the first point after each of this many moments stands for the others. */
const sampleCount = 20_000

/** The first points of a time span in time order, at most so many; null is all. */
export function readPoints(sql: Sql, options: TrackOptions, most: number | null): Promise<ReadPoint[]> {
  return columns(
    sql,
    sql`select ${trackColumns(sql)} from location_points p where ${trackConditions(sql, options)}
      order by recorded_at, fingerprint limit ${most}`,
  )
}

export interface ReadTrack {
  points: ReadPoint[]
  isSampled: boolean
}

/**
 * A person's points of a time span in time order: all of them, or an even sample of what would be too many. A sample is
 * good for where they were; the track and its length come from `readSimplifiedTrack`, which omits nothing.
 */
export async function readTrack(sql: Sql, options: TrackOptions): Promise<ReadTrack> {
  const all = await readPoints(sql, options, maxPoints + 1)
  if (all.length <= maxPoints) return { points: all, isSampled: false }
  const span = options.to.epochMilliseconds - options.from.epochMilliseconds
  const step = Math.ceil(span / sampleCount)
  // One index probe a moment: the cost depends on the sample, not on what lies between.
  const points = await columns(
    sql,
    sql`select distinct on (p.recorded_at) p.* from generate_series(0, ${sampleCount}::int) as moment
      cross join lateral (
        select ${trackColumns(sql)} from location_points p
        where ${trackConditions(sql, options)}
          and p.recorded_at >= ${options.from}::timestamptz + moment * ${step}::float8 * interval '1 millisecond'
          and p.recorded_at < ${options.from}::timestamptz + (moment + 1) * ${step}::float8 * interval '1 millisecond'
        order by p.recorded_at limit 1) as p
      order by p.recorded_at`,
  )
  return { points, isSampled: true }
}

function trackColumns(sql: Sql): Fragment {
  return sql`p.recorded_at, p.fingerprint, p.lat, p.lng, p.accuracy, p.speed, p.distance, p.duration`
}

export function trackConditions(
  sql: Sql,
  { tenant, personNumber, from, to, createdFrom }: TrackOptions,
): Fragment {
  const source = createdFrom === undefined ? undefined : sourceCodeOf(createdFrom)
  return sql`p.organization_number = ${tenant.organizationNumber} and p.person_number = ${personNumber}
    and p.recorded_at between ${from} and ${to}
    ${
      createdFrom === undefined
        ? sql``
        : source !== undefined
          ? sql`and p.source = ${source}`
          : createdFrom === defaultSource
            ? sql`and p.source is null and p.extra -> 'createdFrom' is null`
            : sql`and p.source is null and p.extra ->> 'createdFrom' = ${createdFrom}`
    }`
}

interface ColumnsRow {
  at: string | null
  lat: string
  lng: string
  accuracy: string
  speed: string
  distance: string
  duration: string
}

/** One row of joined texts instead of a row object a point: a day of seconds arrives in a fifth of the time. */
async function columns(sql: Sql, query: Fragment): Promise<ReadPoint[]> {
  const rows = await sql<ColumnsRow[]>`
    select string_agg(round(extract(epoch from recorded_at) * 1000)::bigint::text, ',') as at,
      string_agg(lat::text, ',') as lat, string_agg(lng::text, ',') as lng,
      string_agg(coalesce(accuracy::text, ''), ',') as accuracy, string_agg(coalesce(speed::text, ''), ',') as speed,
      string_agg(coalesce(distance::text, ''), ',') as distance, string_agg(coalesce(duration::text, ''), ',') as duration
    from (${query}) as points`
  const row = rows[0]
  if (!row || row.at === null) return []
  const [lat, lng] = [row.lat.split(","), row.lng.split(",")]
  const [accuracy, speed] = [row.accuracy.split(","), row.speed.split(",")]
  const [distance, duration] = [row.distance.split(","), row.duration.split(",")]
  const given = (text: string | undefined) => (text ? Number(text) : undefined)
  return row.at.split(",").map((at, index) => ({
    recordedAt: Number(at),
    position: [Number(lng[index]), Number(lat[index])] as const,
    accuracyMeters: given(accuracy[index]),
    speedKilometersPerHour: given(speed[index]) ?? null,
    sentDistanceKilometers: given(distance[index]),
    sentDurationMinutes: given(duration[index]),
  }))
}
