import type { Sql } from "#core/database/database.ts"
import type { Tenant } from "./people.ts"
import type { NewPoint } from "./store-points.ts"

export interface NewAlarm {
  userId: string
  alarm: string
  recordedAt: number
  /** Null without a fix. */
  lat: number | null
  lng: number | null
}

/** Alarms among points: an SOS must not be lost because the next position follows before anybody looks. */
export function alarmsOf(points: readonly NewPoint[]): NewAlarm[] {
  return points.flatMap(({ attributes, person, recordedAt, lat, lng }) =>
    typeof attributes?.alarm === "string" && attributes.alarm !== ""
      ? [{ userId: person.userId, alarm: attributes.alarm, recordedAt, lat, lng }]
      : [],
  )
}

/** Keeps alarms apart from the newest position. What a device repeats is stored once. */
export async function storeAlarms(
  sql: Sql,
  { organizationId }: Tenant,
  alarms: readonly NewAlarm[],
  now: Temporal.Instant,
): Promise<void> {
  await sql`
    insert into device_alarms (organization_id, user_id, alarm, recorded_at, received_at, lat, lng)
    select ${organizationId}, row.user_id, left(row.alarm, 100), to_timestamp(row.at / 1000.0), ${now}, row.lat, row.lng
    from unnest(${alarms.map(({ userId }) => userId)}::text[], ${alarms.map(({ alarm }) => alarm)}::text[],
      ${alarms.map(({ recordedAt }) => recordedAt)}::float8[], ${alarms.map(({ lat }) => lat)}::float8[],
      ${alarms.map(({ lng }) => lng)}::float8[]) as row (user_id, alarm, at, lat, lng)
    on conflict do nothing`
}

export interface DeviceAlarm {
  userId: string
  alarm: string
  startedAt: Temporal.Instant
  lat: number | null
  lng: number | null
}

/** Alarms that arrived since a moment, each kind of a person once, with its first position. */
export function recentAlarms(
  sql: Sql,
  organizationId: string,
  { receivedSince, recordedSince }: { receivedSince: Temporal.Instant; recordedSince: Temporal.Instant },
): Promise<DeviceAlarm[]> {
  return sql<DeviceAlarm[]>`
    select distinct on (user_id, alarm) user_id, alarm, recorded_at as started_at, lat, lng from device_alarms
    where organization_id = ${organizationId} and received_at > ${receivedSince} and recorded_at > ${recordedSince}
    order by user_id, alarm, recorded_at limit 10000`
}
