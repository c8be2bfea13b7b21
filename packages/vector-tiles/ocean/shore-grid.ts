import type { Box } from "../geometry/clip.ts"
import type { Feature } from "../geometry/feature.ts"
import { maskRings } from "./mask-rings.ts"

/** In cells. Something drawn keeps the sea this far away. */
const shoreCells = 2
/** The sea may be this far inside the coarse land, such as in a bay or a harbour. */
const inletCells = 30
/** The sea begins where nothing is drawn this far around. */
const openSeaCells = 6
const maxCells = 2_400

const isOnLand = ({ drawing }: Feature) =>
  drawing.layer === "road" || drawing.layer === "building" || drawing.layer === "poi" || isGround(drawing)

const isGround = ({ layer, properties }: Feature["drawing"]) =>
  layer === "land" && properties.class !== "pier" && properties.class !== "square"

/**
 * The sea of an extract that has no coastline: the coarse land of the world map, moved to where streets, buildings and
 * parks are. `landRings` are rings of that land in world units.
 */
export function seaAroundStreets(
  features: readonly Feature[],
  forEachAddress: (visit: (x: number, y: number) => void) => void,
  landRings: readonly Int32Array[],
  box: Box,
  cellUnits: number,
): Int32Array[] {
  const margin = 4
  const size = Math.max(cellUnits, Math.ceil(Math.max(box.east - box.west, box.south - box.north) / maxCells))
  const [west, north] = [box.west - margin * size, box.north - margin * size]
  const width = Math.ceil((box.east - west) / size) + margin
  const height = Math.ceil((box.south - north) / size) + margin
  if (landRings.length === 0) return []
  const sea = coarseSea(landRings, { west, north, size, width, height })
  if (!sea.includes(1)) return []
  const drawn = new Uint8Array(width * height)
  const mark = (x: number, y: number) => {
    const [column, row] = [Math.floor((x - west) / size), Math.floor((y - north) / size)]
    if (column >= 0 && row >= 0 && column < width && row < height) drawn[row * width + column] = 1
  }
  for (const feature of features)
    if (isOnLand(feature)) for (const part of feature.parts) markLine(part, size / 2, mark)
  forEachAddress(mark)
  const toDrawn = distances(drawn, width, height)
  const toSea = distances(sea, width, height)
  const mask = flood(
    (cell) => sea[cell] === 1 && (toDrawn[cell] ?? 0) > openSeaCells,
    (cell) => (toDrawn[cell] ?? 0) > shoreCells && (toSea[cell] ?? 0) <= inletCells,
    width,
    height,
  )
  return maskRings(mask, width, height).map((ring) =>
    Int32Array.from(ring, (value, at) => Math.round((at % 2 === 0 ? west : north) + value * size)),
  )
}

interface Grid {
  readonly west: number
  readonly north: number
  readonly size: number
  readonly width: number
  readonly height: number
}

/** Cells outside the land, row by row with the even-odd rule. */
function coarseSea(rings: readonly Int32Array[], { west, north, size, width, height }: Grid): Uint8Array {
  const sea = new Uint8Array(width * height)
  const crossings: number[][] = Array.from({ length: height }, () => [])
  for (const ring of rings)
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [ring[at], ring[at + 1], ring[at + 2], ring[at + 3]]
      const first = Math.max(0, Math.ceil((Math.min(y1, y2) - north) / size - 0.5))
      const last = Math.min(height - 1, Math.ceil((Math.max(y1, y2) - north) / size - 0.5) - 1)
      for (let row = first; row <= last; row += 1) {
        const y = north + (row + 0.5) * size
        crossings[row]?.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
      }
    }
  for (const [row, xs] of crossings.entries()) {
    xs.sort((one, other) => one - other)
    let [passed, isLand] = [0, false]
    for (let column = 0; column < width; column += 1) {
      const x = west + (column + 0.5) * size
      while (passed < xs.length && (xs[passed] ?? 0) < x) {
        isLand = !isLand
        passed += 1
      }
      sea[row * width + column] = isLand ? 0 : 1
    }
  }
  return sea
}

function markLine(part: Int32Array, step: number, mark: (x: number, y: number) => void): void {
  for (let at = 0; at + 1 < part.length; at += 2) {
    const [x = 0, y = 0] = [part[at], part[at + 1]]
    const [nextX, nextY] = [part[at + 2] ?? x, part[at + 3] ?? y]
    const steps = Math.min(10_000, Math.ceil(Math.hypot(nextX - x, nextY - y) / step))
    for (let index = 0; index <= steps; index += 1)
      mark(x + ((nextX - x) * index) / Math.max(1, steps), y + ((nextY - y) * index) / Math.max(1, steps))
  }
}

const farAway = 255

/** Steps to the nearest marked cell, at most 255; two passes over the grid. */
function distances(marks: Uint8Array, width: number, height: number): Uint8Array {
  const steps = marks.map((mark) => (mark === 1 ? 0 : farAway))
  const relax = (cell: number, from: number, isInside: boolean) => {
    if (isInside && (steps[from] ?? farAway) + 1 < (steps[cell] ?? 0)) steps[cell] = (steps[from] ?? 0) + 1
  }
  for (let cell = 0; cell < steps.length; cell += 1) {
    relax(cell, cell - 1, cell % width > 0)
    relax(cell, cell - width, cell >= width)
  }
  for (let cell = steps.length - 1; cell >= 0; cell -= 1) {
    relax(cell, cell + 1, cell % width < width - 1)
    relax(cell, cell + width, cell < (height - 1) * width)
  }
  return steps
}

function flood(
  isSource: (cell: number) => boolean,
  isOpen: (cell: number) => boolean,
  width: number,
  height: number,
): Uint8Array {
  const mask = new Uint8Array(width * height)
  const queue: number[] = []
  const visit = (cell: number) => {
    if (mask[cell] === 1 || !isOpen(cell)) return
    mask[cell] = 1
    queue.push(cell)
  }
  for (let cell = 0; cell < mask.length; cell += 1) if (isSource(cell)) visit(cell)
  for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
    if (cell % width > 0) visit(cell - 1)
    if (cell % width < width - 1) visit(cell + 1)
    if (cell >= width) visit(cell - width)
    if (cell < width * (height - 1)) visit(cell + width)
  }
  return mask
}
