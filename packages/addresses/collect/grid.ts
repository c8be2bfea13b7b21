/** Things by square of the map: what is near a place is found without looking at everything. */
export class Grid<Item> {
  readonly #cells = new Map<number, Item[]>()
  readonly #units: number

  /** @param degrees the side of a square */
  constructor(degrees: number) {
    this.#units = degrees * 1e7
  }

  #key(column: number, row: number): number {
    return row * 100_000_000 + column
  }

  #range(west: number, south: number, east: number, north: number) {
    const cell = (units: number) => Math.floor(units / this.#units)
    return { west: cell(west), south: cell(south), east: cell(east), north: cell(north) }
  }

  /** Puts an item into every square of a box, in 1e-7 degrees; false if the box has more than `maxCells`. */
  add(item: Item, [west, south, east, north]: Box, maxCells = 100_000): boolean {
    const range = this.#range(west, south, east, north)
    if ((range.east - range.west + 1) * (range.north - range.south + 1) > maxCells) return false
    for (let row = range.south; row <= range.north; row += 1)
      for (let column = range.west; column <= range.east; column += 1) {
        const key = this.#key(column, row)
        const cell = this.#cells.get(key)
        if (cell) cell.push(item)
        else this.#cells.set(key, [item])
      }
    return true
  }

  /** What is in the square of a place. */
  at(lon: number, lat: number): readonly Item[] {
    return this.#cells.get(this.#key(Math.floor(lon / this.#units), Math.floor(lat / this.#units))) ?? []
  }

  cells(): IterableIterator<Item[]> {
    return this.#cells.values()
  }
}

/** West, south, east, north in 1e-7 degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number]

export function boxOf(line: ArrayLike<number>, margin = 0): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < line.length; at += 2) {
    const [lon, lat] = [line[at] ?? 0, line[at + 1] ?? 0]
    west = Math.min(west, lon)
    east = Math.max(east, lon)
    south = Math.min(south, lat)
    north = Math.max(north, lat)
  }
  return [west - margin, south - margin, east + margin, north + margin]
}

export const joined = (one: Box, other: Box): Box => [
  Math.min(one[0], other[0]),
  Math.min(one[1], other[1]),
  Math.max(one[2], other[2]),
  Math.max(one[3], other[3]),
]

const metersPerUnit = 111_195 / 1e7

/** Metres between two places in 1e-7 degrees, near each other. */
export function metersBetween(lon: number, lat: number, otherLon: number, otherLat: number): number {
  const scale = Math.cos(((lat + otherLat) / 2 / 1e7) * (Math.PI / 180))
  return Math.hypot((lon - otherLon) * scale, lat - otherLat) * metersPerUnit
}

/** Metres from a place to a line, and its nearest point. */
export function nearestOnLine(
  lon: number,
  lat: number,
  line: ArrayLike<number>,
): { meters: number; lon: number; lat: number } {
  const scale = Math.cos((lat / 1e7) * (Math.PI / 180))
  let best = { meters: Infinity, lon, lat }
  for (let at = 0; at < line.length; at += 2) {
    const [fromLon, fromLat] = [line[Math.max(0, at - 2)] ?? 0, line[Math.max(0, at - 2) + 1] ?? 0]
    const [dx, dy] = [((line[at] ?? 0) - fromLon) * scale, (line[at + 1] ?? 0) - fromLat]
    const length = dx * dx + dy * dy
    const along = length === 0 ? 0 : ((lon - fromLon) * scale * dx + (lat - fromLat) * dy) / length
    const share = Math.max(0, Math.min(1, along))
    const [pointLon, pointLat] = [fromLon + ((line[at] ?? 0) - fromLon) * share, fromLat + dy * share]
    const meters = metersBetween(lon, lat, pointLon, pointLat)
    if (meters < best.meters) best = { meters, lon: Math.round(pointLon), lat: Math.round(pointLat) }
  }
  return best
}
