import { wordsOf } from "../text/words.ts"
import { type Box, boxOf, Grid, joined, metersBetween, nearestOnLine } from "./grid.ts"
import type { PlaceKind } from "./kinds.ts"
import type { Names } from "./names.ts"
import type { StreetWay } from "./read-extract.ts"

/** Ways of one name near each other; or the houses of a street that has no way. */
export interface Street {
  readonly names: Names
  readonly kind: PlaceKind
  /** 0: it has no way. */
  readonly osmId: number
  readonly lon: number
  readonly lat: number
  readonly bounds: Box
  readonly postcode: string
  readonly ways: readonly StreetWay[]
}

export interface Streets {
  readonly list: Street[]
  /** The number of each way's street, -1 for none. */
  readonly ofWay: Int32Array
  readonly byName: Map<string, number[]>
}

/** Ways whose boxes come nearer than this are one street: about 300 m, and the squares add up to 1 km. */
const marginUnits = 0.003 * 1e7
const cellDegrees = 0.01

export const nameKey = (name: string) => wordsOf(name).join(" ")

export function groupStreets(ways: readonly StreetWay[]): Streets {
  const indexesByKey = new Map<string, number[]>()
  for (const [index, { names }] of ways.entries()) {
    const key = nameKey(names.name)
    const known = indexesByKey.get(key)
    if (known) known.push(index)
    else indexesByKey.set(key, [index])
  }
  const streets: Streets = { list: [], ofWay: new Int32Array(ways.length).fill(-1), byName: new Map() }
  for (const indexes of indexesByKey.values())
    for (const group of groupsOf(indexes, ways)) {
      const id = addStreet(
        streets,
        streetOf(group.map((index) => ways[index]).filter((way) => way !== undefined)),
      )
      for (const index of group) streets.ofWay[index] = id
    }
  return streets
}

export function addStreet(streets: Streets, street: Street): number {
  const id = streets.list.push(street) - 1
  for (const name of [street.names.name, ...Object.values(street.names.others)]) {
    const key = nameKey(name)
    const known = streets.byName.get(key)
    if (!known) streets.byName.set(key, [id])
    else if (known.at(-1) !== id) known.push(id)
  }
  return id
}

/** Connects what shares a square of the map. */
function groupsOf(indexes: readonly number[], ways: readonly StreetWay[]): number[][] {
  if (indexes.length === 1) return [[...indexes]]
  const grid = new Grid<number>(cellDegrees)
  const parents = indexes.map((_, at) => at)
  const rootOf = (at: number): number => {
    let root = at
    while (parents[root] !== root) root = parents[root] ?? root
    parents[at] = root
    return root
  }
  for (const [at, index] of indexes.entries())
    grid.add(at, boxOf(ways[index]?.line ?? [], marginUnits), 2_000)
  for (const [first = 0, ...others] of grid.cells())
    for (const other of others) parents[rootOf(other)] = rootOf(first)
  const groups = new Map<number, number[]>()
  for (const [at, index] of indexes.entries()) {
    const root = rootOf(at)
    groups.set(root, [...(groups.get(root) ?? []), index])
  }
  return [...groups.values()]
}

const lengthOf = (line: Int32Array) => {
  let meters = 0
  for (let at = 2; at < line.length; at += 2)
    meters += metersBetween(line[at - 2] ?? 0, line[at - 1] ?? 0, line[at] ?? 0, line[at + 1] ?? 0)
  return meters
}

function streetOf(ways: readonly StreetWay[]): Street {
  const [first, ...others] = ways.toSorted(
    (a, b) => b.kind.importance - a.kind.importance || lengthOf(b.line) - lengthOf(a.line),
  )
  if (!first) throw new Error("a street has ways")
  const bounds = others.reduce((box, { line }) => joined(box, boxOf(line)), boxOf(first.line))
  const middle = [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2] as const
  let nearest = nearestOnLine(middle[0], middle[1], first.line)
  for (const { line } of others) {
    const point = nearestOnLine(middle[0], middle[1], line)
    if (point.meters < nearest.meters) nearest = point
  }
  const meters = ways.reduce((sum, { line }) => sum + lengthOf(line), 0)
  const importance = first.kind.importance + Math.min(0.05, Math.log10(1 + meters / 100) / 60)
  return {
    names: { name: first.names.name, others: Object.assign({}, ...ways.map(({ names }) => names.others)) },
    kind: { ...first.kind, importance },
    osmId: first.id,
    lon: nearest.lon,
    lat: nearest.lat,
    bounds,
    postcode: ways.find(({ postcode }) => postcode)?.postcode ?? "",
    ways,
  }
}
