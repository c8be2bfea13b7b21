import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { vehicleFacts } from "../../../work/vehicles/index.ts"
import { maintenanceErrors } from "./errors.ts"

export const dueStates = ["ok", "soon", "overdue"] as const
export type DueState = (typeof dueStates)[number]

export interface PlanRow {
  organizationId: Id<"organization">
  id: Id<"maintenance-plan">
  vehicleId: string | null
  equipmentId: string | null
  /** Of the vehicle or equipment. */
  subject: string
  hubId: string
  driver: string | null
  name: string
  everyMeters: number | null
  everySeconds: number | null
  everyDays: number | null
  remindMeters: number
  remindSeconds: number
  remindDays: number
  doneOn: string
  doneMeters: number
  doneSeconds: number
  /** When these were read from the meters; null if somebody entered the odometer. */
  readAt: Temporal.Instant | null
  flowId: string | null
  taskId: string | null
  taskProblem: string | null
  isActive: boolean
  /** Until it is due; negative: since then. */
  leftMeters: number | null
  leftSeconds: number | null
  leftDays: number | null
  state: DueState
}

export type PlanValues = Pick<
  PlanRow,
  | "name"
  | "everyMeters"
  | "everySeconds"
  | "everyDays"
  | "remindMeters"
  | "remindSeconds"
  | "remindDays"
  | "flowId"
  | "isActive"
>

/** Every plan of an organization with what is left of it on a day. Plans of deleted vehicles and equipment are left out. */
export function plansOn(sql: Sql, organizationId: string, today: string): Fragment {
  return sql`(
    select due.*, case
        when left_meters <= 0 or left_seconds <= 0 or left_days < 0 then 'overdue'
        when left_meters <= remind_meters or left_seconds <= remind_seconds or left_days <= remind_days then 'soon'
        else 'ok' end as state
    from (
      select plans.*, coalesce(vehicles.name, equipment.name) as subject, coalesce(vehicles.hub_id, equipment.hub_id) as hub_id,
        vehicles.assignee as driver, done_meters + every_meters - coalesce(meters.odometer_meters, 0) as left_meters,
        done_seconds + every_seconds - coalesce(meters.engine_seconds, 0) as left_seconds,
        done_on + every_days - ${today}::date as left_days
      from maintenance_plans plans
      left join ${vehicleFacts(sql, organizationId)} vehicles on vehicles.id = plans.vehicle_id
      left join equipment on equipment.organization_id = plans.organization_id and equipment.id = plans.equipment_id
      left join vehicle_meters meters on meters.organization_id = plans.organization_id and meters.vehicle_id = plans.vehicle_id
      where plans.organization_id = ${organizationId} and coalesce(vehicles.id, equipment.id) is not null
    ) due
  ) plans`
}

const visiblePlans = (sql: Sql, caller: Caller) => inCallersHubs(sql, caller, sql`plans.hub_id`)

export interface PlanFilter {
  vehicleId?: string | undefined
  equipmentId?: string | undefined
  state?: DueState | "due" | undefined
}

export function listPlans(
  sql: Sql,
  caller: Caller,
  filter: PlanFilter,
  { page, today }: { page: PageOptions; today: string },
): Promise<Listed<PlanRow>> {
  const { vehicleId, equipmentId, state } = filter
  return listRows<PlanRow>(sql, page, {
    columns: sql`plans.*`,
    from: sql`from ${plansOn(sql, caller.organizationId, today)} where ${visiblePlans(sql, caller)}
      ${vehicleId ? sql`and vehicle_id = ${vehicleId.toLowerCase()}` : sql``}
      ${equipmentId ? sql`and equipment_id = ${equipmentId.toLowerCase()}` : sql``}
      ${state === "due" ? sql`and is_active and state <> 'ok'` : state ? sql`and is_active and state = ${state}` : sql``}`,
    order: sql`not is_active, array_position(array['overdue', 'soon', 'ok'], state), lower(subject), lower(name), id`,
  })
}

export async function findPlan(sql: Sql, caller: Caller, id: string, today: string): Promise<PlanRow> {
  const [row] = await sql<PlanRow[]>`
    select plans.* from ${plansOn(sql, caller.organizationId, today)}
    where ${visiblePlans(sql, caller)} and id = ${id.toLowerCase()}`
  if (!row) throw maintenanceErrors.noPlan()
  return row
}

export async function insertPlan(
  tx: Tx,
  { organizationId, email }: Caller,
  subject: { vehicleId: string | null; equipmentId: string | null; hubId: string },
  values: PlanValues & Pick<PlanRow, "doneOn" | "doneMeters" | "doneSeconds" | "readAt">,
  now: Temporal.Instant,
): Promise<Id<"maintenance-plan">> {
  const id = newId<"maintenance-plan">()
  await tx`
    insert into maintenance_plans (organization_id, id, vehicle_id, equipment_id, audit_hub_id, name, every_meters, every_seconds, every_days,
      remind_meters, remind_seconds, remind_days, done_on, done_meters, done_seconds, read_at, flow_id, is_active, created_time,
      updated_time, updated_by)
    values (${organizationId}, ${id}, ${subject.vehicleId}, ${subject.equipmentId}, ${subject.hubId}, ${values.name}, ${values.everyMeters},
      ${values.everySeconds}, ${values.everyDays}, ${values.remindMeters}, ${values.remindSeconds}, ${values.remindDays},
      ${values.doneOn}::date, ${values.doneMeters}, ${values.doneSeconds}, ${values.readAt}, ${values.flowId}, ${values.isActive},
      ${now}, ${now}, ${email})`
  return id
}

export async function updatePlan(
  tx: Tx,
  { organizationId, email }: Caller,
  id: string,
  values: PlanValues,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update maintenance_plans set name = ${values.name}, every_meters = ${values.everyMeters},
      every_seconds = ${values.everySeconds}, every_days = ${values.everyDays}, remind_meters = ${values.remindMeters},
      remind_seconds = ${values.remindSeconds}, remind_days = ${values.remindDays}, flow_id = ${values.flowId},
      task_problem = null, is_active = ${values.isActive}, updated_time = ${now}, updated_by = ${email}
    where organization_id = ${organizationId} and id = ${id}`
}

export async function deletePlan(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx`delete from maintenance_plans where organization_id = ${organizationId} and id = ${id}`
}

/** How many plans a vehicle or piece of equipment has. */
export async function countPlans(sql: Sql, organizationId: string, subjectId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from maintenance_plans
    where organization_id = ${organizationId} and (vehicle_id = ${subjectId} or equipment_id = ${subjectId})`
  return row?.count ?? 0
}
