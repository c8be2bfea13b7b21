import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"

/**
 * The area in which plates of the wrong parity may not drive: organization data of this name holds it as
 * GeoJSON, a Polygon, MultiPolygon, Feature or FeatureCollection.
 */
const zoneName = "oddEvenZone"

/** The outer rings of the zone; none when the organization has not drawn one. */
export async function readZone(sql: Sql, caller: Caller): Promise<LngLat[][]> {
  const rows = await sql<{ data: unknown }[]>`
    select data from organization_data where organization_id = ${caller.organizationId} and name = ${zoneName}`
  return ringsOf(rows[0]?.data)
}

function ringsOf(value: unknown): LngLat[][] {
  if (typeof value !== "object" || value === null) return []
  const shape = value as { type?: unknown; coordinates?: unknown; geometry?: unknown; features?: unknown }
  switch (shape.type) {
    case "FeatureCollection":
      return Array.isArray(shape.features) ? shape.features.flatMap(ringsOf) : []
    case "Feature":
      return ringsOf(shape.geometry)
    case "MultiPolygon":
      return Array.isArray(shape.coordinates) ? shape.coordinates.flatMap(outerRing) : []
    case "Polygon":
      return outerRing(shape.coordinates)
    default:
      return []
  }
}

function outerRing(polygon: unknown): LngLat[][] {
  const ring = Array.isArray(polygon) ? polygon[0] : undefined
  if (!Array.isArray(ring)) return []
  const positions = ring.flatMap((position: unknown): LngLat[] => {
    if (!Array.isArray(position)) return []
    const [lng, lat] = position as unknown[]
    return typeof lng === "number" && typeof lat === "number" ? [[lng, lat]] : []
  })
  return positions.length >= 3 ? [positions] : []
}
