import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { type DrivenHour, drivenHours } from "../../../location/positions/index.ts"
import type { DriverSpan } from "../../../work/vehicles/index.ts"

interface Tenant {
  organizationId: string
  organizationNumber: number
}

interface Counting {
  vehicleId: string
  spans: readonly DriverSpan[]
  /** Full hours. */
  from: Temporal.Instant
  until: Temporal.Instant
}

/** Counts the hours of a vehicle again, and moves its meters by the difference. Twice has the same result. */
export async function countHours(
  sql: Pool,
  tenant: Tenant,
  counting: Counting,
  now: Temporal.Instant,
): Promise<void> {
  const hours = new Map<number, DrivenHour>()
  for (const { email, from, until } of counting.spans)
    for (const driven of await drivenHours(sql, tenant, { email, from, to: until })) {
      const known = hours.get(driven.hour)
      hours.set(driven.hour, {
        hour: driven.hour,
        meters: driven.meters + (known?.meters ?? 0),
        engineSeconds: driven.engineSeconds + (known?.engineSeconds ?? 0),
        isByDevice: driven.isByDevice || (known?.isByDevice ?? false),
      })
    }
  await inTransaction(sql, (tx) => writeHours(tx, tenant.organizationId, counting, [...hours.values()], now))
}

async function writeHours(
  tx: Tx,
  organizationId: string,
  { vehicleId, from, until }: Counting,
  hours: readonly DrivenHour[],
  now: Temporal.Instant,
): Promise<void> {
  await lockMeters(tx, organizationId, vehicleId)
  const gone = await tx<HourSum[]>`
    delete from vehicle_hours where organization_id = ${organizationId} and vehicle_id = ${vehicleId}
      and hour >= ${from} and hour < ${until} returning hour, meters, engine_seconds as seconds`
  await tx`
    insert into vehicle_hours (organization_id, vehicle_id, hour, meters, engine_seconds, by_device)
    select ${organizationId}, ${vehicleId}, to_timestamp(row.hour / 1000.0), row.meters, row.seconds, row.by_device
    from unnest(${hours.map(({ hour }) => hour)}::float8[], ${hours.map(({ meters }) => meters)}::float8[],
      ${hours.map(({ engineSeconds }) => engineSeconds)}::float8[], ${hours.map(({ isByDevice }) => isByDevice)}::boolean[])
      as row (hour, meters, seconds, by_device)`
  const changes = [
    ...hours.map(({ hour, meters, engineSeconds }) => ({ hour, meters, seconds: engineSeconds })),
    ...gone.map(({ hour, meters, seconds }) => ({
      hour: hour.epochMilliseconds,
      meters: -meters,
      seconds: -seconds,
    })),
  ]
  await moveMeters(tx, { organizationId, vehicleId, now }, changes)
}

interface HourSum {
  hour: Temporal.Instant
  meters: number
  seconds: number
}

interface Moving {
  organizationId: string
  vehicleId: string
  now: Temporal.Instant
}

/**
 * Adds the changes of hours to what is counted. Work from before a person read the meters is in that reading already, and work from
 * before the last maintenance does not shorten the next interval: what a plan counts from moves with the meters.
 */
async function moveMeters(
  tx: Tx,
  { organizationId, vehicleId, now }: Moving,
  changes: readonly { hour: number; meters: number; seconds: number }[],
): Promise<void> {
  const list = (name: "hour" | "meters" | "seconds") => changes.map((change) => change[name])
  const ofVehicle = tx`organization_id = ${organizationId} and vehicle_id = ${vehicleId}`
  // Deleted positions lower what is counted, and not what the meters have shown.
  await tx`
    with reading as (
      select max(created_time) filter (where odometer_after is not null) as odometer_at,
        max(created_time) filter (where seconds_after is not null) as engine_at
      from vehicle_readings where ${ofVehicle}
    ), change as (
      select to_timestamp(hour / 1000.0) + interval '1 hour' as until, meters, seconds
      from unnest(${list("hour")}::float8[], ${list("meters")}::float8[], ${list("seconds")}::float8[]) as change (hour, meters, seconds)
    ), before as (
      select odometer_meters, engine_seconds from vehicle_meters where ${ofVehicle}
    ), total as (
      select coalesce(sum(meters), 0) as meters, coalesce(sum(seconds), 0) as seconds,
        coalesce(sum(meters) filter (where until <= odometer_at), 0) as read_meters,
        coalesce(sum(seconds) filter (where until <= engine_at), 0) as read_seconds
      from reading left join change on true
    ), moved as (
      update vehicle_meters set counted_meters = counted_meters + total.meters, counted_seconds = counted_seconds + total.seconds,
        base_meters = base_meters - read_meters, base_seconds = base_seconds - read_seconds,
        odometer_meters = greatest(odometer_meters, base_meters - read_meters + counted_meters + total.meters),
        engine_seconds = greatest(engine_seconds, base_seconds - read_seconds + counted_seconds + total.seconds),
        counted_at = greatest(counted_at, ${now})
      from total where ${ofVehicle} returning odometer_meters, engine_seconds
    ), late as (
      select plans.id, sum(meters) filter (where (until <= odometer_at) is not true) as meters,
        sum(seconds) filter (where (until <= engine_at) is not true) as seconds
      from maintenance_plans plans join change on until <= plans.read_at cross join reading
      where ${ofVehicle} group by plans.id
    )
    update maintenance_plans plans set
      done_meters = done_meters + greatest(0, least(late.meters, moved.odometer_meters - before.odometer_meters)),
      done_seconds = done_seconds + greatest(0, least(late.seconds, moved.engine_seconds - before.engine_seconds))
    from late, moved, before where plans.organization_id = ${organizationId} and plans.id = late.id
      and (late.meters > 0 or late.seconds > 0)`
}

/** One writer of a vehicle's meters at a time. */
export async function lockMeters(tx: Tx, organizationId: string, vehicleId: string): Promise<void> {
  await tx`
    insert into vehicle_meters (organization_id, vehicle_id) values (${organizationId}, ${vehicleId}) on conflict do nothing`
  await tx`
    select from vehicle_meters where organization_id = ${organizationId} and vehicle_id = ${vehicleId} for update`
}
