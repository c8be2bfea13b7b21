import type { Caller } from "#core/access/caller.ts"
import { inCallersHubs } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { vehicleFacts } from "../../../work/vehicles/index.ts"
import { maintenanceErrors } from "./errors.ts"

export interface EntryRow {
  id: Id<"maintenance-entry">
  vehicleId: string | null
  equipmentId: string | null
  planId: string | null
  taskId: string | null
  name: string
  note: string | null
  doneOn: string
  odometerMeters: number | null
  engineSeconds: number | null
  cost: number | null
  createdBy: string
  createdTime: Temporal.Instant
}
export type NewEntry = Omit<EntryRow, "id" | "createdBy" | "createdTime"> & {
  hubId: string | null
  /** When its meters were read from those of the vehicle; null if somebody entered them. */
  readAt: Temporal.Instant | null
}

const columns = (sql: Sql) => sql`
  entries.id, entries.vehicle_id, entries.equipment_id, entries.plan_id, entries.task_id, entries.name, entries.note,
  entries.done_on, entries.odometer_meters, entries.engine_seconds, entries.cost::float8 as cost, entries.created_by,
  entries.created_time`

const visibleEntries = (sql: Sql, caller: Caller) => sql`
  from maintenance_entries entries
  left join ${vehicleFacts(sql, caller.organizationId)} vehicles on vehicles.id = entries.vehicle_id
  left join equipment on equipment.organization_id = entries.organization_id and equipment.id = entries.equipment_id
  where entries.organization_id = ${caller.organizationId} and coalesce(vehicles.id, equipment.id) is not null
    and ${inCallersHubs(sql, caller, sql`coalesce(vehicles.hub_id, equipment.hub_id)`)}`

export function listEntries(
  sql: Sql,
  caller: Caller,
  { vehicleId, equipmentId }: { vehicleId?: string | undefined; equipmentId?: string | undefined },
  page: PageOptions,
): Promise<Listed<EntryRow>> {
  return listRows<EntryRow>(sql, page, {
    columns: columns(sql),
    from: sql`${visibleEntries(sql, caller)}
      ${vehicleId ? sql`and entries.vehicle_id = ${vehicleId.toLowerCase()}` : sql``}
      ${equipmentId ? sql`and entries.equipment_id = ${equipmentId.toLowerCase()}` : sql``}`,
    order: sql`entries.done_on desc, entries.id desc`,
  })
}

/** Writes work into the log, and moves its plan on, unless something newer was done. A task's work is written once. */
export async function writeEntry(
  tx: Tx,
  organizationId: string,
  entry: NewEntry,
  { by, now }: { by: string; now: Temporal.Instant },
): Promise<EntryRow | undefined> {
  const [row] = await tx<EntryRow[]>`
    insert into maintenance_entries as entries (organization_id, id, vehicle_id, equipment_id, audit_hub_id, plan_id, task_id, name, note,
      done_on, odometer_meters, engine_seconds, cost, created_by, created_time)
    values (${organizationId}, ${newId()}, ${entry.vehicleId}, ${entry.equipmentId}, ${entry.hubId}, ${entry.planId}, ${entry.taskId},
      ${entry.name}, ${entry.note}, ${entry.doneOn}::date, ${entry.odometerMeters}, ${entry.engineSeconds},
      ${entry.cost}, ${by}, ${now})
    on conflict (organization_id, plan_id, task_id) where task_id is not null do nothing returning ${columns(tx)}`
  if (row && entry.planId)
    await tx`
      update maintenance_plans set done_on = ${entry.doneOn}::date,
        done_meters = coalesce(${entry.odometerMeters}::float8, done_meters),
        done_seconds = coalesce(${entry.engineSeconds}::float8, done_seconds), read_at = ${entry.readAt}, task_id = null, task_problem = null
      where organization_id = ${organizationId} and id = ${entry.planId} and done_on <= ${entry.doneOn}::date`
  return row
}

/** Takes an entry out of the log; the plan stays as it is. */
export async function deleteEntry(tx: Tx, caller: Caller, id: string): Promise<void> {
  const rows = await tx`
    delete from maintenance_entries where organization_id = ${caller.organizationId} and id in (
      select entries.id ${visibleEntries(tx, caller)} and entries.id = ${id.toLowerCase()}) returning 1`
  if (rows.length === 0) throw maintenanceErrors.noEntry()
}
