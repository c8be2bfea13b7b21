import { type Box, boxOf, joined } from "./grid.ts"
import type { PlaceKind } from "./kinds.ts"
import type { Names } from "./names.ts"
import type { ReadAddresses } from "./read-extract.ts"

export interface Postcode {
  readonly kind: PlaceKind
  readonly names: Names
  readonly country: string
  readonly lon: number
  readonly lat: number
  readonly bounds: Box
}

const kind: PlaceKind = { category: "place", type: "postcode", rank: 21, importance: 0.2 }

interface Sum {
  postcode: string
  country: string
  lon: number
  lat: number
  count: number
  bounds: Box
}

/** Postcodes of houses and streets, each in the middle of what has it. */
export function postcodesOf(
  { addresses, streetWays }: Pick<ReadAddresses, "addresses" | "streetWays">,
  countryAt: (lon: number, lat: number) => string,
): Postcode[] {
  const sums = new Map<string, Sum>()
  const add = (postcode: string, lon: number, lat: number) => {
    const country = countryAt(lon, lat)
    // Countries share postcodes, and so do shifted copies of a city.
    const key = `${country} ${postcode} ${Math.round(lon / 5e6)} ${Math.round(lat / 5e6)}`
    const sum = sums.get(key)
    const point = boxOf([lon, lat])
    if (!sum) sums.set(key, { postcode, country, lon, lat, count: 1, bounds: point })
    else {
      sum.lon += lon
      sum.lat += lat
      sum.count += 1
      sum.bounds = joined(sum.bounds, point)
    }
  }
  for (let index = 0; index < addresses.count; index += 1) {
    const postcode = addresses.texts.at(addresses.postcodes[index] ?? 0)
    if (postcode) add(postcode, addresses.lon[index] ?? 0, addresses.lat[index] ?? 0)
  }
  for (const { postcode, line } of streetWays) if (postcode) add(postcode, line[0] ?? 0, line[1] ?? 0)
  return [...sums.values()].map(({ postcode, country, lon, lat, count, bounds }) => ({
    ...{ kind, country, bounds, names: { name: postcode, others: {} } },
    ...{ lon: Math.round(lon / count), lat: Math.round(lat / count) },
  }))
}
