import type { Pool } from "#core/database.ts"
import { type TrackWish, trackConditions } from "./read-track.ts"
import type { WrittenPosition, WrittenTrack } from "./track/written-track.ts"

interface Row {
  at: number
  lat: number
  lng: number
  altitude: number | null
  speed: number | null
  bearing: number | null
}

const batchRows = 5_000

/** Every point of the span, as it was sent, read in batches while it is written. */
export function writtenTrack(
  sql: Pool,
  person: { name: string; email: string },
  wish: TrackWish,
): WrittenTrack {
  return { name: person.name, description: person.email, positions: batches(sql, wish) }
}

async function* batches(sql: Pool, wish: TrackWish): AsyncGenerator<WrittenPosition[]> {
  const rows = sql<Row[]>`
    select round(extract(epoch from p.recorded_at) * 1000)::bigint as at, p.lat, p.lng, p.altitude, p.speed, p.bearing
    from location_points p where ${trackConditions(sql, wish)} order by p.recorded_at, p.fingerprint`
  for await (const batch of rows.cursor(batchRows)) yield batch.map(toWritten)
}

function toWritten(row: Row): WrittenPosition {
  return {
    recordedAt: row.at,
    position: [row.lng, row.lat],
    ...(row.altitude === null ? {} : { altitudeMeters: row.altitude }),
    ...(row.speed === null ? {} : { speedMetersPerSecond: Math.round((row.speed / 3.6) * 100) / 100 }),
    ...(row.bearing === null ? {} : { bearingDegrees: row.bearing }),
  }
}
