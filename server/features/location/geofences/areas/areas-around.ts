import type { Sql } from "#core/database/database.ts"
import { type Area, type AreaShape, areaOf } from "#packages/geodesy/area.ts"
import { boundingBox, type LngLat, type UnwrappedBox } from "#packages/geodesy/geodesy.ts"
import type { PlaceFence } from "../fences.ts"
import { touches } from "./areas.ts"

export interface AreaFence {
  id: string
  hubId: string | null
  area: Area
  accuracyMeters: number
}

/** Of one statement: more overlapping areas than this are a mistake, and each costs a test of every point. */
const maxAreas = 1_000
/** Fixes wider than this say nothing about an area, however large it is. */
const widestFixMeters = 500

/** The geofences whose boxes a track touches, and those with the given ids. The index on boxes finds them among thousands. */
export async function areasAround(
  sql: Sql,
  organizationId: string,
  positions: readonly LngLat[],
  ids: readonly string[],
): Promise<AreaFence[]> {
  const box = boundingBox(positions)
  if (!box && ids.length === 0) return []
  const rows = await sql<{ id: string; hubId: string | null; shape: AreaShape }[]>`
    select id, hub_id, shape from geofences
    where organization_id = ${organizationId}
      and (id = any (${[...ids]}) ${box ? sql`or ${touches(sql, unwrapped(box))}` : sql``})
    limit ${maxAreas}`
  return rows.map(({ id, hubId, shape }) => {
    const area = areaOf(shape)
    return { id, hubId, area, accuracyMeters: reach(area.box) }
  })
}

export function toFence({ id, hubId, area, accuracyMeters }: AreaFence): PlaceFence {
  return { placeType: "geofence", placeId: id, hubId, metersOutside: area.metersOutside, accuracyMeters }
}

const unwrapped = (box: UnwrappedBox): UnwrappedBox =>
  box.east < box.west ? { ...box, east: box.east + 360 } : box

/** Half of the smaller side of a box: a fix that is wider may be anywhere around. */
function reach({ west, south, east, north }: UnwrappedBox): number {
  const metersPerDegree = 111_195
  const across = (east - west) * Math.cos(((south + north) / 2) * (Math.PI / 180))
  return Math.min(widestFixMeters, (Math.min(across, north - south) * metersPerDegree) / 2)
}
