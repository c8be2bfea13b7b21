import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { trimEndOf } from "#packages/text/trim-characters.ts"
import { RoadServiceError } from "./road-table.ts"

/** As many places as public OSRM servers take in one request. */
const placesPerRequest = 100

export interface LineOptions {
  profile: string
  avoidsToll: boolean
  signal: AbortSignal
}

/**
 * The way along roads through all places in their order, from an OSRM-compatible route service.
 * @throws RoadServiceError for anything but a sound line
 */
export async function askRoadLine(
  serviceUrl: string,
  places: readonly LngLat[],
  options: LineOptions,
): Promise<LngLat[]> {
  const line: LngLat[] = []
  // Each part begins where the one before ended.
  for (let at = 0; at + 1 < places.length; at += placesPerRequest - 1)
    line.push(...(await askPart(serviceUrl, places.slice(at, at + placesPerRequest), options)))
  return line
}

async function askPart(
  serviceUrl: string,
  places: readonly LngLat[],
  { profile, avoidsToll, signal }: LineOptions,
): Promise<LngLat[]> {
  const path = places.map((position) => position.join(",")).join(";")
  const query = new URLSearchParams({
    overview: "full",
    geometries: "geojson",
    ...(avoidsToll ? { exclude: "toll" } : {}),
  })
  const url = `${trimEndOf(serviceUrl, "/")}/route/v1/${profile}/${path}?${query}`
  let response: { code?: unknown; routes?: { geometry?: { coordinates?: unknown } }[] }
  try {
    const reply = await fetch(url, { signal, redirect: "error" })
    response = ((await reply.json()) ?? {}) as typeof response
  } catch (error) {
    throw new RoadServiceError(error instanceof Error ? error.message : String(error))
  }
  if (response.code !== "Ok")
    throw new RoadServiceError(`it responded ${String(response.code ?? "something else")}`)
  const coordinates = Array.isArray(response.routes) ? response.routes[0]?.geometry?.coordinates : undefined
  if (!Array.isArray(coordinates) || coordinates.length < 2 || !coordinates.every(isPosition))
    throw new RoadServiceError("it responded without a line")
  return coordinates
}

function isPosition(value: unknown): value is LngLat {
  if (!Array.isArray(value)) return false
  const [lng, lat] = value as unknown[]
  return typeof lng === "number" && typeof lat === "number" && Math.abs(lng) <= 180 && Math.abs(lat) <= 90
}
