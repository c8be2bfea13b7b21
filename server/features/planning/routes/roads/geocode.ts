import pLimit from "p-limit"
import type { Pool } from "#core/database/database.ts"
import { distanceMeters, type LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatitude, parseLongitude } from "#packages/geodesy/lng-lat-text.ts"
import { trimEndOf } from "#packages/text/trim-characters.ts"
import { hasAddresses, locateAddresses, sureConfidence } from "../../../location/places/index.ts"

export interface Geocoded {
  address: string
  /** Undefined for a miss, with the reason. */
  position?: LngLat
  /** 0 to 1, with a position. */
  confidence?: number
  engine?: string
  reason?: string
}

export { sureConfidence }

/** What finds positions: an external service, else the addresses of the installed maps. */
export interface Geocoder {
  sql: Pool
  geocoderUrl: string | undefined
}

interface Near {
  position?: LngLat | undefined
  radiusMeters?: number | undefined
}

const timeoutMilliseconds = 10_000
const requestsAtOnce = 4
const maxCached = 20_000
/** Half the side of the box that a search prefers, in degrees: about 50 km. */
const biasDegrees = 0.5

/** Matches that are less sure count as not found. */
const leastConfidence = 0.5

const cache = new Map<string, Match | null>()

interface Match {
  position: LngLat
  confidence: number
}

/** Whether addresses can be looked up at all. */
export async function canGeocode({ sql, geocoderUrl }: Geocoder): Promise<boolean> {
  return geocoderUrl !== undefined || hasAddresses(sql)
}

/**
 * Positions of addresses in the order given: by a Nominatim-compatible service if one is configured, otherwise from the
 * installed maps. Without either, every address fails. Responses of a service are cached for the life of the process:
 * addresses do not move.
 *
 * @param near where matches are looked for first; with `radiusMeters` those farther away do not count
 */
export async function geocode(
  addresses: readonly string[],
  geocoder: Geocoder,
  near: Near = {},
): Promise<Geocoded[]> {
  const { geocoderUrl, sql } = geocoder
  if (geocoderUrl)
    return pLimit(requestsAtOnce).map(addresses, (address) => geocodeOne(address, geocoderUrl, near))
  if (!(await hasAddresses(sql)))
    return addresses.map((address) => ({
      address,
      reason: "No map with addresses and no geocoding service is installed",
    }))
  return geocodeInMaps(addresses, sql, near)
}

async function geocodeInMaps(addresses: readonly string[], sql: Pool, near: Near): Promise<Geocoded[]> {
  const located = await locateAddresses(
    sql,
    addresses.map((address) => address.slice(0, 300)),
    { near: near.position },
  )
  return located.map(({ position, confidence }, index): Geocoded => {
    const address = addresses[index] ?? ""
    if (address.trim() === "") return { address, reason: "The address is empty" }
    if (!position || confidence < leastConfidence) return { address, reason: "The address was not found" }
    return isFar(position, near)
      ? { address, reason: "The match is too far from the hub" }
      : { address, position, confidence, engine: "maps" }
  })
}

const isFar = (position: LngLat, near: Near) =>
  near.position !== undefined &&
  near.radiusMeters !== undefined &&
  distanceMeters(near.position, position) > near.radiusMeters

async function geocodeOne(address: string, geocoderUrl: string, near: Near): Promise<Geocoded> {
  if (address.trim() === "") return { address, reason: "The address is empty" }
  const key = `${geocoderUrl} ${near.position?.join(",") ?? ""} ${address.trim().toLowerCase()}`
  try {
    const known = cache.get(key)
    const match = known === undefined ? await ask(address, geocoderUrl, near.position) : known
    if (cache.size >= maxCached) cache.clear()
    cache.set(key, match)
    if (!match) return { address, reason: "The address was not found" }
    return isFar(match.position, near)
      ? { address, reason: "The match is too far from the hub" }
      : { address, ...match, engine: "nominatim" }
  } catch (error) {
    return {
      address,
      reason: `The geocoding service failed: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

async function ask(address: string, geocoderUrl: string, bias: LngLat | undefined): Promise<Match | null> {
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
  const [first] = response as { lat?: unknown; lon?: unknown; place_rank?: unknown }[]
  if (!first) return null
  const [lat, lng] = [parseLatitude(first.lat), parseLongitude(first.lon)]
  if (lat === undefined || lng === undefined) throw new Error("it responded without a position")
  // A service reports no confidence. A street or a town is not where a visit takes place.
  const isCoarse = typeof first.place_rank === "number" && first.place_rank < 28
  return { position: [lng, lat], confidence: isCoarse ? 0.6 : sureConfidence }
}
