import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { MultiPolygon, Polygon } from "geojson"
import { feature } from "topojson-client"
import type { GeometryCollection, Topology } from "topojson-specification"
import type { Countries, Names } from "#packages/addresses/index.ts"
import { unwrapRing } from "#packages/geodesy/antimeridian.ts"

const require = createRequire(import.meta.url)

interface Shape {
  readonly code: string
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
  readonly rings: readonly (readonly number[])[]
}

/** Languages in which people search for a country by its name, besides its own. */
const languages = "ar de en es fr hi id it ja ko nl pl pt ru th tr uk vi zh".split(" ")
/** A coarse coast leaves ports in the sea: about 30 km. */
const coastDegrees = 0.3

/** Countries from Natural Earth (through world-atlas, public domain), their names from ICU. */
export async function readCountries(): Promise<Countries> {
  const topology = JSON.parse(
    await readFile(require.resolve("world-atlas/countries-50m.json"), "utf8"),
  ) as Topology<{ countries: GeometryCollection }>
  const shapes = feature(topology, topology.objects.countries).features.flatMap(({ id, geometry }) => {
    const code = codeOf(String(id))
    if (!code) return []
    return polygonsOf(geometry as Polygon | MultiPolygon).map((polygon) => shapeOf(code, polygon))
  })
  return {
    countryAt(lon, lat) {
      return shapeAt(lon, lat)?.code ?? (lon < beyondAntimeridian ? shapeAt(lon + 360, lat)?.code : undefined)
    },
    namesOf,
  }
  function shapeAt(lon: number, lat: number): Shape | undefined {
    const near = shapes.filter((shape) => isInBox(shape, lon, lat, coastDegrees))
    const inside = near.find((shape) => isInBox(shape, lon, lat, 0) && isInside(shape, lon, lat))
    return inside ?? nearestOf(near, lon, lat)
  }
}

/** Shapes across the antimeridian go on beyond 180 degrees; none reaches further than this, Alaska. */
const beyondAntimeridian = -129

/** ISO 3166-1: the numeric code's alphabetic one. */
function codeOf(numeric: string): string | undefined {
  if (!/^\d{3}$/.test(numeric)) return undefined
  const [, code] = Intl.getCanonicalLocales(`und-${numeric}`)[0]?.split("-") ?? []
  return code && /^[A-Z]{2}$/.test(code) ? code.toLowerCase() : undefined
}

function namesOf(code: string): Names {
  const region = code.toUpperCase()
  const own = new Intl.Locale(`und-${region}`).maximize().language
  const nameIn = (language: string) =>
    new Intl.DisplayNames([language], { type: "region", fallback: "none" }).of(region) ?? region
  return {
    name: nameIn(own),
    others: Object.fromEntries(languages.map((language) => [`name:${language}`, nameIn(language)])),
  }
}

const polygonsOf = (geometry: Polygon | MultiPolygon) =>
  geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates

function shapeOf(code: string, polygon: Polygon["coordinates"]): Shape {
  const rings = polygon.map(unwrapRing)
  const outer = rings[0] ?? []
  const lons = outer.map(([lon = 0]) => lon)
  const lats = outer.map(([, lat = 0]) => lat)
  const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Infinity)
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity)
  return {
    code,
    west: least(lons),
    south: least(lats),
    east: most(lons),
    north: most(lats),
    rings: rings.map((ring) => ring.flat()),
  }
}

const isInBox = ({ west, south, east, north }: Shape, lon: number, lat: number, margin: number) =>
  lon >= west - margin && lon <= east + margin && lat >= south - margin && lat <= north + margin

function isInside({ rings }: Shape, lon: number, lat: number): boolean {
  let isIn = false
  for (const ring of rings)
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [ring[at], ring[at + 1], ring[at + 2], ring[at + 3]]
      if (y1 > lat !== y2 > lat && lon < x1 + ((lat - y1) / (y2 - y1)) * (x2 - x1)) isIn = !isIn
    }
  return isIn
}

/** The country whose shore has the nearest corner, at sea near a coast. */
function nearestOf(shapes: readonly Shape[], lon: number, lat: number): Shape | undefined {
  let [best, least]: [Shape | undefined, number] = [undefined, coastDegrees ** 2]
  for (const shape of shapes)
    for (const ring of shape.rings)
      for (let at = 0; at < ring.length; at += 2) {
        const distance = ((ring[at] ?? 0) - lon) ** 2 + ((ring[at + 1] ?? 0) - lat) ** 2
        if (distance < least) [best, least] = [shape, distance]
      }
  return best
}
