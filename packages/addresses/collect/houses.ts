import type { AddressColumns } from "./address-columns.ts"
import { boxOf, Grid, joined, metersBetween, nearestOnLine } from "./grid.ts"
import type { StreetWay } from "./read-extract.ts"
import { addStreet, nameKey, type Streets } from "./streets.ts"

/** A house belongs to the street of its tag's name within this distance. */
const maxMeters = 3_000
const maxMetersWithoutName = 200
const cellDegrees = 0.004
const marginUnits = 0.002 * 1e7

/** The street of each house by number; -1 where there is none near it. Streets that only houses name are added. */
export function streetsOfHouses(
  addresses: AddressColumns,
  streets: Streets,
  ways: readonly StreetWay[],
): Int32Array {
  const found = new Int32Array(addresses.count).fill(-1)
  const unmatched = new Map<string, number[]>()
  const keys = new Map<number, string>()
  let nearby: Grid<number> | undefined
  for (let index = 0; index < addresses.count; index += 1) {
    const text = addresses.streets[index] ?? 0
    const [lon, lat] = [addresses.lon[index] ?? 0, addresses.lat[index] ?? 0]
    if (text === 0) {
      nearby ??= gridOfWays(ways)
      found[index] = nearestStreet(lon, lat, nearby, ways, streets)
      continue
    }
    let key = keys.get(text)
    if (key === undefined) {
      key = nameKey(addresses.texts.at(text))
      keys.set(text, key)
    }
    const street = nearestOf(streets.byName.get(key) ?? [], lon, lat, streets)
    if (street >= 0) found[index] = street
    else {
      const others = unmatched.get(key)
      if (others) others.push(index)
      else unmatched.set(key, [index])
    }
  }
  for (const indexes of unmatched.values()) addStreetsOf(indexes, addresses, streets, found)
  return found
}

function nearestOf(candidates: readonly number[], lon: number, lat: number, streets: Streets): number {
  let [best, least] = [-1, maxMeters]
  for (const id of candidates) {
    const street = streets.list[id]
    if (!street) continue
    const [west, south, east, north] = street.bounds
    const toBox = metersBetween(
      lon,
      lat,
      Math.max(west, Math.min(east, lon)),
      Math.max(south, Math.min(north, lat)),
    )
    if (toBox >= least) continue
    const meters =
      candidates.length === 1
        ? toBox
        : Math.min(...street.ways.map(({ line }) => nearestOnLine(lon, lat, line).meters))
    if (meters < least) [best, least] = [id, meters]
  }
  return best
}

function gridOfWays(ways: readonly StreetWay[]): Grid<number> {
  const grid = new Grid<number>(cellDegrees)
  for (const [index, { line }] of ways.entries()) grid.add(index, boxOf(line, marginUnits), 5_000)
  return grid
}

function nearestStreet(
  lon: number,
  lat: number,
  grid: Grid<number>,
  ways: readonly StreetWay[],
  streets: Streets,
): number {
  let [best, least] = [-1, maxMetersWithoutName]
  for (const index of grid.at(lon, lat)) {
    const { meters } = nearestOnLine(lon, lat, ways[index]?.line ?? [])
    if (meters < least) [best, least] = [streets.ofWay[index] ?? -1, meters]
  }
  return best
}

/** Houses of one street name that no way has, in groups of what is near each other. */
function addStreetsOf(
  indexes: readonly number[],
  addresses: AddressColumns,
  streets: Streets,
  found: Int32Array,
): void {
  const groups = new Map<string, number[]>()
  // Squares of about 5 km; most such streets are short.
  const cell = (units: number) => Math.round(units / 500_000)
  for (const index of indexes) {
    const key = `${cell(addresses.lon[index] ?? 0)} ${cell(addresses.lat[index] ?? 0)}`
    const group = groups.get(key)
    if (group) group.push(index)
    else groups.set(key, [index])
  }
  for (const group of groups.values()) {
    const [first = 0] = group
    const points = group.map((index) => [addresses.lon[index] ?? 0, addresses.lat[index] ?? 0])
    const middle = points[Math.floor(points.length / 2)] ?? [0, 0]
    const id = addStreet(streets, {
      names: { name: addresses.addressAt(first).street, others: {} },
      kind: { category: "place", type: "street", rank: 26, importance: 0.05 },
      osmId: 0,
      lon: middle[0] ?? 0,
      lat: middle[1] ?? 0,
      bounds: points.map((point) => boxOf(point)).reduce(joined),
      postcode: "",
      ways: [],
    })
    for (const index of group) found[index] = id
  }
}
