import type { FeatureCollection, LineString } from "geojson"

interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

/** Steps in degrees: whole ones, then minutes and seconds of arc. */
const stepsDegrees = [
  30,
  10,
  5,
  2,
  1,
  1 / 2,
  1 / 6,
  1 / 12,
  1 / 30,
  1 / 60,
  1 / 120,
  1 / 360,
  1 / 720,
  1 / 1800,
  1 / 3600,
]
const wantedLines = 4

/** Meridians and parallels at round degrees, about four to eight across what is shown: orientation where no street is. */
export function graticule({ west, south, east, north }: Bounds): FeatureCollection<LineString> {
  const span = Math.max(east - west, 1e-6)
  const step = stepsDegrees.find((candidate) => span / candidate >= wantedLines) ?? 1 / 3600
  const top = Math.min(85, north + step)
  const bottom = Math.max(-85, south - step)
  const lines: [number, number][][] = []
  for (let lng = Math.floor(west / step) * step; lng <= east + step; lng += step)
    lines.push([
      [lng, bottom],
      [lng, top],
    ])
  for (let lat = Math.floor(bottom / step) * step; lat <= top; lat += step)
    lines.push([
      [west - step, lat],
      [east + step, lat],
    ])
  return {
    type: "FeatureCollection",
    features: lines.map((coordinates) => ({
      type: "Feature",
      properties: {},
      geometry: { type: "LineString", coordinates },
    })),
  }
}
