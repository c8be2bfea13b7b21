import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { inspectionRule } from "#shared/vehicle-inspection.ts"
import { findFlow } from "../../../work/flows/index.ts"
import { vehicleFacts } from "../../../work/vehicles/index.ts"
import { maintenanceErrors } from "../maintenance/errors.ts"

export interface DefectRow {
  id: Id<"vehicle-defect">
  vehicleId: string
  vehicle: string
  hubId: string
  driver: string | null
  taskId: string
  name: string
  value: string
  foundBy: string
  foundAt: Temporal.Instant
  resolvedAt: Temporal.Instant | null
  resolvedBy: string | null
  note: string | null
}

const fromDefects = (sql: Sql, organizationId: string) => sql`
  from vehicle_defects defects join ${vehicleFacts(sql, organizationId)} vehicles on vehicles.id = defects.vehicle_id
  where defects.organization_id = ${organizationId}`
const columns = (sql: Sql) => sql`
  defects.id, defects.vehicle_id, vehicles.name as vehicle, vehicles.hub_id, vehicles.assignee as driver, defects.task_id,
  defects.name, defects.value, defects.found_by, defects.found_at, defects.resolved_at, defects.resolved_by, defects.note`

export function listDefects(
  sql: Sql,
  caller: Caller,
  { vehicleId, isOpen }: { vehicleId?: string | undefined; isOpen?: boolean | undefined },
  page: PageOptions,
): Promise<Listed<DefectRow>> {
  return listRows<DefectRow>(sql, page, {
    columns: columns(sql),
    from: sql`${fromDefects(sql, caller.organizationId)} and ${inCallersHubs(sql, caller, sql`vehicles.hub_id`)}
      ${vehicleId ? sql`and defects.vehicle_id = ${vehicleId.toLowerCase()}` : sql``}
      ${isOpen === undefined ? sql`` : isOpen ? sql`and resolved_at is null` : sql`and resolved_at is not null`}`,
    order: sql`resolved_at is not null, found_at desc, defects.id desc`,
  })
}

/** Open defects of an organization, for alerts. */
export function listOpenDefects(sql: Sql, organizationId: string): Promise<DefectRow[]> {
  return sql<DefectRow[]>`
    select ${columns(sql)} ${fromDefects(sql, organizationId)} and resolved_at is null order by found_at, defects.id limit 5000`
}

/** Resolving twice is resolving once. */
export async function resolveDefect(
  tx: Tx,
  caller: Caller,
  id: string,
  { note, now }: { note: string | null; now: Temporal.Instant },
): Promise<DefectRow> {
  const find = () => tx<DefectRow[]>`
    select ${columns(tx)} ${fromDefects(tx, caller.organizationId)} and defects.id = ${id.toLowerCase()}
      and ${inCallersHubs(tx, caller, tx`vehicles.hub_id`)}`
  const [before] = await find()
  if (!before) throw maintenanceErrors.noDefect()
  await tx`
    update vehicle_defects set resolved_at = ${now}, resolved_by = ${caller.email}, note = ${note}
    where organization_id = ${caller.organizationId} and id = ${before.id} and resolved_at is null`
  const [after] = await find()
  return after ?? before
}

interface Inspected {
  taskId: string
  vehicleId: string
  flowId: string
  hubId: string | null
  foundBy: string
  foundAt: Temporal.Instant
  record: Readonly<Record<string, unknown>>
}

/** Notes what an inspection found, each component once. */
export async function noteDefects(
  tx: Tx,
  organizationId: Id<"organization">,
  inspected: Inspected,
): Promise<void> {
  const flow = await findFlow(tx, { organizationId }, inspected.flowId)
  const defects = new Set(
    (inspectionRule(flow?.configurations ?? [])?.defects ?? []).map((text) => text.toLowerCase()),
  )
  for (const { id, title } of (flow?.pages ?? []).flatMap((page) => page.components)) {
    const value = inspected.record[id]
    const values = Array.isArray(value) ? value : typeof value === "string" ? value.split(/, ?/) : []
    const found = values.find((one) => typeof one === "string" && defects.has(one.trim().toLowerCase()))
    if (typeof found !== "string") continue
    await tx`
      insert into vehicle_defects (organization_id, id, vehicle_id, task_id, audit_hub_id, component_id, name, value, found_by, found_at)
      values (${organizationId}, ${newId()}, ${inspected.vehicleId}, ${inspected.taskId}, ${inspected.hubId}, ${id}, ${title || id}, ${found.trim()},
        ${inspected.foundBy}, ${inspected.foundAt})
      on conflict (organization_id, task_id, component_id) do nothing`
  }
}
