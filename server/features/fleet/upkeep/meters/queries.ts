import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { findVehicles, vehicleErrors } from "../../../work/vehicles/index.ts"
import { lockMeters } from "./count-hours.ts"
import type { ReadingInput } from "./schemas.ts"

export interface Meters {
  odometerMeters: number
  engineSeconds: number
  countedAt: Temporal.Instant | null
  isByDevice: boolean
}

export interface ReadingRow {
  id: Id<"vehicle-reading">
  odometerBefore: number | null
  odometerAfter: number | null
  secondsBefore: number | null
  secondsAfter: number | null
  note: string | null
  createdBy: string
  createdTime: Temporal.Instant
}

const readingColumns = (sql: Sql) => sql`
  id, odometer_before, odometer_after, seconds_before, seconds_after, note, created_by, created_time`

/** When each vehicle was counted last. */
export async function lastCounts(
  sql: Sql,
  organizationId: string,
  vehicleIds: readonly string[],
): Promise<ReadonlyMap<string, Temporal.Instant>> {
  const rows = await sql<{ vehicleId: string; countedAt: Temporal.Instant }[]>`
    select vehicle_id, counted_at from vehicle_meters
    where organization_id = ${organizationId} and vehicle_id = any (${[...vehicleIds]}) and counted_at is not null`
  return new Map(rows.map(({ vehicleId, countedAt }) => [vehicleId, countedAt]))
}

/** Refuses a vehicle that the caller does not see. */
export async function requireVehicle(sql: Sql, caller: Caller, id: string) {
  const [vehicle] = await findVehicles(sql, caller, [id])
  if (!vehicle) throw vehicleErrors.notFound()
  return vehicle
}

/** The meters of vehicles by id; those that were never counted are left out. */
export async function readMeters(
  sql: Sql,
  organizationId: string,
  vehicleIds: readonly string[],
): Promise<ReadonlyMap<string, Meters>> {
  const rows = await sql<(Meters & { vehicleId: string })[]>`
    select vehicle_id, odometer_meters, engine_seconds, counted_at, coalesce((
      select by_device from vehicle_hours hours where hours.organization_id = meters.organization_id
        and hours.vehicle_id = meters.vehicle_id order by hour desc limit 1), false) as is_by_device
    from vehicle_meters meters where organization_id = ${organizationId} and vehicle_id = any (${[...vehicleIds]})`
  return new Map(rows.map(({ vehicleId, ...meters }) => [vehicleId, meters]))
}

export function listReadings(
  sql: Sql,
  organizationId: string,
  vehicleId: string,
  page: PageOptions,
): Promise<Listed<ReadingRow>> {
  return listRows<ReadingRow>(sql, page, {
    columns: readingColumns(sql),
    from: sql`from vehicle_readings where organization_id = ${organizationId} and vehicle_id = ${vehicleId}`,
    order: sql`created_time desc, id desc`,
  })
}

/** Sets meters to what a person has read from the vehicle, which may be less; counting goes on from there. */
export async function correctMeters(
  tx: Tx,
  caller: Caller,
  { id: vehicleId, hubId }: { id: string; hubId: string },
  { odometerKilometers, engineHours, note }: ReadingInput,
  now: Temporal.Instant,
): Promise<ReadingRow> {
  const { organizationId, email } = caller
  await lockMeters(tx, organizationId, vehicleId)
  const meters = odometerKilometers === undefined ? null : odometerKilometers * 1000
  const seconds = engineHours === undefined ? null : engineHours * 3600
  const [row] = await tx<ReadingRow[]>`
    with before as (
      select odometer_meters, engine_seconds from vehicle_meters
      where organization_id = ${organizationId} and vehicle_id = ${vehicleId}
    ), changed as (
      update vehicle_meters set odometer_meters = coalesce(${meters}::float8, odometer_meters),
        engine_seconds = coalesce(${seconds}::float8, engine_seconds),
        base_meters = coalesce(${meters}::float8 - counted_meters, base_meters),
        base_seconds = coalesce(${seconds}::float8 - counted_seconds, base_seconds)
      where organization_id = ${organizationId} and vehicle_id = ${vehicleId}
    )
    insert into vehicle_readings (organization_id, id, vehicle_id, audit_hub_id, odometer_before, odometer_after, seconds_before,
      seconds_after, note, created_by, created_time)
    select ${organizationId}, ${newId()}, ${vehicleId}, ${hubId}, case when ${meters}::float8 is not null then odometer_meters end,
      ${meters}::float8, case when ${seconds}::float8 is not null then engine_seconds end, ${seconds}::float8,
      ${note?.trim() || null}, ${email}, ${now}
    from before returning ${readingColumns(tx)}`
  if (!row) throw new Error("a reading was not written")
  return row
}
