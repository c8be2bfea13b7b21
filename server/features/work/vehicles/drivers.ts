import type { Fragment, Sql, Tx } from "#core/database/database.ts"

/** Somebody drove a vehicle from one moment to just before another. */
export interface DriverSpan {
  vehicleId: string
  email: string
  from: Temporal.Instant
  until: Temporal.Instant
}

/** A vehicle that went with its hub has left its drivers behind. */
const ofExisting = (sql: Sql): Fragment => sql`exists (
  select from vehicles where vehicles.organization_id = drivers.organization_id and vehicles.id = drivers.vehicle_id)`

/** Notes who drives vehicles from now on; null is nobody. */
export async function noteDrivers(
  tx: Tx,
  organizationId: string,
  vehicles: readonly { id: string; assignee: string | null }[],
  now: Temporal.Instant,
): Promise<void> {
  const rows = tx`unnest(${vehicles.map(({ id }) => id)}::text[], ${vehicles.map(({ assignee }) => assignee ?? "")}::text[])
    as row (id, email)`
  await tx`
    update vehicle_drivers drivers set ended_at = greatest(drivers.started_at, ${now}) from ${rows}
    where drivers.organization_id = ${organizationId} and drivers.vehicle_id = row.id and drivers.ended_at is null
      and drivers.email <> row.email`
  await tx`
    insert into vehicle_drivers (organization_id, vehicle_id, started_at, email)
    select ${organizationId}, row.id, ${now}, row.email from ${rows}
    where row.email <> '' and not exists (
      select from vehicle_drivers open
      where open.organization_id = ${organizationId} and open.vehicle_id = row.id and open.ended_at is null)
    on conflict (organization_id, vehicle_id, started_at) do update set email = excluded.email, ended_at = null`
}

/**
 * Who drove the vehicles of an organization in a span. A person drives the vehicle that was assigned to them last, so that
 * nobody drives two at a time.
 */
export function driverSpans(
  sql: Sql,
  organizationId: string,
  { from, until }: { from: Temporal.Instant; until: Temporal.Instant },
): Promise<DriverSpan[]> {
  return sql<DriverSpan[]>`
    select vehicle_id, email, greatest(started_at, ${from}) as "from", least(ended_at, next_start, ${until}) as until
    from (
      select *, lead(started_at) over (partition by email order by started_at, vehicle_id) as next_start
      from vehicle_drivers drivers where organization_id = ${organizationId} and ${ofExisting(sql)}
    ) driver
    where started_at < ${until} and coalesce(least(ended_at, next_start), 'infinity') > ${from}
    order by vehicle_id, started_at`
}

/** The vehicles that these people of an organization drive now. */
export async function vehiclesDrivenBy(
  sql: Sql,
  organizationId: string,
  emails: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ vehicleId: string }[]>`
    select vehicle_id from vehicle_drivers drivers
    where organization_id = ${organizationId} and ${ofExisting(sql)} and ended_at is null and email = any (${[...emails]})`
  return rows.map(({ vehicleId }) => vehicleId)
}

/** Organizations whose vehicles had drivers since a moment, after an id. */
export async function organizationsWithDrivers(
  sql: Sql,
  { since, after, limit }: { since: Temporal.Instant; after: string; limit: number },
): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select distinct organization_id from vehicle_drivers
    where organization_id > ${after} and (ended_at is null or ended_at > ${since}) order by 1 limit ${limit}`
  return rows.map(({ organizationId }) => organizationId)
}

/** The vehicle that somebody drives: the one that was assigned to them last. */
export async function vehicleOf(
  sql: Sql,
  organizationId: string,
  email: string,
): Promise<{ id: string; hubId: string } | undefined> {
  const rows = await sql<{ id: string; hubId: string }[]>`
    select vehicles.id, vehicles.hub_id from vehicle_drivers drivers
    join vehicles on vehicles.organization_id = drivers.organization_id and vehicles.id = drivers.vehicle_id
    where drivers.organization_id = ${organizationId} and drivers.ended_at is null and drivers.email = ${email}
    order by drivers.started_at desc, vehicles.id desc limit 1`
  return rows[0]
}
