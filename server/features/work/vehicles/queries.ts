import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import { containing, type Listed, listRows, orderOf } from "#core/list-rows.ts"
import { type Direction, ownEntry, type PageOptions } from "#core/paging.ts"
import { nameOfHub } from "../../organization/hubs/index.ts"
import { firstNameOf } from "../../people/users/index.ts"
import { builtCondition } from "./vehicle-filter.ts"
import type { VehicleRow } from "./wire.ts"

/** Tenant and hubs, once. Every read of vehicles starts from this condition. */
export function visibleVehicles(sql: Sql, caller: Caller): Fragment {
  return sql`vehicles.organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`vehicles.hub_id`)}`
}

export function vehicleColumns(sql: Sql): Fragment {
  return sql`vehicles.id, vehicles.organization_id, vehicles.hub_id, vehicles.name, vehicles.assignee, vehicles.speed,
    vehicles.fixed_cost, vehicles.tags, vehicles.odd_even, vehicles.working_time, vehicles.break_time, vehicles.capacity, vehicles.terms,
    vehicles.created_time, vehicles.updated_time, (
      select json_build_object('_id', hubs.id, 'name', hubs.name, 'address', hubs.address) from hubs
      where hubs.organization_id = vehicles.organization_id and hubs.id = vehicles.hub_id) as hub`
}

export interface VehicleFilter {
  hubIds?: readonly string[]
  name?: string
  q?: string
  tags?: string
  assignee?: string
  /** Conditions over any field, and the moment that relative times refer to. */
  built?: { text: string; now: Temporal.Instant } | undefined
}

const sortColumns: Record<string, string> = {
  _id: "id",
  createdTime: "created_time",
  updatedTime: "updated_time",
  assignee: "assignee",
  speed: "speed",
  fixedCost: "fixed_cost",
  hubId: "hub_id",
  oddEven: "odd_even",
  tags: "tags",
  workingTime: "working_time",
  breakTime: "break_time",
  capacity: "capacity",
}

/** Orders by names, also those that lists show in place of ids and e-mails. */
const namedOrders: Record<string, (sql: Sql, organizationId: string) => Fragment> = {
  name: (sql) => sql`vehicles.name`,
  "hub.name": (sql, organizationId) => nameOfHub(sql, organizationId, sql`vehicles.hub_id`),
  "assignee.name": (sql, organizationId) => firstNameOf(sql, organizationId, sql`array[vehicles.assignee]`),
}

export function listVehicles(
  sql: Sql,
  caller: Caller,
  filter: VehicleFilter,
  { page, sortBy, direction }: { page: PageOptions; sortBy: string; direction: Direction },
): Promise<Listed<VehicleRow>> {
  const contains = (column: Fragment, text: string | undefined) =>
    text === undefined ? sql`` : sql`and ${column} ilike ${containing(text)}`
  const condition = sql`${visibleVehicles(sql, caller)}
    ${filter.hubIds ? sql`and vehicles.hub_id = any (${filter.hubIds as string[]})` : sql``}
    ${contains(sql`vehicles.name`, filter.name)} ${contains(sql`vehicles.name`, filter.q)}
    ${contains(sql`vehicles.assignee`, filter.assignee)}
    ${filter.built ? sql`and ${builtCondition(sql, caller, filter.built.text, filter.built.now)}` : sql``}
    ${filter.tags === undefined ? sql`` : sql`and exists (select from unnest(vehicles.tags) tag where true ${contains(sql`tag`, filter.tags)})`}`
  const named = ownEntry(namedOrders, sortBy)
  return listRows<VehicleRow>(sql, page, {
    columns: vehicleColumns(sql),
    from: sql`from vehicles where ${condition}`,
    order: named
      ? nameOrder(sql, named(sql, caller.organizationId), direction)
      : orderOf(sql, sortColumns, { sortBy, direction }, "created_time"),
  })
}

export function vehicleNameOrder(sql: Sql, direction: Direction): Fragment {
  return nameOrder(sql, sql`vehicles.name`, direction)
}

/** The order of names in which people count: "Van 2" before "Van 10". Numbers are compared with twelve digits. */
function nameOrder(sql: Sql, name: Fragment, direction: Direction): Fragment {
  const order = direction === "asc" ? sql`asc` : sql`desc`
  const padded = sql`regexp_replace(regexp_replace(${name}, '([0-9]+)', '00000000000\\1', 'g'), '[0-9]*([0-9]{12})', '\\1', 'g')`
  return sql`${padded} ${order}, vehicles.id ${order}`
}

export function findVehicles(sql: Sql, caller: Caller, ids: readonly string[]): Promise<VehicleRow[]> {
  return sql<VehicleRow[]>`
    select ${vehicleColumns(sql)} from vehicles
    where ${visibleVehicles(sql, caller)} and vehicles.id = any (${ids.map((id) => id.toLowerCase())})`
}

/** Everything that drives from a hub. */
export function findVehiclesOfHub(sql: Sql, caller: Caller, hubId: string): Promise<VehicleRow[]> {
  return sql<VehicleRow[]>`
    select ${vehicleColumns(sql)} from vehicles
    where ${visibleVehicles(sql, caller)} and vehicles.hub_id = ${hubId.toLowerCase()} order by vehicles.created_time desc, vehicles.id desc`
}

/** The vehicles that have a driver, in one hub or in all of the caller's. */
export function findDrivenVehicles(
  sql: Sql,
  caller: Caller,
  hubId: string | undefined,
): Promise<VehicleRow[]> {
  return sql<VehicleRow[]>`
    select ${vehicleColumns(sql)} from vehicles
    where ${visibleVehicles(sql, caller)} and vehicles.assignee is not null and vehicles.assignee <> ''
      ${hubId === undefined ? sql`` : sql`and vehicles.hub_id = ${hubId.toLowerCase()}`}
    order by vehicles.name, vehicles.id`
}

export async function lockVehicle(tx: Tx, caller: Caller, id: string): Promise<VehicleRow | undefined> {
  const rows = await tx<VehicleRow[]>`
    select ${vehicleColumns(tx)} from vehicles
    where ${visibleVehicles(tx, caller)} and vehicles.id = ${id.toLowerCase()} for update of vehicles`
  return rows[0]
}

export function lockVehiclesOfHub(tx: Tx, caller: Caller, hubId: string): Promise<VehicleRow[]> {
  return tx<VehicleRow[]>`
    select ${vehicleColumns(tx)} from vehicles
    where ${visibleVehicles(tx, caller)} and vehicles.hub_id = ${hubId.toLowerCase()} order by vehicles.id for update of vehicles`
}

/** Working and break times of all vehicles, for work that no caller asked for. */
export function workTimesOfVehicles(
  sql: Sql,
  organizationId: string,
): Promise<
  Pick<
    VehicleRow,
    "id" | "hubId" | "assignee" | "speed" | "tags" | "workingTime" | "breakTime" | "capacity" | "terms"
  >[]
> {
  return sql`
    select id, hub_id, assignee, speed, tags, working_time, break_time, capacity, terms from vehicles where organization_id = ${organizationId}`
}

/** Id, name, hub, driver and tags of the vehicles of an organization, to join with. */
export function vehicleFacts(sql: Sql, organizationId: string): Fragment {
  return sql`(select id, name, hub_id, assignee, tags from vehicles where organization_id = ${organizationId})`
}
