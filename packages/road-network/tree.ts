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

/**
 * Visits segments from near to far until `visit` returns false. `visit` gets a lower bound of the squared distance,
 * in units of latitude.
 */
export function visitNearest(
  { boxes, items }: Tree,
  place: { lat: number; lon: number },
  visit: (segment: number, squaredDistance: number) => boolean,
): void {
  const levels = levelsOf(items.length)
  const scale = Math.cos((place.lat / 10_000_000 / 180) * Math.PI)
  const queue: [distance: number, entry: number, level: number][] = []
  const distanceTo = (entry: number) => boxDistance(boxes, entry * 4, place, scale)
  if (items.length > 0) pushEntry(queue, [0, (levels.at(-1) ?? 1) - 1, levels.length - 2])
  for (let next = popEntry(queue); next; next = popEntry(queue)) {
    const [distance, entry, level] = next
    if (level === 0) {
      if (!visit(items[entry] as number, distance)) return
      continue
    }
    const [below = 0, start = 0] = [levels[level - 1], levels[level]]
    const from = below + (entry - start) * fanOut
    const to = Math.min(from + fanOut, start)
    for (let child = from; child < to; child++) pushEntry(queue, [distanceTo(child), child, level - 1])
  }
}

function boxDistance(
  boxes: Int32Array,
  at: number,
  { lat, lon }: { lat: number; lon: number },
  scale: number,
): number {
  const [south = 0, west = 0] = [boxes[at], boxes[at + 1]]
  const [north = 0, east = 0] = [boxes[at + 2], boxes[at + 3]]
  const dLat = lat < south ? south - lat : lat > north ? lat - north : 0
  const isBeside = lon < west || lon > east
  const isBesideAbove = lon + worldUnits < west || lon + worldUnits > east
  const dLon =
    isBeside && isBesideAbove
      ? Math.min(Math.abs(wrapUnits(lon - west)), Math.abs(wrapUnits(lon - east))) * scale
      : 0
  return dLat * dLat + dLon * dLon
}

type Entry = [distance: number, entry: number, level: number]

function pushEntry(heap: Entry[], entry: Entry): void {
  let at = heap.length
  heap.push(entry)
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent] as Entry
    if (above[0] <= entry[0]) break
    heap[at] = above
    at = parent
  }
  heap[at] = entry
}

function popEntry(heap: Entry[]): Entry | undefined {
  const top = heap[0]
  const last = heap.pop()
  if (!top || !last || heap.length === 0) return top
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && (heap[child + 1] as Entry)[0] < (heap[child] as Entry)[0]) child++
    if ((heap[child] as Entry)[0] >= last[0]) break
    heap[at] = heap[child] as Entry
    at = child
  }
  heap[at] = last
  return top
}
