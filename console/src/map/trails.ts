import type { FeatureCollection, LineString } from "geojson"

/** The last places of each person since the page was opened, oldest first. */
export type Trails = Map<string, [number, number][]>

const longestTrail = 60

export function addTrail(trails: Trails, person: { id: string; lat: number; lng: number }): void {
  const trail = trails.get(person.id) ?? []
  const [lng, lat] = trail.at(-1) ?? []
  if (lng === person.lng && lat === person.lat) return
  trails.set(person.id, [...trail, [person.lng, person.lat] as [number, number]].slice(-longestTrail))
}

export function trailLines(trails: Trails): FeatureCollection<LineString> {
  return {
    type: "FeatureCollection",
    features: [...trails].flatMap(([id, coordinates]) =>
      coordinates.length < 2
        ? []
        : [
            {
              type: "Feature" as const,
              properties: { id },
              geometry: { type: "LineString" as const, coordinates },
            },
          ],
    ),
  }
}
