import { type Caller, hasHub, inCallersHubs, may } from "#core/access/caller.ts"
import { readByCaller } from "#core/access/read-by-caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { containing } from "#core/list-rows.ts"
import { ownEntry } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import { organizationCountry, toWireCountry } from "../organizations/index.ts"

export interface HubRow {
  id: Id<"hub">
  organizationId: Id<"organization">
  name: string
  address: string
  lat: number
  lng: number
  /** The hub's own country, else the organization's. */
  countryCode: string | null
  timeZone: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  isInUse: boolean
}

/** Tenant and hub access, once. Every read of hubs starts from this condition. */
export function visibleHubs(sql: Sql, caller: Caller): Fragment {
  return sql`hubs.organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`hubs.id`)}`
}

/** A hub without a country of its own is in the organization's. */
export function hubCountry(sql: Sql): Fragment {
  return sql`coalesce(hubs.country_code, ${organizationCountry(sql, sql`hubs.organization_id`)})`
}

/** A hub is in use while somebody other than owners and the caller has it, or it has finished tasks. */
export function hubColumns(sql: Sql, caller: Caller): Fragment {
  return sql`
    hubs.id, hubs.organization_id, hubs.name, hubs.address, hubs.lat, hubs.lng, hubs.time_zone,
    hubs.created_time, hubs.updated_time, ${hubCountry(sql)} as country_code, (
      exists (
        select from user_hubs h
        join users u on u.organization_id = h.organization_id and u.id = h.user_id
        join roles r on r.organization_id = u.organization_id and r.id = u.role_id
        where h.organization_id = hubs.organization_id and h.hub_id = hubs.id and u.id <> ${caller.userId}
          and not (r.is_default and r.name = 'owner'))
      or exists (
        select from tasks where tasks.organization_id = hubs.organization_id and tasks.hub_id = hubs.id and tasks.status = 'DONE')
    ) as is_in_use`
}

export interface HubFilter {
  name?: string
  q?: string
  byUser?: boolean
  sortBy?: string
  direction: "asc" | "desc"
}

const sortColumns: Record<string, string> = {
  name: "name",
  address: "address",
  createdTime: "created_time",
  updatedTime: "updated_time",
  lat: "lat",
  lng: "lng",
  _id: "id",
}

export function listHubs(
  sql: Sql,
  caller: Caller,
  filter: HubFilter,
  page?: { limit: number; offset: number },
): Promise<HubRow[]> {
  const column = ownEntry(sortColumns, filter.sortBy ?? "name") ?? "name"
  const direction = filter.direction === "asc" ? sql`asc` : sql`desc`
  const own = sql`exists (select from user_hubs h where h.organization_id = hubs.organization_id and h.hub_id = hubs.id and h.user_id = ${caller.userId})`
  return sql<HubRow[]>`
    select ${hubColumns(sql, caller)} from hubs
    where ${visibleHubs(sql, caller)}
      ${filter.byUser && !caller.isOwner ? sql`and ${own}` : sql``}
      ${filter.name === undefined ? sql`` : sql`and name = ${filter.name}`}
      ${filter.q === undefined ? sql`` : sql`and name ilike ${containing(filter.q)}`}
    order by ${column === "name" ? sql`lower(name)` : sql(column)} ${direction}, id ${direction}
    ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`
}

export const findHub = readByCaller<HubRow>(
  (sql, caller, hubIds) => sql`
    select ${hubColumns(sql, caller)} from hubs
    where ${visibleHubs(sql, caller)} and hubs.id = any (${hubIds as string[]})`,
)

/** Id and name of the hubs of an organization, to join with. */
export function hubNames(sql: Sql, organizationId: string): Fragment {
  return sql`(select id, name from hubs where organization_id = ${organizationId})`
}

export function toWireHub(row: HubRow, caller: Caller) {
  return {
    _id: row.id,
    name: row.name,
    address: row.address,
    lat: row.lat,
    lng: row.lng,
    country: toWireCountry(row.countryCode),
    countryCode: row.countryCode,
    timeZone: row.timeZone,
    organizationId: row.organizationId,
    deleteAccess: !row.isInUse && may(caller, "delete/hub"),
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}

/** Whether a hub exists and the caller has access to it. */
export async function hasAccessToHub(sql: Sql, caller: Caller, hubId: string): Promise<boolean> {
  const id = hubId.toLowerCase()
  if (!hasHub(caller, id)) return false
  const rows = await sql`select 1 from hubs where organization_id = ${caller.organizationId} and id = ${id}`
  return rows.length > 0
}

/** Places and time zones of all hubs, for work that no caller asked for; a null zone is the organization's. */
export function placesOfHubs(
  sql: Sql,
  organizationId: string,
): Promise<Pick<HubRow, "id" | "lat" | "lng" | "timeZone">[]> {
  return sql`select id, lat, lng, time_zone from hubs where organization_id = ${organizationId}`
}

/** The name of a hub within a statement that has its id. */
export function nameOfHub(sql: Sql, organizationId: string | Fragment, hubId: Fragment): Fragment {
  return sql`(select hubs.name from hubs where hubs.organization_id = ${organizationId} and hubs.id = ${hubId})`
}
