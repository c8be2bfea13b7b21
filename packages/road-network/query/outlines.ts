/** A polygon of GeoJSON: the outer ring, then its holes. */
export type Outline = [lng: number, lat: number][][]

const cellsAcross = 160
/** Metres: finer than a block is no use, since a walk from the road counts as reached too. */
const smallestCell = 40
const metersPerDegree = 111_195

interface Grid {
  width: number
  height: number
  inside: Uint8Array
  toLngLat(x: number, y: number): [number, number]
}

/** Outlines of the area around points: cells of a grid, widened by one and without small holes. */
export function outlinesOf(points: readonly { lat: number; lon: number }[]): Outline[] {
  if (points.length === 0) return []
  const grid = gridAround(points)
  const rings = ringsOf(grid)
  const outer = rings.filter((ring) => signedArea(ring) > 0).sort((a, b) => signedArea(a) - signedArea(b))
  const polygons = outer.map((ring) => [ring])
  for (const hole of rings.filter((ring) => signedArea(ring) < 0)) {
    const owner = polygons.find(([ring]) => ring && contains(ring, hole[0] as [number, number]))
    owner?.push(hole)
  }
  return polygons.map((polygon) => polygon.map((ring) => ring.map(([x, y]) => grid.toLngLat(x, y))))
}

function gridAround(points: readonly { lat: number; lon: number }[]): Grid {
  let [south, north, west, east] = [90, -90, Infinity, -Infinity]
  for (const { lat, lon } of points) {
    south = Math.min(south, lat)
    north = Math.max(north, lat)
    west = Math.min(west, lon)
    east = Math.max(east, lon)
  }
  const scale = Math.max(0.01, Math.cos((((south + north) / 2) * Math.PI) / 180))
  const extent = Math.max(north - south, (east - west) * scale) * metersPerDegree
  const cell = Math.max(smallestCell, extent / cellsAcross) / metersPerDegree
  const width = Math.ceil(((east - west) * scale) / cell) + 5
  const height = Math.ceil((north - south) / cell) + 5
  const inside = new Uint8Array(width * height)
  for (const { lat, lon } of points) {
    const x = Math.round(((lon - west) * scale) / cell) + 2
    const y = Math.round((lat - south) / cell) + 2
    for (let dy = -1; dy <= 1; dy++) for (let dx = -1; dx <= 1; dx++) inside[(y + dy) * width + x + dx] = 1
  }
  const round = (value: number) => Math.round(value * 1e6) / 1e6
  return {
    width,
    height,
    inside,
    toLngLat(x, y) {
      const lng = west + ((x - 2) * cell) / scale
      return [round(lng > 180 ? lng - 360 : lng), round(south + (y - 2) * cell)]
    },
  }
}

type Point = [x: number, y: number]

/** Marching squares: rings with the inside on their left, through the middles between cells. */
function ringsOf({ width, height, inside }: Grid): Point[][] {
  const next = new Map<string, Point>()
  const starts: Point[] = []
  const isIn = (x: number, y: number) => inside[y * width + x] === 1
  const edge = (from: Point, to: Point) => {
    next.set(String(from), to)
    starts.push(from)
  }
  for (let y = 0; y + 1 < height; y++)
    for (let x = 0; x + 1 < width; x++) {
      const corners =
        (isIn(x, y) ? 1 : 0) |
        (isIn(x + 1, y) ? 2 : 0) |
        (isIn(x + 1, y + 1) ? 4 : 0) |
        (isIn(x, y + 1) ? 8 : 0)
      const below: Point = [x + 0.5, y]
      const right: Point = [x + 1, y + 0.5]
      const above: Point = [x + 0.5, y + 1]
      const left: Point = [x, y + 0.5]
      const sides = { b: below, r: right, a: above, l: left }
      for (const [from = "b", to = "b"] of edgesByCorners[corners] ?? [])
        edge(sides[from as keyof typeof sides], sides[to as keyof typeof sides])
    }
  const rings: Point[][] = []
  for (const start of starts) {
    const ring: Point[] = []
    for (let at: Point | undefined = start; at; ) {
      const key: string = String(at)
      const following = next.get(key)
      if (!following) break
      next.delete(key)
      ring.push(at)
      at = following
    }
    if (ring.length > 2) rings.push([...ring, ring[0] as Point])
  }
  return rings
}

/** From and to sides by corners that are inside: 1 south-west, 2 south-east, 4 north-east, 8 north-west. */
const edgesByCorners: readonly (readonly string[])[] = [
  [],
  ["bl"],
  ["rb"],
  ["rl"],
  ["ar"],
  ["al", "br"],
  ["ab"],
  ["al"],
  ["la"],
  ["ba"],
  ["lb", "ra"],
  ["ra"],
  ["lr"],
  ["br"],
  ["lb"],
  [],
]

function signedArea(ring: readonly Point[]): number {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[i + 1] ?? [x, y]
    return sum + (x * nextY - nextX * y) / 2
  }, 0)
}

function contains(ring: readonly Point[], [x, y]: Point): boolean {
  let isInside = false
  for (const [i, [ax, ay]] of ring.entries()) {
    const [bx, by] = ring[i + 1] ?? [ax, ay]
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside
  }
  return isInside
}
