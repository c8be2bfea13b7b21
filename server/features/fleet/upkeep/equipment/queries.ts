import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import { databaseErrorOf, type Fragment, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { containing, type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { auditedTask } from "../../../work/tasks/index.ts"
import { equipmentErrors } from "./errors.ts"

export interface EquipmentRow {
  id: Id<"equipment">
  hubId: Id<"hub">
  code: string
  name: string
  kind: string | null
  customer: string | null
  address: string | null
  lat: number | null
  lng: number | null
  note: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  updatedBy: string | null
}
export type EquipmentValues = Omit<EquipmentRow, "id" | "createdTime" | "updatedTime" | "updatedBy">

const maxEquipment = 100_000
const columns = (sql: Sql) => sql`
  equipment.id, equipment.hub_id, equipment.code, equipment.name, equipment.kind, equipment.customer, equipment.address,
  equipment.lat, equipment.lng, equipment.note, equipment.created_time, equipment.updated_time, equipment.updated_by`

export function visibleEquipment(sql: Sql, caller: Caller): Fragment {
  return sql`equipment.organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`equipment.hub_id`)}`
}

export interface EquipmentFilter {
  q?: string | undefined
  code?: string | undefined
  hubId?: string | undefined
  kind?: string | undefined
}

export function listEquipment(
  sql: Sql,
  caller: Caller,
  { q, code, hubId, kind }: EquipmentFilter,
  page: PageOptions,
): Promise<Listed<EquipmentRow>> {
  const text = q === undefined ? "" : containing(q)
  return listRows<EquipmentRow>(sql, page, {
    columns: columns(sql),
    from: sql`from equipment where ${visibleEquipment(sql, caller)}
      ${q === undefined ? sql`` : sql`and (name ilike ${text} or code ilike ${text} or customer ilike ${text} or address ilike ${text})`}
      ${code === undefined ? sql`` : sql`and lower(code) = lower(${code.trim()})`}
      ${hubId === undefined ? sql`` : sql`and hub_id = ${hubId.toLowerCase()}`}
      ${kind === undefined ? sql`` : sql`and kind = ${kind}`}`,
    order: sql`lower(name), id`,
  })
}

export async function findEquipment(sql: Sql, caller: Caller, id: string): Promise<EquipmentRow> {
  const [row] = await sql<EquipmentRow[]>`
    select ${columns(sql)} from equipment where ${visibleEquipment(sql, caller)} and id = ${id.toLowerCase()}`
  if (!row) throw equipmentErrors.notFound()
  return row
}

export async function insertEquipment(
  tx: Tx,
  { organizationId, email }: Caller,
  values: EquipmentValues,
  now: Temporal.Instant,
): Promise<EquipmentRow> {
  const [count] = await tx<{ count: number }[]>`
    select count(*)::int as count from equipment where organization_id = ${organizationId}`
  if ((count?.count ?? 0) >= maxEquipment) throw equipmentErrors.tooMany()
  const [row] = await onceByCode(
    () => tx<EquipmentRow[]>`
      insert into equipment (organization_id, id, hub_id, code, name, kind, customer, address, lat, lng, note, created_time,
        updated_time, updated_by)
      values (${organizationId}, ${newId()}, ${values.hubId}, ${values.code}, ${values.name}, ${values.kind},
        ${values.customer}, ${values.address}, ${values.lat}, ${values.lng}, ${values.note}, ${now}, ${now}, ${email})
      returning ${columns(tx)}`,
  )
  if (!row) throw new Error("equipment was not written")
  return row
}

export async function updateEquipment(
  tx: Tx,
  caller: Caller,
  id: string,
  values: EquipmentValues,
  now: Temporal.Instant,
): Promise<EquipmentRow> {
  const [row] = await onceByCode(
    () => tx<EquipmentRow[]>`
      update equipment set hub_id = ${values.hubId}, code = ${values.code}, name = ${values.name}, kind = ${values.kind},
        customer = ${values.customer}, address = ${values.address}, lat = ${values.lat}, lng = ${values.lng},
        note = ${values.note}, updated_time = ${now}, updated_by = ${caller.email}
      where ${visibleEquipment(tx, caller)} and id = ${id.toLowerCase()} returning ${columns(tx)}`,
  )
  if (!row) throw equipmentErrors.notFound()
  return row
}

export async function deleteEquipment(tx: Tx, caller: Caller, id: string): Promise<EquipmentRow> {
  const [row] = await tx<EquipmentRow[]>`
    delete from equipment where ${visibleEquipment(tx, caller)} and id = ${id.toLowerCase()} returning ${columns(tx)}`
  if (!row) throw equipmentErrors.notFound()
  await tx`delete from maintenance_plans where organization_id = ${caller.organizationId} and equipment_id = ${row.id}`
  return row
}

async function onceByCode<Row>(write: () => Promise<Row>): Promise<Row> {
  try {
    return await write()
  } catch (error) {
    if (databaseErrorOf(error)?.constraint !== "equipment_code") throw error
    throw equipmentErrors.codeTaken()
  }
}

export interface EquipmentTask {
  taskId: string
  title: string | null
  flow: string
  doneBy: string | null
  doneAt: Temporal.Instant
}

/** The finished tasks at a piece of equipment that the caller sees, newest first. */
export function listEquipmentTasks(
  sql: Sql,
  caller: Caller,
  equipmentId: string,
  page: PageOptions,
): Promise<Listed<EquipmentTask>> {
  return listRows<EquipmentTask>(sql, page, {
    columns: sql`task_id, title, flow, done_by, done_at`,
    from: sql`from equipment_tasks where organization_id = ${caller.organizationId} and equipment_id = ${equipmentId}
      and ${auditedTask.isVisible(sql, caller, sql`equipment_tasks.task_id`)}`,
    order: sql`done_at desc, task_id`,
  })
}
