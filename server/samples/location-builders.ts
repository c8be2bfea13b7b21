import { newToken } from "#core/access/token.ts"
import type { Pool } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { newDeviceKey } from "../features/location/devices/keys.ts"
import type { Organization, Person } from "./builders.ts"

let count = 0

/** A session of a person that ran for an hour until now, or still runs. */
export async function aSession(
  sql: Pool,
  options: { org: Organization; person: Person; startedAt?: Temporal.Instant; isOpen?: boolean },
): Promise<{ id: string }> {
  // Some minutes apart, because the id contains the start to the second.
  const startedAt = options.startedAt ?? Temporal.Now.instant().subtract({ minutes: 60 + 10 * ++count })
  const digits = startedAt.toString().slice(0, 19).replace(/\D/g, "")
  const id = `${options.org.id}_${options.person.email}_${digits}s`
  await sql`
    insert into location_sessions (organization_number, person_number, id, received_at, recorded_at, started_at, lat, lng,
      finished_at, finish_lat, finish_lng, total_distance, total_duration, tracked_minutes, created_by, updated_at)
    select organizations.number, users.number, ${id}, ${startedAt}, ${startedAt}, ${startedAt}::timestamptz, 52, 5,
      case when ${options.isOpen ?? false} then null else ${startedAt}::timestamptz + interval '1 hour' end, 52.1, 5, 11.119, 60, 60,
      ${options.person.email}, ${startedAt}
    from users join organizations on organizations.id = users.organization_id
    where users.organization_id = ${options.org.id} and users.id = ${options.person.id}`
  return { id }
}

/** A link that shows the owner's day. */
export async function aTrackingLink(sql: Pool, options: { org: Organization }): Promise<{ id: string }> {
  const id = newId()
  await sql`
    insert into location_links (organization_id, id, user_id, day, created_time, expires_at)
    values (${options.org.id}, ${id}, ${options.org.owner.id}, current_date, now(), now() + interval '7 days')`
  return { id }
}

/** A key with which a device sends the person's positions. */
export async function aDeviceKey(
  sql: Pool,
  options: { org: Organization; person: Person },
): Promise<{ id: string; key: string }> {
  const id = newId()
  const { key, hash } = newDeviceKey(options.org.id)
  await sql`
    insert into device_keys (organization_id, id, hash, user_id, name, created_time)
    values (${options.org.id}, ${id}, ${hash}, ${options.person.id}, 'Phone', now())`
  return { id, key }
}

/** A feed of the person's own tasks. */
export async function aCalendarFeed(
  sql: Pool,
  options: { org: Organization; person: Person },
): Promise<{ id: string; token: string }> {
  const id = newId()
  const { token, hash } = newToken(options.org.id)
  await sql`
    insert into calendar_feeds (organization_id, id, hash, kind, target_id, user_id, created_time)
    values (${options.org.id}, ${id}, ${hash}, 'person', ${options.person.id}, ${options.person.id}, now())`
  return { id, token }
}

/** A registered GPS tracker of the person. */
export async function aTracker(
  sql: Pool,
  options: { org: Organization; person: Person; imei?: string; protocol?: string },
): Promise<{ id: string; imei: string }> {
  const id = newId()
  const imei = options.imei ?? String(350_000_000_000_000 + Math.floor(Math.random() * 1e13))
  await sql`
    insert into trackers (organization_id, id, organization_number, imei, protocol, name, user_id, created_time)
    select id, ${id}, number, ${imei}, ${options.protocol ?? "teltonika"}, 'Van', ${options.person.id}, now()
    from organizations where id = ${options.org.id}`
  return { id, imei }
}
