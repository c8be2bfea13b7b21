import type { Tx } from "#core/database/database.ts"
import { metersBetween, nearestOnLine } from "#packages/addresses/index.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { projectedY } from "../project.ts"
import type { HouseRow } from "./houses.ts"
import { findAreas } from "./surroundings.ts"

/** What a place is: a house, a point on a street, or an area. */
export interface ReverseFound {
  readonly versionId: number
  /** The entry: the street, or the area. */
  readonly id: number
  readonly house?: HouseRow
  /** On the street, in 1e-7 degrees. */
  readonly lon?: number
  readonly lat?: number
  readonly meters: number
}

/** The smallest kind of place by zoom, as Nominatim's ranks. */
export function rankOfZoom(zoom: number): number {
  if (zoom < 5) return 4
  if (zoom < 8) return 8
  if (zoom < 10) return 14
  if (zoom < 12) return 17
  if (zoom < 14) return 19
  if (zoom < 16) return 22
  return zoom < 18 ? 26 : 30
}

const maxHouseMeters = 75
const maxStreetMeters = 2_000
/** A house may lie somewhat further than the street in front of it. */
const houseAllowance = 40

export async function reversePlace(
  tx: Tx,
  [lng, lat]: LngLat,
  zoom: number,
): Promise<ReverseFound | undefined> {
  const [lon, latUnits] = [Math.round(lng * 1e7), Math.round(lat * 1e7)]
  const spot = tx`point(${lon}, ${projectedY(latUnits)})`
  const rank = rankOfZoom(zoom)
  const [houses, lines] = await Promise.all([
    tx<HouseRow[]>`
      select version_id, street, value, number, osm_type, osm_id, building, is_interpolated, is_interest, postcode, parents,
        lon, lat
      from place_houses order by point(lon, y) <-> ${spot} limit 4`,
    tx<{ versionId: number; street: number; line: number[] }[]>`
      select version_id, street, line from place_lines order by extent <-> ${spot} limit 24`,
  ])
  const [house] = houses
    .map((row) => ({ row, meters: metersBetween(lon, latUnits, row.lon, row.lat) }))
    .toSorted((a, b) => a.meters - b.meters || Number(a.row.isInterest) - Number(b.row.isInterest))
  const [street] = lines
    .map(({ versionId, street: id, line }) => ({ versionId, id, ...nearestOnLine(lon, latUnits, line) }))
    .toSorted((a, b) => a.meters - b.meters)
  const asHouse = house && {
    versionId: house.row.versionId,
    id: house.row.street,
    house: house.row,
    meters: house.meters,
  }
  const isHouse =
    house && house.meters <= maxHouseMeters && house.meters <= (street?.meters ?? Infinity) + houseAllowance
  if (rank >= 30 && isHouse) return asHouse
  const nearest = street && (!house || street.meters <= house.meters + houseAllowance) ? street : asHouse
  if (!nearest || nearest.meters > maxStreetMeters) return undefined
  if (rank < 26) return areaAround(tx, nearest, rank)
  // A street that only houses name.
  return street && street.meters <= maxStreetMeters ? street : asHouse
}

async function areaAround(
  tx: Tx,
  { versionId, id, house, meters }: ReverseFound,
  rank: number,
): Promise<ReverseFound | undefined> {
  const parents = house?.parents ?? (await parentsOf(tx, versionId, id))
  const areaOf = await findAreas(
    tx,
    parents.map((parent) => ({ versionId, id: parent })),
  )
  const found = parents.findLast((parent) => (areaOf({ versionId, id: parent })?.rank ?? Infinity) <= rank)
  return found === undefined ? undefined : { versionId, id: found, meters }
}

async function parentsOf(tx: Tx, versionId: number, id: number): Promise<number[]> {
  const [row] = await tx<{ parents: number[] }[]>`
    select parents from place_entries where version_id = ${versionId} and id = ${id}`
  return row?.parents ?? []
}
