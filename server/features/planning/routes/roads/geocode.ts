import pLimit from "p-limit"
import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatitude, parseLongitude } from "#packages/geodesy/lng-lat-text.ts"
import { trimEndOf } from "#packages/text/trim-characters.ts"

export interface Geocoded {
  address: string
  /** Undefined for a miss, with the reason. */
  position?: LngLat
  reason?: string
}

const engine = "nominatim"
export const geocodingEngine = engine
const timeoutMilliseconds = 10_000
const requestsAtOnce = 4
const maxCached = 20_000
/** Half the side of the box that a search prefers, in degrees: about 50 km. */
const biasDegrees = 0.5

const cache = new Map<string, LngLat | null>()

/**
 * Positions of addresses by a Nominatim-compatible service, in the order given. Without one every address
 * fails. Responses are cached for the life of the process: addresses do not move.
 *
 * @param near where matches are looked for first; with `radiusMeters` those farther away do not count
 */
export async function geocode(
  addresses: readonly string[],
  geocoderUrl: string | undefined,
  near: { position?: LngLat | undefined; radiusMeters?: number | undefined } = {},
): Promise<Geocoded[]> {
  if (!geocoderUrl)
    return addresses.map((address) => ({ address, reason: "No geocoding service is configured" }))
  return pLimit(requestsAtOnce).map(addresses, (address) => geocodeOne(address, geocoderUrl, near))
}

async function geocodeOne(
  address: string,
  geocoderUrl: string,
  near: { position?: LngLat | undefined; radiusMeters?: number | undefined },
): Promise<Geocoded> {
  if (address.trim() === "") return { address, reason: "The address is empty" }
  const key = `${geocoderUrl} ${near.position?.join(",") ?? ""} ${address.trim().toLowerCase()}`
  try {
    const known = cache.get(key)
    const position = known === undefined ? await ask(address, geocoderUrl, near.position) : known
    if (cache.size >= maxCached) cache.clear()
    cache.set(key, position)
    if (!position) return { address, reason: "The address was not found" }
    const isFar =
      near.position &&
      near.radiusMeters !== undefined &&
      distanceMeters(near.position, position) > near.radiusMeters
    return isFar ? { address, reason: "The match is too far from the hub" } : { address, position }
  } catch (error) {
    return {
      address,
      reason: `The geocoding service failed: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

async function ask(address: string, geocoderUrl: string, bias: LngLat | undefined): Promise<LngLat | null> {
  const query = new URLSearchParams({ q: address.trim(), format: "jsonv2", limit: "1" })
  if (bias) {
    const [lng, lat] = bias
    query.set(
      "viewbox",
      [lng - biasDegrees, lat - biasDegrees, lng + biasDegrees, lat + biasDegrees].join(","),
    )
  }
  const reply = await fetch(`${trimEndOf(geocoderUrl, "/")}/search?${query}`, {
    signal: AbortSignal.timeout(timeoutMilliseconds),
    headers: { "user-agent": "Fieldway", accept: "application/json" },
    redirect: "error",
  })
  if (!reply.ok) throw new Error(`it responded ${reply.status}`)
  const response: unknown = await reply.json()
  if (!Array.isArray(response)) throw new Error("it responded something else than a list")
  const [first] = response as { lat?: unknown; lon?: unknown }[]
  if (!first) return null
  const [lat, lng] = [parseLatitude(first.lat), parseLongitude(first.lon)]
  if (lat === undefined || lng === undefined) throw new Error("it responded without a position")
  return [lng, lat]
}
