import type { Sql } from "#core/database/database.ts"
import { trackerSources } from "../thinning/point-codes.ts"
import type { Tenant } from "./people.ts"

/** Marks a person's points as changed from a device time on, for computations based on them. */
export async function noteChange(sql: Sql, tenant: Tenant, personNumber: number, at: number): Promise<void> {
  await sql`
    update person_positions set pending_from = least(pending_from, to_timestamp(${at}::float8 / 1000.0))
    where organization_number = ${tenant.organizationNumber} and person_number = ${personNumber}`
}

/**
 * Finds the newest record of a person again after one was changed or removed. A person without any has no
 * newest position; one who never had a row gets one.
 */
export async function moveNewestBack(sql: Sql, tenant: Tenant, personNumber: number): Promise<void> {
  const { organizationNumber } = tenant
  const newest = sql`
    select * from (
      (select recorded_at, received_at, lat, lng, fingerprint, null::text as session_id, speed, accuracy, altitude, bearing,
        battery, source, task_id, case when source = any (${[...trackerSources]}::int[]) then extra -> 'data' end as attributes
      from location_points
      where organization_number = ${organizationNumber} and person_number = ${personNumber}
      order by recorded_at desc, received_at desc limit 1)
      union all
      (select recorded_at, received_at, lat, lng, null, id, speed, null, null, null, null, null, task_id, null::jsonb
      from location_sessions
      where organization_number = ${organizationNumber} and person_number = ${personNumber}
      order by recorded_at desc, received_at desc limit 1)
    ) as records order by recorded_at desc, received_at desc limit 1`
  const found = await sql`
    insert into person_positions (organization_number, person_number, organization_id, user_id, email, last_time, batch_size,
      recorded_at, received_at, lat, lng, fingerprint, session_id, speed, accuracy, altitude, bearing, battery, source, task_id, attributes)
    select ${organizationNumber}::int, ${personNumber}::int, users.organization_id, users.id, users.email,
      floor(extract(epoch from newest.received_at) * 1000)::bigint, 1, newest.*
    from (${newest}) as newest join users on users.organization_id = ${tenant.organizationId} and users.number = ${personNumber}
    on conflict (organization_number, person_number) do update set
      recorded_at = excluded.recorded_at, received_at = excluded.received_at, lat = excluded.lat, lng = excluded.lng,
      fingerprint = excluded.fingerprint, session_id = excluded.session_id, speed = excluded.speed,
      accuracy = excluded.accuracy, altitude = excluded.altitude, bearing = excluded.bearing, battery = excluded.battery,
      source = excluded.source, task_id = excluded.task_id, attributes = excluded.attributes, previous_recorded_at = null, previous_lat = null,
      previous_lng = null, previous_accuracy = null, xid = pg_current_xact_id()
    returning 1`
  if (found.length > 0) return
  const gone = await sql`
    delete from person_positions where organization_number = ${organizationNumber} and person_number = ${personNumber}
      and not exists (${newest}) returning 1`
  if (gone.length === 0) return
  await sql`
    delete from location_outlines where organization_number = ${organizationNumber} and person_number = ${personNumber}`
}
