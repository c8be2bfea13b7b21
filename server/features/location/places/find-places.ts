import type { Pool, Tx } from "#core/database/database.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { parseLatitude, parseLongitude } from "#packages/geodesy/lng-lat-text.ts"
import { parsePlaceText } from "#packages/geodesy/place-text.ts"
import { findDetails } from "./details.ts"
import { placeErrors } from "./errors.ts"
import type { SearchOptions, ViewBox } from "./search/options.ts"
import { reversePlace } from "./search/reverse.ts"
import { type FoundPlace, readPlaces, searchPlaces } from "./search/search-places.ts"
import { type ShownPlace, toWirePlace, type WireOptions, type WirePlace } from "./wire.ts"

/** Places for a text, as responses show them. */
export async function findPlaces(
  sql: Pool,
  text: string,
  options: SearchOptions & { readonly excluded?: ReadonlySet<string>; readonly isDistinct?: boolean },
  wire: WireOptions,
): Promise<WirePlace[]> {
  const position = parsePlaceText(text)
  if (position) {
    const found = await findAddressAt(sql, position, 18, wire)
    return found ? [found] : []
  }
  return readPlaces(sql, async (tx) => {
    // Some results turn out to look the same.
    const { excluded = new Set(), isDistinct = true } = options
    const found = await searchPlaces(tx, text, { ...options, limit: options.limit + excluded.size + 5 })
    const places = await toWire(tx, found.map(shownPlace), wire)
    const seen = new Set<string>()
    const distinct = places.filter((place) => {
      if (!place || referencesOf(place).some((reference) => excluded.has(reference))) return false
      const key = `${place.display_name} ${place.type}`
      return !isDistinct || (!seen.has(key) && Boolean(seen.add(key)))
    })
    return distinct.flatMap((place) => place ?? []).slice(0, options.limit)
  })
}

/** Its number, and N, W or R with the number of its object. */
function referencesOf({ place_id: id, osm_type: type, osm_id: object }: WirePlace): string[] {
  return [String(id), ...(type && object ? [`${type.charAt(0).toUpperCase()}${object}`] : [])]
}

/** What is at a position; undefined where no map knows anything. */
export async function findAddressAt(
  sql: Pool,
  position: LngLat,
  zoom: number,
  wire: WireOptions,
): Promise<WirePlace | undefined> {
  return readPlaces(sql, async (tx) => {
    const found = await reversePlace(tx, position, zoom)
    if (!found) return undefined
    const [place] = await toWire(tx, [found], wire)
    return place
  })
}

export interface LocatedAddress {
  readonly address: string
  /** 0 to 1; below `sureConfidence` somebody should check the place. */
  readonly confidence: number
  readonly position: LngLat | undefined
}

export interface DescribedAddress extends Omit<LocatedAddress, "position"> {
  readonly place: WirePlace | null
}

export const sureConfidence = 0.8
const addressesPerTransaction = 20
/** The next best result counts as another place from here. */
const ambiguousMeters = 300

/** The best position of each of many addresses, with how sure it is. */
export function locateAddresses(
  sql: Pool,
  addresses: readonly string[],
  options: Omit<SearchOptions, "limit">,
): Promise<LocatedAddress[]> {
  return eachAddress(sql, addresses, options, async (_tx, found) =>
    found.map(({ address, best, confidence }) => {
      const at = best && (best.house ?? best.crossing ?? best.entry)
      return { address, confidence, position: at && [at.lon / 1e7, at.lat / 1e7] }
    }),
  )
}

/** The best place of each of many addresses, with how sure it is. */
export function describeAddresses(
  sql: Pool,
  addresses: readonly string[],
  options: Omit<SearchOptions, "limit">,
  wire: WireOptions,
): Promise<DescribedAddress[]> {
  return eachAddress(sql, addresses, options, async (tx, found) => {
    const shown = await toWire(
      tx,
      found.flatMap(({ best }) => (best ? [shownPlace(best)] : [])),
      wire,
    )
    let at = 0
    return found.map(({ address, best, confidence }) => {
      const place = best ? (shown[at++] ?? null) : null
      return { address, confidence: place ? confidence : 0, place }
    })
  })
}

interface BestPlace {
  readonly address: string
  readonly best: FoundPlace | undefined
  readonly confidence: number
}

/** In transactions of some addresses each, so that none of them is long. */
async function eachAddress<Result>(
  sql: Pool,
  addresses: readonly string[],
  options: Omit<SearchOptions, "limit">,
  toResults: (tx: Tx, found: readonly BestPlace[]) => Promise<Result[]>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let first = 0; first < addresses.length; first += addressesPerTransaction)
    await readPlaces(sql, async (tx) => {
      const found: BestPlace[] = []
      for (const address of addresses.slice(first, first + addressesPerTransaction)) {
        const places = await searchPlaces(tx, address, { ...options, limit: 3, isComplete: true })
        found.push({ address, best: places[0], confidence: confidenceOf(places) })
      }
      results.push(...(await toResults(tx, found)))
    })
  return results
}

function confidenceOf([best, second]: readonly FoundPlace[]): number {
  if (!best) return 0
  // A street or a town is not where a visit takes place.
  const exactness = best.house || best.crossing || best.entry.kind === "interest" ? 1 : 0.7
  const isAmbiguous =
    second !== undefined &&
    second.confidence >= best.confidence - 0.02 &&
    Math.hypot(second.entry.lon - best.entry.lon, second.entry.lat - best.entry.lat) / 90 > ambiguousMeters
  return Math.round(best.confidence * exactness * (isAmbiguous ? 0.7 : 1) * 100) / 100
}

const shownPlace = ({ entry, house, crossing }: FoundPlace): ShownPlace => ({
  versionId: entry.versionId,
  id: entry.id,
  house,
  crossing: crossing && { otherId: crossing.other.id, lon: crossing.lon, lat: crossing.lat },
})

async function toWire(
  tx: Tx,
  places: readonly ShownPlace[],
  wire: WireOptions,
): Promise<(WirePlace | undefined)[]> {
  const keys = places.flatMap(({ versionId, id, crossing }) => [
    { versionId, id },
    ...(crossing ? [{ versionId, id: crossing.otherId }] : []),
  ])
  const houses = places.flatMap(({ house }) => house ?? [])
  const details = await findDetails(tx, keys, houses)
  return places.map((place) => toWirePlace(place, details, wire))
}

/** Corners in any order; undefined for none. */
export function parseViewBox(text: string | undefined): ViewBox | undefined {
  if (text === undefined || text.trim() === "") return undefined
  const [x1, y1, x2, y2, ...more] = text.split(",").map((part) => part.trim())
  const lons = [parseLongitude(x1), parseLongitude(x2)]
  const lats = [parseLatitude(y1), parseLatitude(y2)]
  const [west, east] = lons.toSorted((a = 0, b = 0) => a - b)
  const [south, north] = lats.toSorted((a = 0, b = 0) => a - b)
  if (
    west === undefined ||
    east === undefined ||
    south === undefined ||
    north === undefined ||
    more.length > 0
  )
    throw placeErrors.badInput({ message: "viewbox must be longitude,latitude,longitude,latitude" })
  return { west, south, east, north }
}

export const middleOf = ({ west, south, east, north }: ViewBox): LngLat => [
  (west + east) / 2,
  (south + north) / 2,
]
