import type { GeoJSONSourceDiff } from "./map-library.ts"

/** The last places of each person since the page was opened, oldest first. */
export type Trails = Map<string, [number, number][]>

const longestTrail = 60

/** Adds a place to the trail of each person who moved, and returns how the lines on the map change. */
export function extendTrails(
  trails: Trails,
  moved: readonly { id: string; lat: number; lng: number }[],
): GeoJSONSourceDiff {
  const diff = { add: [], update: [] } as Required<Pick<GeoJSONSourceDiff, "add" | "update">>
  for (const { id, lat, lng } of moved) {
    const trail = trails.get(id) ?? []
    const last = trail.at(-1)
    if (last?.[0] === lng && last[1] === lat) continue
    const coordinates = [...trail, [lng, lat] as [number, number]].slice(-longestTrail)
    trails.set(id, coordinates)
    const geometry = { type: "LineString" as const, coordinates }
    if (coordinates.length === 2) diff.add.push({ type: "Feature", properties: { id }, geometry })
    else if (coordinates.length > 2) diff.update.push({ id, newGeometry: geometry })
  }
  return diff
}
