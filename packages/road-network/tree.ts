import { worldUnits, wrapUnits } from "./fixed.ts"

/**
 * A packed R-tree over segments. Entries of a level lie side by side, the leaves first; every 16 have a parent in
 * the next level. `boxes` has four numbers an entry (south, west, north, east; units of 1e-7 degrees, east passes
 * 180 degrees for what crosses the antimeridian), `items` the segments of the leaves in their order.
 */
export interface Tree {
  boxes: Int32Array
  items: Uint32Array
}

const fanOut = 16

/** Where each level begins, leaves first, and the end. */
export function levelsOf(count: number): number[] {
  const starts = [0]
  let width = count
  let end = count
  while (width > 1) {
    starts.push(end)
    width = Math.ceil(width / fanOut)
    end += width
  }
  starts.push(end)
  return starts
}

/** `boxOf` writes the box of an item into four numbers. */
export function buildTree(ids: Uint32Array, boxOf: (id: number, into: Int32Array) => void): Tree {
  const count = ids.length
  const box = new Int32Array(4)
  const order = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    boxOf(ids[i] as number, box)
    const [south = 0, west = 0, north = 0, east = 0] = box
    // The curve's position above the index: one sort of plain numbers.
    order[i] = curvePosition((south + north) / 2, (west + east) / 2) * 2 ** 26 + i
  }
  if (count >= 2 ** 26) throw new RangeError("more segments than the search tree holds")
  order.sort()
  const levels = levelsOf(count)
  const boxes = new Int32Array((levels.at(-1) ?? 0) * 4)
  const items = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    items[i] = ids[(order[i] as number) % 2 ** 26] as number
    boxOf(items[i] as number, box)
    boxes.set(box, i * 4)
  }
  for (let level = 1; level + 1 < levels.length; level++) mergeLevel(boxes, levels, level)
  return { boxes, items }
}

function mergeLevel(boxes: Int32Array, levels: readonly number[], level: number): void {
  const [below = 0, start = 0, end = 0] = [levels[level - 1], levels[level], levels[level + 1]]
  for (let entry = start; entry < end; entry++) {
    const from = below + (entry - start) * fanOut
    const to = Math.min(from + fanOut, start)
    for (let side = 0; side < 4; side++) {
      let value = boxes[from * 4 + side] as number
      for (let child = from + 1; child < to; child++) {
        const other = boxes[child * 4 + side] as number
        value = side < 2 ? Math.min(value, other) : Math.max(value, other)
      }
      boxes[entry * 4 + side] = value
    }
  }
}

/** 24 bits along the Hilbert curve over the world. */
function curvePosition(lat: number, lon: number): number {
  let x = Math.floor(((lon + worldUnits / 2) / (worldUnits * 1.5)) * 4096)
  let y = Math.floor(((lat + worldUnits / 4) / (worldUnits / 2)) * 4095)
  let position = 0
  for (let side = 2048; side > 0; side /= 2) {
    const right = (x & side) > 0 ? 1 : 0
    const up = (y & side) > 0 ? 1 : 0
    position += side * side * ((3 * right) ^ up)
    if (up === 0) {
      if (right === 1) {
        x = 4095 - x
        y = 4095 - y
      }
      const swapped = x
      x = y
      y = swapped
    }
  }
  return position
}

/** Entries that wait to be visited: a heap of distances with what they belong to. One for all searches of a thread. */
const queue = { distances: new Float64Array(1024), entries: new Uint32Array(1024), length: 0 }

/**
 * Visits segments from near to far by their boxes, up to a limit: a squared distance in units of latitude. `visit` returns the
 * limit from then on; a negative one ends the search. It must not search itself.
 */
export function visitNearest(
  { boxes, items }: Tree,
  place: { lat: number; lon: number },
  startLimit: number,
  visit: (segment: number) => number,
): void {
  const levels = levelsOf(items.length)
  const scale = Math.cos((place.lat / 10_000_000 / 180) * Math.PI)
  let limit = startLimit
  queue.length = 0
  if (items.length > 0) pushEntry(0, (levels.at(-1) ?? 1) - 1)
  while (queue.length > 0) {
    const distance = queue.distances[0] as number
    const entry = queue.entries[0] as number
    if (distance > limit) return
    popEntry()
    if (entry < items.length) {
      limit = visit(items[entry] as number)
      continue
    }
    let level = 1
    while (entry >= (levels[level + 1] as number)) level++
    const start = levels[level] as number
    const from = (levels[level - 1] as number) + (entry - start) * fanOut
    const to = Math.min(from + fanOut, start)
    for (let child = from; child < to; child++) {
      const childDistance = boxDistance(boxes, child * 4, place, scale)
      if (childDistance <= limit) pushEntry(childDistance, child)
    }
  }
}

function boxDistance(
  boxes: Int32Array,
  at: number,
  { lat, lon }: { lat: number; lon: number },
  scale: number,
): number {
  const south = boxes[at] as number
  const west = boxes[at + 1] as number
  const north = boxes[at + 2] as number
  const east = boxes[at + 3] as number
  const dLat = lat < south ? south - lat : lat > north ? lat - north : 0
  const isBeside = lon < west || lon > east
  const isBesideAbove = lon + worldUnits < west || lon + worldUnits > east
  const dLon =
    isBeside && isBesideAbove
      ? Math.min(Math.abs(wrapUnits(lon - west)), Math.abs(wrapUnits(lon - east))) * scale
      : 0
  return dLat * dLat + dLon * dLon
}

function pushEntry(distance: number, entry: number): void {
  if (queue.length === queue.entries.length) {
    const larger = {
      distances: new Float64Array(queue.length * 2),
      entries: new Uint32Array(queue.length * 2),
    }
    larger.distances.set(queue.distances)
    larger.entries.set(queue.entries)
    Object.assign(queue, larger)
  }
  const { distances, entries } = queue
  let at = queue.length++
  while (at > 0) {
    const parent = (at - 1) >> 1
    if ((distances[parent] as number) <= distance) break
    distances[at] = distances[parent] as number
    entries[at] = entries[parent] as number
    at = parent
  }
  distances[at] = distance
  entries[at] = entry
}

/** Removes the nearest. */
function popEntry(): void {
  const { distances, entries } = queue
  const count = --queue.length
  const distance = distances[count] as number
  const entry = entries[count] as number
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= count) break
    if (child + 1 < count && (distances[child + 1] as number) < (distances[child] as number)) child++
    if ((distances[child] as number) >= distance) break
    distances[at] = distances[child] as number
    entries[at] = entries[child] as number
    at = child
  }
  distances[at] = distance
  entries[at] = entry
}
