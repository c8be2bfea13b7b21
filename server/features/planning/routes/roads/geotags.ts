import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import { databaseErrorOf, json, type Sql, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { geoErrors } from "../errors.ts"

/** An area of a hub: visits inside get its name as a tag. */
export interface GeotagRow {
  id: Id<"geotag">
  organizationId: Id<"organization">
  hubId: Id<"hub">
  name: string
  /** Closed: the first position again at the end. */
  ring: LngLat[]
  color: string | null
  isActive: boolean
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

const visible = (sql: Sql, caller: Caller) =>
  sql`organization_id = ${caller.organizationId} and ${inCallersHubs(sql, caller, sql`hub_id`)}`

export function listGeotags(sql: Sql, caller: Caller, hubId: string): Promise<GeotagRow[]> {
  return sql<GeotagRow[]>`
    select * from routing_geotags where ${visible(sql, caller)} and hub_id = ${hubId.toLowerCase()} order by created_time, id`
}

export async function findGeotag(sql: Sql, caller: Caller, id: string): Promise<GeotagRow | undefined> {
  const rows = await sql<
    GeotagRow[]
  >`select * from routing_geotags where ${visible(sql, caller)} and id = ${id.toLowerCase()}`
  return rows[0]
}

type Drawn = Pick<GeotagRow, "name" | "ring" | "color" | "isActive">

export async function insertGeotag(tx: Tx, caller: Caller, hubId: string, drawn: Drawn): Promise<GeotagRow> {
  const [row] = await refusingDoubles(
    () => tx<GeotagRow[]>`
      insert into routing_geotags (organization_id, id, hub_id, name, ring, color, is_active)
      values (${caller.organizationId}, ${newId()}, ${hubId.toLowerCase()}, ${drawn.name}, ${json(tx, drawn.ring)},
        ${drawn.color}, ${drawn.isActive}) returning *`,
  )
  if (!row) throw geoErrors.notFound()
  return row
}

export async function updateGeotag(tx: Tx, caller: Caller, id: string, drawn: Drawn): Promise<GeotagRow> {
  const [row] = await refusingDoubles(
    () => tx<GeotagRow[]>`
      update routing_geotags set name = ${drawn.name}, ring = ${json(tx, drawn.ring)}, color = ${drawn.color},
        is_active = ${drawn.isActive}, updated_time = now()
      where ${visible(tx, caller)} and id = ${id.toLowerCase()} returning *`,
  )
  if (!row) throw geoErrors.notFound()
  return row
}

export async function removeGeotag(tx: Tx, caller: Caller, id: string): Promise<GeotagRow | undefined> {
  const rows = await tx<GeotagRow[]>`
    delete from routing_geotags where ${visible(tx, caller)} and id = ${id.toLowerCase()} returning *`
  return rows[0]
}

/** The names of the areas that a position lies in, in the order of the areas. */
export function tagsAt(geotags: readonly Pick<GeotagRow, "name" | "ring">[], position: LngLat): string[] {
  return geotags.flatMap(({ name, ring }) => (isInside(position, ring) ? [name] : []))
}

/** Ray casting on degrees: an odd number of edges to the east means inside. Areas are small, so straight edges do. */
function isInside([x, y]: LngLat, ring: readonly LngLat[]): boolean {
  let inside = false
  for (const [index, [toX, toY]] of ring.entries()) {
    const [fromX, fromY] = ring[index - 1] ?? ring.at(-1) ?? [toX, toY]
    if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) inside = !inside
  }
  return inside
}

async function refusingDoubles<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "routing_geotags_name")
      throw geoErrors.nameTaken({ cause: error })
    throw error
  }
}
