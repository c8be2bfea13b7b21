import type { LngLat } from "../../geodesy/geodesy.ts"

/** Google's encoded polyline, with 5 or 6 decimals. */
export function encodePolyline(points: readonly LngLat[], decimals: 5 | 6): string {
  const factor = 10 ** decimals
  const text: string[] = []
  let [lastLat, lastLng] = [0, 0]
  for (const [lng, lat] of points) {
    const [nextLat, nextLng] = [Math.round(lat * factor), Math.round(lng * factor)]
    appendNumber(text, nextLat - lastLat)
    appendNumber(text, nextLng - lastLng)
    lastLat = nextLat
    lastLng = nextLng
  }
  return text.join("")
}

function appendNumber(text: string[], value: number): void {
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  while (rest >= 32) {
    text.push(String.fromCharCode((32 | (rest % 32)) + 63))
    rest = Math.floor(rest / 32)
  }
  text.push(String.fromCharCode(rest + 63))
}

/** Undefined for anything that is no polyline. */
export function decodePolyline(text: string, decimals: 5 | 6): [number, number][] | undefined {
  const factor = 10 ** decimals
  const points: [number, number][] = []
  let at = 0
  const next = (): number | undefined => {
    let [value, scale] = [0, 1]
    for (let i = 0; i < 7; i++) {
      const code = text.charCodeAt(at++) - 63
      if (!(code >= 0 && code < 64)) return undefined
      value += (code % 32) * scale
      if (code < 32) return value % 2 === 1 ? -(value + 1) / 2 : value / 2
      scale *= 32
    }
    return undefined
  }
  let [lat, lng] = [0, 0]
  while (at < text.length) {
    const [dLat, dLng] = [next(), next()]
    if (dLat === undefined || dLng === undefined) return undefined
    lat += dLat
    lng += dLng
    points.push([lng / factor, lat / factor])
  }
  return points
}

/** Leaves out points that are less than `toleranceMeters` from the line without them (Douglas and Peucker 1973). */
export function simplifyLine(points: readonly LngLat[], toleranceMeters: number): LngLat[] {
  const keep = new Uint8Array(points.length)
  const last = points.length - 1
  if (last < 2) return [...points]
  keep[0] = keep[last] = 1
  const tolerance = toleranceMeters / 111_195
  const stack: [number, number][] = [[0, last]]
  for (let range = stack.pop(); range; range = stack.pop()) {
    const [from, to] = range
    let farthest = -1
    let most = tolerance * tolerance
    for (let i = from + 1; i < to; i++) {
      const distance = squaredFromLeg(points[i] as LngLat, points[from] as LngLat, points[to] as LngLat)
      if (distance > most) {
        most = distance
        farthest = i
      }
    }
    if (farthest === -1) continue
    keep[farthest] = 1
    stack.push([from, farthest], [farthest, to])
  }
  return points.filter((_, i) => keep[i] === 1)
}

function squaredFromLeg(point: LngLat, from: LngLat, to: LngLat): number {
  const scale = Math.cos((point[1] / 180) * Math.PI)
  const [x, y] = [(point[0] - from[0]) * scale, point[1] - from[1]]
  const [dx, dy] = [(to[0] - from[0]) * scale, to[1] - from[1]]
  const squared = dx * dx + dy * dy
  const part = squared === 0 ? 0 : Math.min(1, Math.max(0, (x * dx + y * dy) / squared))
  return (x - part * dx) ** 2 + (y - part * dy) ** 2
}
