import type { Page } from "playwright-core"

/** A place of the map: longitude and latitude. */
export type Place = readonly [lng: number, lat: number]

/** What is to be given to people: areas of places, on a map that shows all places. */
export interface Work {
  areas: readonly Place[][]
  places: readonly Place[]
}
type Point = readonly [x: number, y: number]

/** Places in boxes of about this many that do not overlap, as somebody who knows the city would draw them. */
export function inBoxes(places: readonly Place[], size: number, axis: 0 | 1 = 0): Place[][] {
  if (places.length <= size) return [[...places]]
  const sorted = places.toSorted((one, other) => one[axis] - other[axis])
  const boxes = Math.round(places.length / size)
  const half = Math.round((Math.floor(boxes / 2) / boxes) * sorted.length)
  const other = axis === 0 ? 1 : 0
  return [...inBoxes(sorted.slice(0, half), size, other), ...inBoxes(sorted.slice(half), size, other)]
}

const tilePixels = 512
const maxZoom = 15

function mercator([lng, lat]: Place): Point {
  const x = (lng + 180) / 360
  const y = (1 - Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) / Math.PI) / 2
  return [x * tilePixels, y * tilePixels]
}

/** Where places are on the screen, on a map that shows all of them (console/src/map/fit.ts). */
export async function onScreen(page: Page, all: readonly Place[]): Promise<(place: Place) => Point> {
  const box = await page.locator(".map").boundingBox()
  if (!box) throw new Error("no map on this page")
  const padding = Math.max(16, Math.min(64, box.width / 6, box.height / 6))
  const points = all.map(mercator)
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const scale = Math.min(
    (box.width - 2 * padding) / (right - left),
    (box.height - 2 * padding) / (bottom - top),
    2 ** maxZoom,
  )
  return (place) => {
    const [x, y] = mercator(place)
    return [
      box.x + box.width / 2 + (x - (left + right) / 2) * scale,
      box.y + box.height / 2 + (y - (top + bottom) / 2) * scale,
    ]
  }
}

/** A loop around points, a pixel outside of them. */
export function loopAround(points: readonly Point[]): Point[] {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [left, right] = [Math.min(...xs) - 1, Math.max(...xs) + 1]
  const [top, bottom] = [Math.min(...ys) - 1, Math.max(...ys) + 1]
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
    [left, top],
  ]
}
