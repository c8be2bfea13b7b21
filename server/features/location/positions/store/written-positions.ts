import type { Pool } from "#core/database/database.ts"
import type { WrittenPosition, WrittenTrack } from "#packages/geo-files/track.ts"
import { type TrackOptions, trackConditions } from "../read-track.ts"

interface Row {
  recordedAt: Temporal.Instant
  fingerprint: number
  lat: number
  lng: number
  altitude: number | null
  speed: number | null
  bearing: number | null
}

const batchRows = 5_000

/** Every point of the span, as it was sent, read in parts while it is written. */
export function writtenTrack(
  sql: Pool,
  person: { name: string; email: string },
  options: TrackOptions,
): WrittenTrack {
  return { name: person.name, description: person.email, positions: batches(sql, options) }
}

/** A statement a part, each from where the last one ended: one for all of them would run as long as somebody downloads. */
async function* batches(sql: Pool, options: TrackOptions): AsyncGenerator<WrittenPosition[]> {
  let last: Row | undefined
  do {
    const rows: Row[] = await sql<Row[]>`
      select p.recorded_at, p.fingerprint, p.lat, p.lng, p.altitude, p.speed, p.bearing
      from location_points p where ${trackConditions(sql, options)}
        ${last ? sql`and (p.recorded_at, p.fingerprint) > (${last.recordedAt}, ${last.fingerprint})` : sql``}
      order by p.recorded_at, p.fingerprint limit ${batchRows}`
    if (rows.length > 0) yield rows.map(toWritten)
    last = rows.length === batchRows ? rows.at(-1) : undefined
  } while (last)
}

function toWritten(row: Row): WrittenPosition {
  return {
    recordedAt: row.recordedAt.epochMilliseconds,
    position: [row.lng, row.lat],
    ...(row.altitude === null ? {} : { altitudeMeters: row.altitude }),
    ...(row.speed === null ? {} : { speedMetersPerSecond: Math.round((row.speed / 3.6) * 100) / 100 }),
    ...(row.bearing === null ? {} : { bearingDegrees: row.bearing }),
  }
}
