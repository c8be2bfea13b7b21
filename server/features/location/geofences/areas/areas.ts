import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import {
  databaseErrorOf,
  type Fragment,
  inTransaction,
  json,
  type Sql,
  type Tx,
} from "#core/database/database.ts"
import { type Id, newIds } from "#core/ids.ts"
import { containing, type Listed, listRows } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { type AreaShape, areaOf } from "#packages/geodesy/area.ts"
import type { UnwrappedBox } from "#packages/geodesy/geodesy.ts"
import { geofenceErrors } from "./errors.ts"

export const maxGeofences = 10_000

export interface GeofenceRow {
  id: Id<"geofence">
  organizationId: string
  hubId: string | null
  name: string
  groupName: string | null
  color: string
  shape: AreaShape
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
  updatedBy: string | null
}

export interface GeofenceValues {
  hubId: string | null
  name: string
  group: string | null
  color: string
  shape: AreaShape
}

const columns = (sql: Sql) => sql`
  id, organization_id, hub_id, name, group_name, color, shape, created_time, updated_time, updated_by`

/** Areas of the whole organization, and of the caller's hubs. Every read starts from this condition. */
export function visibleGeofences(sql: Sql, caller: Caller): Fragment {
  return sql`geofences.organization_id = ${caller.organizationId}
    and (geofences.hub_id is null or ${inCallersHubs(sql, caller, sql`geofences.hub_id`)})`
}

/** Whether an area's box has something in common with a box. */
export function touches(sql: Sql, { west, south, east, north }: UnwrappedBox): Fragment {
  const box = (turn: number) =>
    sql`area && box(point(${west + turn}::float8, ${south}::float8), point(${east + turn}::float8, ${north}::float8))`
  return sql`(${box(0)} or ${box(360)} or ${box(-360)})`
}

export interface GeofenceFilter {
  hubId?: string | undefined
  group?: string | undefined
  q?: string | undefined
  box?: UnwrappedBox | undefined
}

export function listGeofences(
  sql: Sql,
  caller: Caller,
  { hubId, group, q, box }: GeofenceFilter,
  page: PageOptions,
): Promise<Listed<GeofenceRow>> {
  return listRows<GeofenceRow>(sql, page, {
    columns: columns(sql),
    from: sql`from geofences where ${visibleGeofences(sql, caller)}
      ${hubId === undefined ? sql`` : sql`and hub_id = ${hubId.toLowerCase()}`}
      ${group === undefined ? sql`` : sql`and group_name = ${group}`}
      ${q === undefined ? sql`` : sql`and name ilike ${containing(q)}`}
      ${box ? sql`and ${touches(sql, box)}` : sql``}`,
    order: sql`lower(group_name) nulls first, lower(name), id`,
  })
}

export async function findGeofence(sql: Sql, caller: Caller, id: string): Promise<GeofenceRow> {
  const rows = await sql<GeofenceRow[]>`
    select ${columns(sql)} from geofences where ${visibleGeofences(sql, caller)} and id = ${id.toLowerCase()}`
  if (!rows[0]) throw geofenceErrors.notFound()
  return rows[0]
}

/** Names of these geofences, for those who may see them. */
export async function geofenceNames(
  sql: Sql,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from geofences where organization_id = ${organizationId} and id = any (${[...ids]})`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const boxColumn = (sql: Sql, shape: AreaShape) => {
  const { west, south, east, north } = areaOf(shape).box
  return sql`box(point(${west}::float8, ${south}::float8), point(${east}::float8, ${north}::float8))`
}

/** Inserts geofences; with `replaces`, one that has the name of another takes its place. */
export async function insertGeofences(
  tx: Tx,
  { organizationId, email }: Pick<Caller, "organizationId" | "email">,
  inputs: readonly GeofenceValues[],
  now: Temporal.Instant,
  replaces = false,
): Promise<(GeofenceRow & { isNew: boolean })[]> {
  const ids = newIds<"geofence">(inputs.length, now.epochMilliseconds)
  const rows = inputs.map(({ hubId, name, group, color, shape }, index) => {
    return { id: ids[index], hubId, name, group, color, shape, ...areaOf(shape).box }
  })
  const written = await named(
    tx,
    (point) => point<(GeofenceRow & { isNew: boolean })[]>`
    insert into geofences (organization_id, id, hub_id, name, group_name, color, shape, area, created_time, updated_time,
      updated_by)
    select ${organizationId}, id, "hubId", name, "group", color, shape, box(point(west, south), point(east, north)),
      ${now}, ${now}, ${email}
    from jsonb_to_recordset(${json(tx, rows)}) as fresh (id text, "hubId" text, name text, "group" text, color text,
      shape jsonb, west float8, south float8, east float8, north float8)
    ${replaces ? replacing(point) : point``}
    returning ${columns(point)}, xmax = 0 as is_new`,
  )
  const [count] = await tx<{ count: number }[]>`
    select count(*)::int as count from geofences where organization_id = ${organizationId}`
  if ((count?.count ?? 0) > maxGeofences) throw geofenceErrors.tooMany()
  return written
}

const replacing = (tx: Tx) => tx`
  on conflict on constraint geofences_name do update set color = excluded.color, shape = excluded.shape,
    area = excluded.area, updated_time = excluded.updated_time, updated_by = excluded.updated_by`

export async function updateGeofence(
  tx: Tx,
  { organizationId, email }: Pick<Caller, "organizationId" | "email">,
  id: string,
  { hubId, name, group, color, shape }: GeofenceValues,
  now: Temporal.Instant,
): Promise<GeofenceRow> {
  const [row] = await named(
    tx,
    (point) => point<GeofenceRow[]>`
    update geofences set hub_id = ${hubId}, name = ${name}, group_name = ${group}, color = ${color},
      shape = ${json(point, shape)}, area = ${boxColumn(point, shape)}, updated_time = ${now}, updated_by = ${email}
    where organization_id = ${organizationId} and id = ${id} returning ${columns(point)}`,
  )
  if (!row) throw geofenceErrors.notFound()
  return row
}

/** Deletes a geofence. Who is in it leaves it at this moment; earlier visits stay. */
export async function deleteGeofence(
  tx: Tx,
  organizationId: string,
  id: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx`delete from geofences where organization_id = ${organizationId} and id = ${id}`
  await tx`
    update location_visits set left_at = greatest(arrived_at, ${now})
    where organization_id = ${organizationId} and place_type = 'geofence' and place_id = ${id} and left_at is null`
}

async function named<Row>(tx: Tx, write: (point: Tx) => Promise<Row>): Promise<Row> {
  try {
    return await inTransaction(tx, write)
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "geofences_name")
      throw geofenceErrors.nameTaken({ cause: error })
    throw error
  }
}
