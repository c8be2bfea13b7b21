import { metersBetween } from "./grid.ts"
import { type ReadAddresses, waysFactor } from "./read-extract.ts"

/** Where two streets of different names meet; the first has the smaller number. */
export interface Crossing {
  readonly street: number
  readonly other: number
  /** In 1e-7 degrees. */
  readonly lon: number
  readonly lat: number
}

/** Nodes of one crossing of wide streets. */
const sameMeters = 150
const maxStreetsAtNode = 8

export function* crossingsOf(
  { joints, locations }: Pick<ReadAddresses, "joints" | "locations">,
  streetOfWay: Int32Array,
): Iterable<Crossing> {
  const found = new Map<number, Crossing[]>()
  let start = 0
  while (start < joints.length) {
    const position = Math.floor((joints[start] ?? 0) / waysFactor)
    let end = start + 1
    while (end < joints.length && Math.floor((joints[end] ?? 0) / waysFactor) === position) end += 1
    if (end - start > 1) {
      const streets = new Set<number>()
      for (let at = start; at < end; at += 1) {
        const street = streetOfWay[(joints[at] ?? 0) - position * waysFactor] ?? -1
        if (street >= 0 && streets.size < maxStreetsAtNode) streets.add(street)
      }
      const [lon, lat] = [locations.lon(position), locations.lat(position)]
      yield* pairsOf(
        [...streets].toSorted((a, b) => a - b),
        lon,
        lat,
        found,
      )
    }
    start = end
  }
}

function* pairsOf(
  streets: readonly number[],
  lon: number,
  lat: number,
  found: Map<number, Crossing[]>,
): Iterable<Crossing> {
  for (const [index, street] of streets.entries())
    for (const other of streets.slice(index + 1)) {
      const key = street * 2 ** 26 + other
      const known = found.get(key)
      if (known?.some((crossing) => metersBetween(lon, lat, crossing.lon, crossing.lat) < sameMeters))
        continue
      const crossing = { street, other, lon, lat }
      if (known) known.push(crossing)
      else found.set(key, [crossing])
      yield crossing
    }
}
