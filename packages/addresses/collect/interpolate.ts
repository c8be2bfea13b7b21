import type { NodeLocations } from "#packages/osm-extract/index.ts"
import type { AddressColumns } from "./address-columns.ts"
import { metersBetween } from "./grid.ts"
import type { Tags } from "./names.ts"

/** A line along which numbers are counted between the houses at its ends. */
export interface NumberedLine {
  readonly id: number
  readonly tags: Tags
  readonly refs: Float64Array
}

const maxNumbers = 500
const steps: Readonly<Record<string, number>> = { all: 1, odd: 2, even: 2, "1": 1, "2": 2, "4": 4, "10": 10 }

/** Adds the houses between the numbered ends of `addr:interpolation` lines. */
export function interpolate(
  lines: readonly NumberedLine[],
  addresses: AddressColumns,
  locations: NodeLocations,
): number {
  if (lines.length === 0) return 0
  const wanted = new Set(lines.flatMap(({ refs }) => [...refs]))
  const houses = new Map<number, number>()
  for (let index = 0; index < addresses.count; index += 1) {
    const id = addresses.osmIds[index] ?? 0
    if (addresses.osmTypes[index] === 0 && wanted.has(id)) houses.set(id, index)
  }
  const before = addresses.count
  for (const line of lines) addLine(line, houses, addresses, locations)
  return addresses.count - before
}

function addLine(
  { id, tags, refs }: NumberedLine,
  houses: ReadonlyMap<number, number>,
  addresses: AddressColumns,
  locations: NodeLocations,
): void {
  const step = steps[tags.get("addr:interpolation") ?? ""]
  if (!step) return
  let piece: number[] = []
  let first: number | undefined
  for (const ref of refs) {
    const position = locations.find(ref)
    if (position < 0) continue
    piece.push(locations.lon(position), locations.lat(position))
    const house = houses.get(ref)
    if (house === undefined) continue
    if (first !== undefined) addBetween(id, [first, house], piece, step, tags, addresses)
    first = house
    piece = piece.slice(-2)
  }
}

function addBetween(
  id: number,
  [first, last]: readonly [number, number],
  line: readonly number[],
  step: number,
  tags: Tags,
  addresses: AddressColumns,
): void {
  const end = addresses.addressAt(first)
  const [from, to] = [Number.parseInt(end.number, 10), Number.parseInt(addresses.addressAt(last).number, 10)]
  const count = Math.ceil(Math.abs(to - from) / step)
  if (!(count > 1 && count <= maxNumbers)) return
  const direction = Math.sign(to - from)
  const address = { ...end, street: end.street || (tags.get("addr:street") ?? "") }
  for (let index = 1; index < count; index += 1) {
    const number = from + direction * step * index
    const [lon, lat] = along(line, (number - from) / (to - from))
    addresses.add(
      { ...address, number: String(number) },
      { lon, lat, osmType: "way", osmId: id },
      { origin: 2 },
    )
  }
}

/** The point at a share of a line's length. */
function along(line: readonly number[], share: number): readonly [lon: number, lat: number] {
  const lengths: number[] = []
  for (let at = 2; at < line.length; at += 2)
    lengths.push(metersBetween(line[at - 2] ?? 0, line[at - 1] ?? 0, line[at] ?? 0, line[at + 1] ?? 0))
  let rest = share * lengths.reduce((sum, length) => sum + length, 0)
  for (const [index, length] of lengths.entries()) {
    if (rest > length && index < lengths.length - 1) {
      rest -= length
      continue
    }
    const part = length === 0 ? 0 : rest / length
    const [lon, lat] = [line[index * 2] ?? 0, line[index * 2 + 1] ?? 0]
    const [nextLon, nextLat] = [line[index * 2 + 2] ?? lon, line[index * 2 + 3] ?? lat]
    return [Math.round(lon + (nextLon - lon) * part), Math.round(lat + (nextLat - lat) * part)]
  }
  return [line[0] ?? 0, line[1] ?? 0]
}
