import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { containing, type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { vehicleFacts, vehicleNameOrder } from "../../work/vehicles/index.ts"
import { type DueState, type PlanRow, plansOn } from "./maintenance/queries.ts"

export interface FleetRow {
  id: Id<"vehicle">
  name: string
  hubId: string
  driver: string | null
  odometerMeters: number
  engineSeconds: number
  /** Of the most urgent plan in use; null without one. */
  state: DueState | null
  planName: string | null
  /** What inspections found and nobody has resolved. */
  openDefects: number
}

export interface FleetFilter {
  q?: string | undefined
  hubId?: string | undefined
  state?: "due" | undefined
}

/** Vehicles with their meters and what is due next, the most urgent first. */
export function listFleet(
  sql: Sql,
  caller: Caller,
  { q, hubId, state }: FleetFilter,
  { page, today }: { page: PageOptions; today: string },
): Promise<Listed<FleetRow>> {
  const { organizationId } = caller
  return listRows<FleetRow>(sql, page, {
    columns: sql`vehicles.id, vehicles.name, vehicles.hub_id, vehicles.assignee as driver,
      coalesce(meters.odometer_meters, 0) as odometer_meters, coalesce(meters.engine_seconds, 0) as engine_seconds,
      due.state, due.name as plan_name, coalesce(defects.count, 0) as open_defects`,
    from: sql`from ${vehicleFacts(sql, organizationId)} vehicles
      left join vehicle_meters meters on meters.organization_id = ${organizationId} and meters.vehicle_id = vehicles.id
      left join (
        select distinct on (vehicle_id) vehicle_id, name, state from ${plansOn(sql, organizationId, today)}
        where is_active and vehicle_id is not null
        order by vehicle_id, array_position(array['overdue', 'soon', 'ok'], state), id
      ) due on due.vehicle_id = vehicles.id
      left join (
        select vehicle_id, count(*)::int as count from vehicle_defects
        where organization_id = ${organizationId} and resolved_at is null group by 1
      ) defects on defects.vehicle_id = vehicles.id
      where ${inCallersHubs(sql, caller, sql`vehicles.hub_id`)}
        ${q === undefined ? sql`` : sql`and vehicles.name ilike ${containing(q)}`}
        ${hubId === undefined ? sql`` : sql`and vehicles.hub_id = ${hubId.toLowerCase()}`}
        ${state === "due" ? sql`and (due.state <> 'ok' or defects.count > 0)` : sql``}`,
    order: sql`defects.count is null, array_position(array['overdue', 'soon'], due.state), ${vehicleNameOrder(sql, "asc")}`,
  })
}

/** Plans of an organization that are due soon or overdue, for alerts. */
export function listDuePlans(sql: Sql, organizationId: string, today: string): Promise<PlanRow[]> {
  return sql<PlanRow[]>`
    select plans.* from ${plansOn(sql, organizationId, today)} where is_active and state <> 'ok' order by id limit 5000`
}

export interface UsageRow {
  vehicleId: string
  meters: number
  engineSeconds: number
  /** On which it moved at least a kilometre. */
  days: number
}

const usedMeters = 1_000

/** What vehicles were used for since a moment, by days in a time zone; vehicles that stood still are left out. */
export function usageOf(
  sql: Sql,
  organizationId: string,
  vehicleIds: readonly string[],
  { since, timeZone }: { since: Temporal.Instant; timeZone: string },
): Promise<UsageRow[]> {
  return sql<UsageRow[]>`
    select vehicle_id, sum(meters) as meters, sum(engine_seconds) as engine_seconds,
      count(*) filter (where meters >= ${usedMeters})::int as days
    from (
      select vehicle_id, (hour at time zone ${timeZone}::text)::date as day, sum(meters) as meters,
        sum(engine_seconds) as engine_seconds
      from vehicle_hours
      where organization_id = ${organizationId} and vehicle_id = any (${[...vehicleIds]}) and hour >= ${since}
      group by 1, 2
    ) days group by 1`
}
