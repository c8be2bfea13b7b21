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
  const [before] = await tx<{ meters: number; seconds: number }[]>`
    with gone as (
      delete from vehicle_hours where organization_id = ${organizationId} and vehicle_id = ${vehicleId}
        and hour >= ${from} and hour < ${until} returning meters, engine_seconds
    )
    select coalesce(sum(meters), 0)::float8 as meters, coalesce(sum(engine_seconds), 0)::float8 as seconds from gone`
  await tx`
    insert into vehicle_hours (organization_id, vehicle_id, hour, meters, engine_seconds, by_device)
    select ${organizationId}, ${vehicleId}, to_timestamp(row.hour / 1000.0), row.meters, row.seconds, row.by_device
    from unnest(${hours.map(({ hour }) => hour)}::float8[], ${hours.map(({ meters }) => meters)}::float8[],
      ${hours.map(({ engineSeconds }) => engineSeconds)}::float8[], ${hours.map(({ isByDevice }) => isByDevice)}::boolean[])
      as row (hour, meters, seconds, by_device)`
  const sum = (read: (hour: DrivenHour) => number) => hours.reduce((total, hour) => total + read(hour), 0)
  const meters = sum((hour) => hour.meters) - (before?.meters ?? 0)
  const seconds = sum((hour) => hour.engineSeconds) - (before?.seconds ?? 0)
  // Deleted positions lower what is counted, and not what the meters have shown.
  await tx`
    update vehicle_meters set counted_meters = counted_meters + ${meters}, counted_seconds = counted_seconds + ${seconds},
      odometer_meters = greatest(odometer_meters, base_meters + counted_meters + ${meters}),
      engine_seconds = greatest(engine_seconds, base_seconds + counted_seconds + ${seconds}),
      counted_at = greatest(counted_at, ${now})
    where organization_id = ${organizationId} and vehicle_id = ${vehicleId}`
}

/** One writer of a vehicle's meters at a time. */
export async function lockMeters(tx: Tx, organizationId: string, vehicleId: string): Promise<void> {
  await tx`
    insert into vehicle_meters (organization_id, vehicle_id) values (${organizationId}, ${vehicleId}) on conflict do nothing`
  await tx`
    select from vehicle_meters where organization_id = ${organizationId} and vehicle_id = ${vehicleId} for update`
}
