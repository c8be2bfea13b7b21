import type { Sql } from "#core/database/database.ts"
import { numberArray, textArray } from "../thinning/array-text.ts"
import type { Tenant, TrackedPerson } from "./people.ts"
import type { NewPoint } from "./store-points.ts"

/** Columns of the newest position that change together when somebody moves. */
const newestColumns = [
  "recorded_at",
  "lat",
  "lng",
  "fingerprint",
  "session_id",
  "speed",
  "accuracy",
  "altitude",
  "bearing",
  "battery",
  "charging",
  "source",
  "task_id",
  "attributes",
] as const
const isNewer = "excluded.recorded_at > newest.recorded_at"
const moved = [
  ...newestColumns.map((name) => [name, `excluded.${name}`, `newest.${name}`]),
  ...(["recorded_at", "lat", "lng", "accuracy"] as const).map((name) => [
    `previous_${name}`,
    `newest.${name}`,
    `newest.previous_${name}`,
  ]),
  ["xid", "pg_current_xact_id()", "newest.xid"],
]
  .map(([name, after, before]) => `${name} = case when ${isNewer} then ${after} else ${before} end`)
  .join(",\n      ")

export interface NewestChange {
  person: TrackedPerson
  /** Times of receipt to reserve. */
  count: number
  newest: Pick<NewPoint, "recordedAt" | "lat" | "lng"> &
    Partial<Omit<NewPoint, "person" | "recordedAt" | "lat" | "lng">> & { sessionId?: string }
  /** The oldest of what arrived. */
  oldest: number
}

/**
 * Reserves times of receipt for each person and moves the newest position where the given one is newer.
 * Returns `person_number, last_time, batch_size`: times `last_time - batch_size + 1` to `last_time` are taken.
 */
export function upsertPeople(sql: Sql, tenant: Tenant, changes: readonly NewestChange[], now: number) {
  const newest = changes.map((change) => change.newest)
  const numbers = (read: (point: NewestChange["newest"]) => number | null | undefined) =>
    numberArray(newest.map((point) => read(point) ?? null))
  const lastTime = "greatest(excluded.last_time, newest.last_time + excluded.batch_size)"
  return sql`
    insert into person_positions as newest (organization_number, person_number, organization_id, user_id, email,
      last_time, batch_size, received_at, pending_from, recorded_at, lat, lng, fingerprint, session_id, speed, accuracy,
      altitude, bearing, battery, charging, source, task_id, attributes)
    select ${tenant.organizationNumber}::int, person_number, ${tenant.organizationId}::text, user_id, email,
      ${now}::bigint + batch_size - 1, batch_size, to_timestamp((${now}::bigint + batch_size - 1) / 1000.0),
      to_timestamp(oldest / 1000.0), to_timestamp(recorded_at / 1000.0), lat, lng, fingerprint, session_id, speed,
      accuracy, altitude, bearing, battery, charging, source, task_id, attributes
    from unnest(
      ${numberArray(changes.map((change) => change.person.number))}::int[],
      ${textArray(changes.map((change) => change.person.userId))}::text[],
      ${textArray(changes.map((change) => change.person.email))}::text[],
      ${numberArray(changes.map((change) => change.count))}::int[],
      ${numberArray(changes.map((change) => change.oldest))}::float8[],
      ${numbers((point) => point.recordedAt)}::float8[],
      ${numbers((point) => point.lat)}::float8[],
      ${numbers((point) => point.lng)}::float8[],
      ${numbers((point) => point.fingerprint)}::int[],
      ${textArray(newest.map((point) => point.sessionId ?? null))}::text[],
      ${numbers((point) => point.speed)}::real[],
      ${numbers((point) => point.accuracy)}::real[],
      ${numbers((point) => point.altitude)}::real[],
      ${numbers((point) => point.bearing)}::smallint[],
      ${numbers((point) => point.battery)}::smallint[],
      ${textArray(newest.map((point) => (point.charging === null || point.charging === undefined ? null : String(point.charging))))}::boolean[],
      ${numbers((point) => point.source)}::smallint[],
      ${textArray(newest.map((point) => point.taskId ?? null))}::text[],
      ${textArray(newest.map((point) => (point.attributes ? JSON.stringify(point.attributes) : null)))}::jsonb[]
    ) as person (person_number, user_id, email, batch_size, oldest, recorded_at, lat, lng, fingerprint, session_id, speed,
      accuracy, altitude, bearing, battery, charging, source, task_id, attributes)
    order by person_number
    on conflict (organization_number, person_number) do update set
      email = excluded.email, batch_size = excluded.batch_size,
      last_time = ${sql.unsafe(lastTime)},
      received_at = case when ${sql.unsafe(isNewer)} then to_timestamp(${sql.unsafe(lastTime)} / 1000.0) else newest.received_at end,
      pending_from = least(newest.pending_from, excluded.pending_from),
      ${sql.unsafe(moved)}
    returning person_number, last_time, batch_size, fingerprint as newest_fingerprint,
      round(extract(epoch from recorded_at) * 1000)::bigint as newest_at`
}
