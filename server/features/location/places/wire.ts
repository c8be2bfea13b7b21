import type { Static } from "typebox"
import type { Details, EntryRow } from "./details.ts"
import type { PlaceSchema } from "./schemas.ts"
import type { HouseRow } from "./search/houses.ts"
import type { AreaRow } from "./search/surroundings.ts"

export type WirePlace = Static<typeof PlaceSchema>

export interface ShownPlace {
  readonly versionId: number
  readonly id: number
  readonly house?: HouseRow | undefined
  readonly crossing?: { readonly otherId: number; readonly lon: number; readonly lat: number } | undefined
  /** On a street: where it is nearest to what was asked. */
  readonly lon?: number | undefined
  readonly lat?: number | undefined
}

export interface WireOptions {
  /** Languages in their order, as `es` or `pt-BR`. */
  readonly languages: readonly string[]
  readonly withAddress: boolean
  readonly withNames: boolean
  readonly withExtraTags?: boolean
  readonly keyOfCategory: "category" | "class"
}

const licence = "Data © OpenStreetMap contributors, ODbL 1.0. https://www.openstreetmap.org/copyright"

interface Named {
  readonly name: string
  readonly names: Record<string, string> | null
}

export function nameIn({ name, names }: Named, languages: readonly string[]): string {
  for (const language of languages) {
    const found = names?.[`name:${language}`] ?? names?.[`name:${language.split("-")[0]}`]
    if (found) return found
  }
  return name.trim()
}

/** A place in Nominatim's form `jsonv2`; undefined if its map has just been replaced. */
export function toWirePlace(
  place: ShownPlace,
  details: Details,
  options: WireOptions,
): WirePlace | undefined {
  const entry = details.entryOf(place)
  if (!entry) return undefined
  const { house, crossing } = place
  const other = crossing && details.entryOf({ versionId: place.versionId, id: crossing.otherId })
  const areas = (house?.parents ?? entry.parents).flatMap(
    (id) => details.areaOf({ versionId: entry.versionId, id }) ?? [],
  )
  const address = addressOf(entry, areas, house, other, options.languages)
  const at = house ?? crossing ?? { lon: place.lon ?? entry.lon, lat: place.lat ?? entry.lat }
  const kind = kindOf(entry, house, crossing !== undefined)
  const osm =
    house ?? (entry.osmType && entry.osmId ? { osmType: entry.osmType, osmId: entry.osmId } : undefined)
  return {
    place_id: placeIdOf(entry, house),
    licence,
    ...(osm ? { osm_type: osm.osmType, osm_id: Number(osm.osmId) } : {}),
    lat: degrees(at.lat),
    lon: degrees(at.lon),
    [options.keyOfCategory]: kind.category,
    type: kind.type,
    place_rank: house ? 30 : entry.rank,
    importance: entry.importance,
    addresstype: kind.addressType,
    name: house
      ? ""
      : crossing
        ? [address.road, other && nameIn(other, options.languages)].join(" / ")
        : nameIn(entry, options.languages),
    display_name: displayName(address),
    ...(options.withAddress ? { address } : {}),
    boundingbox:
      house || crossing || entry.osmType === "node"
        ? boundsOf([at.lon, at.lat, at.lon, at.lat], house || crossing ? aroundHouse : extentOf(entry))
        : boundsOf(entry.bounds, 0),
    ...(options.withNames ? { namedetails: { name: entry.name.trim(), ...entry.names } } : {}),
    ...(options.withExtraTags ? { extratags: (house || crossing ? null : entry.extratags) ?? {} } : {}),
    ...(house?.isInterpolated ? { interpolated: true } : {}),
  }
}

const aroundHouse = 500
/** How far places reach of which the map has only the middle, degrees: as in Nominatim. */
const extents: Readonly<Record<string, number>> = {
  ...{ country: 7, state: 2.6, province: 2.6, region: 1, county: 0.7, island: 0.32, city: 0.16 },
  ...{ municipality: 0.16, town: 0.04, village: 0.02, hamlet: 0.02, district: 0.02, borough: 0.02 },
  ...{ suburb: 0.02, locality: 0.01, neighbourhood: 0.01, quarter: 0.01, city_block: 0.01, farm: 0.01 },
}

const extentOf = ({ category, type }: EntryRow) =>
  Math.round(((category === "place" ? extents[type] : undefined) ?? 0.00005) * 1e7)

const degrees = (units: number) => (units / 1e7).toFixed(7)

/** Latitudes, then longitudes, as texts. */
function boundsOf(bounds: readonly number[], margin: number): string[] {
  const [west = 0, south = 0, east = 0, north = 0] = bounds
  return [south - margin, north + margin, west - margin, east + margin].map(degrees)
}

/** Unique among all maps: a version's number, then that of the entry or of the house. */
function placeIdOf({ versionId, id }: EntryRow, house: HouseRow | undefined): number {
  const within = house ? (house.osmId % 2 ** 31) * 2 + 1 : id * 2
  return (versionId % 2 ** 20) * 2 ** 32 + within
}

function kindOf(entry: EntryRow, house: HouseRow | undefined, isCrossing: boolean) {
  if (house) {
    const isBuilding = house.building !== null
    return isBuilding
      ? { category: "building", type: house.building ?? "yes", addressType: "building" }
      : { category: "place", type: "house", addressType: "place" }
  }
  if (isCrossing) return { category: "highway", type: "crossing", addressType: "road" }
  const { category, type, kind } = entry
  const addressType = kind === "street" ? "road" : kind === "interest" ? category : keyOfArea(entry)
  return { category, type, addressType }
}

const administrativeKeys: readonly (readonly [rank: number, key: string])[] = [
  [4, "country"],
  [8, "state"],
  [14, "county"],
  [17, "city"],
  [19, "suburb"],
  [30, "neighbourhood"],
]

/** The key of an area in `address`. */
function keyOfArea({ category, type, rank }: Pick<AreaRow, "category" | "type" | "rank">): string {
  if (category === "place") return type
  return administrativeKeys.find(([most]) => rank <= most)?.[1] ?? "suburb"
}

/** Parts from the smallest to the largest, as Nominatim writes them. */
function addressOf(
  entry: EntryRow,
  areas: readonly AreaRow[],
  house: HouseRow | undefined,
  other: EntryRow | undefined,
  languages: readonly string[],
): Record<string, string> {
  const address: Record<string, string> = {}
  const put = (key: string, value: string | null | undefined) => {
    if (value && address[key] === undefined) address[key] = value
  }
  if (entry.kind === "interest") put(entry.category, nameIn(entry, languages))
  put("house_number", house?.number ?? entry.houseNumber)
  if (entry.kind === "street") {
    const road = nameIn(entry, languages)
    put("road", other ? `${road} / ${nameIn(other, languages)}` : road)
  }
  put("road", entry.streetName)
  if (entry.kind === "place") put(keyOfArea(entry), nameIn(entry, languages))
  for (const area of areas.toReversed()) {
    if (keyOfArea(area) === "country") continue
    put(keyOfArea(area), nameIn(area, languages))
  }
  const isInCity = areas.some(({ rank }) => rank >= 16 && rank <= 17)
  if (!isInCity) put("city", entry.city)
  put("postcode", house?.postcode ?? entry.postcode)
  const country = areas.find((area) => keyOfArea(area) === "country")
  put("country", country && nameIn(country, languages))
  if (entry.country !== "--") put("country_code", entry.country)
  return address
}

function displayName(address: Record<string, string>): string {
  const parts = Object.entries(address).flatMap(([key, value]) => (key === "country_code" ? [] : [value]))
  return parts.filter((part, index) => part !== parts[index - 1]).join(", ")
}
