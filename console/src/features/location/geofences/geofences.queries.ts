import { queryOptions } from "@tanstack/react-query"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { formatLatLng, parseLatLng } from "#packages/geodesy/lng-lat-text.ts"
import { type RequestBody, type ResponseBody, server } from "../../../api/server.ts"

export type Geofence = ResponseBody<"getGeofence">["data"]
export type GeofenceKind = "polygon" | "circle" | "corridor"

/** More on one map is a carpet; the search narrows the list on the server. */
export const maxShown = 1_000

export function geofencesQuery(words: string) {
  const q = words.trim()
  return queryOptions({
    queryKey: ["geofences", q],
    queryFn: async ({ signal }) => {
      const query = { limit: maxShown, ...(q === "" ? {} : { q }) }
      const { data } = await server.get("/api/v3/geofences", { query, signal })
      return { geofences: data.data, total: data.total }
    },
  })
}

export interface GeofenceDraft {
  id: string | undefined
  name: string
  group: string
  color: string
  hubId: string | null
  kind: GeofenceKind
  /** Corners of a polygon, points of a corridor, or the one centre of a circle. */
  points: readonly LngLat[]
  /** Rings within a polygon that do not belong to it; they stay as they are. */
  holes: readonly (readonly LngLat[])[]
  /** Radius of a circle, width of a corridor. */
  meters: number
}

export const newDraft = (hubId: string | undefined): GeofenceDraft => ({
  ...{ id: undefined, name: "", group: "", color: "#c7791a", hubId: hubId ?? null },
  ...{ kind: "polygon", points: [], holes: [], meters: 100 },
})

export function draftOf({ _id, name, group, color, hubId, ...fence }: Geofence): GeofenceDraft {
  const kind = fence.type as GeofenceKind
  const [outline = [], ...holes] = ringsOf(fence.geometry.coordinates, kind)
  const meters = fence.radiusMeters ?? fence.widthMeters ?? 100
  return { id: _id, name, group: group ?? "", color, hubId, kind, points: outline, holes, meters }
}

/** The response has been checked against the description, which leaves coordinates open. */
function ringsOf(coordinates: readonly unknown[], kind: GeofenceKind): LngLat[][] {
  const lines = kind === "circle" ? [[coordinates]] : kind === "corridor" ? [coordinates] : coordinates
  return (lines as LngLat[][]).map((line) => (kind === "polygon" ? line.slice(0, -1) : line))
}

export const fewestPoints: Readonly<Record<GeofenceKind, number>> = { polygon: 3, circle: 1, corridor: 2 }

export async function saveGeofence(draft: GeofenceDraft): Promise<void> {
  const { id, name, group, color, hubId, kind, points, holes, meters } = draft
  const types = { polygon: "Polygon", circle: "Point", corridor: "LineString" } as const
  const coordinates = { polygon: [points, ...holes], circle: points[0] ?? [], corridor: points }[kind]
  const body: RequestBody<"createGeofence"> = {
    ...{ name: name.trim(), group: group.trim() || null, color, hubId },
    geometry: { type: types[kind], coordinates: [...coordinates] },
    radiusMeters: kind === "circle" ? meters : null,
    widthMeters: kind === "corridor" ? meters : null,
  }
  if (id === undefined) await server.post("/api/v3/geofence", { body })
  else await server.put("/api/v3/geofence/{geofenceId}", { geofenceId: id, body })
}

/** The building, park or other area of the map at a place, as a part of a draft. */
export async function takeFromMap([lon, lat]: LngLat): Promise<{
  name: string | null
  isPart: boolean
  shape: Pick<GeofenceDraft, "kind" | "points" | "holes">
}> {
  const { data } = await server.get("/api/v3/geofences/map-area", { query: { lat, lon } })
  const [points = [], ...holes] = ringsOf(data.geometry.coordinates, "polygon")
  return { name: data.name, isPart: data.isPart, shape: { kind: "polygon", points, holes } }
}

export const deleteGeofence = (geofenceId: string) =>
  server.delete("/api/v3/geofence/{geofenceId}", { geofenceId })

export async function importGeofences(file: File, hubId: string | null) {
  const content = await file.text()
  return (await server.post("/api/v3/geofences/import", { body: { content, hubId } })).data
}

/** Latitude and longitude of each point on a line of its own. */
export const pointsText = (points: readonly LngLat[]) => points.map(formatLatLng).join("\n")

/** The points of such a text; undefined if a line is none. */
export function pointsOf(text: string): LngLat[] | undefined {
  const points = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parseLatLng)
  return points.every((point) => point !== undefined) ? points : undefined
}
