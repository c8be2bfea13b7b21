import type { RowChange } from "#core/audit-trail/audited-object.ts"
import { publish } from "#core/events/publish.ts"
import { lockMeters } from "./count-hours.ts"
import { meterErrors } from "./errors.ts"

/** Takes a reading out of the meters again, or back in; what was counted since stays counted. Only the latest reading goes. */
export async function undoReading({ tx, caller, live, plan, row }: RowChange): Promise<void> {
  const { organizationId } = caller
  const vehicleId = String(row.vehicle_id)
  await lockMeters(tx, organizationId, vehicleId)
  const later = await tx`
    select 1 from vehicle_readings
    where organization_id = ${organizationId} and vehicle_id = ${vehicleId} and id <> ${String(row.id)}
      and created_time > ${String(row.created_time)}::timestamptz limit 1`
  if (later.length > 0) throw meterErrors.notLatest()
  const sign = plan === "remove" ? -1 : 1
  const change = (after: unknown, before: unknown) =>
    after === null || after === undefined ? 0 : sign * (Number(after) - Number(before))
  const meters = change(row.odometer_after, row.odometer_before)
  const seconds = change(row.seconds_after, row.seconds_before)
  await tx`
    update vehicle_meters set odometer_meters = odometer_meters + ${meters}::float8, base_meters = base_meters + ${meters}::float8,
      engine_seconds = engine_seconds + ${seconds}::float8, base_seconds = base_seconds + ${seconds}::float8
    where organization_id = ${organizationId} and vehicle_id = ${vehicleId}`
  const hubId = typeof row.audit_hub_id === "string" ? { hubId: row.audit_hub_id } : {}
  await publish(tx, live, "vehicle.changed", {
    organizationId,
    ...hubId,
    content: { vehicleIds: [vehicleId] },
  })
}
