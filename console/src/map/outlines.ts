import type { FeatureCollection, MultiPolygon, Point, Polygon, Position } from "geojson"
import { feature, mesh } from "topojson-client"
import type { GeometryCollection, Topology } from "topojson-specification"
import fineUrl from "world-atlas/countries-10m.json?url"
import coarseUrl from "world-atlas/countries-50m.json?url"

type Countries = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>

export interface Outlines {
  land: FeatureCollection
  borders: FeatureCollection
  names: FeatureCollection<Point>
}

export type Detail = "coarse" | "fine"
const urls: Record<Detail, string> = { coarse: coarseUrl, fine: fineUrl }
const loaded = new Map<Detail, Promise<Outlines>>()

/** The world's land and borders, which need no other server. Natural Earth, through world-atlas; public domain. */
export function loadOutlines(detail: Detail): Promise<Outlines> {
  const known = loaded.get(detail)
  if (known) return known
  const loading = read(urls[detail])
  loaded.set(detail, loading)
  loading.catch(() => loaded.delete(detail))
  return loading
}

async function read(url: string): Promise<Outlines> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the map's outlines could not be read: ${response.status}`)
  const topology = (await response.json()) as Countries
  const countries = feature(topology, topology.objects.countries)
  const inner = mesh(topology, topology.objects.countries, (one, other) => one !== other)
  return {
    land: feature(topology, topology.objects.land) as unknown as FeatureCollection,
    borders: { type: "FeatureCollection", features: [{ type: "Feature", properties: {}, geometry: inner }] },
    names: {
      type: "FeatureCollection",
      features: countries.features.flatMap(({ geometry, properties }) => {
        const ring = largestRing(geometry as Polygon | MultiPolygon)
        if (!ring) return []
        const { center, area } = centerOf(ring)
        return [
          {
            type: "Feature" as const,
            properties: { name: properties.name, area },
            geometry: { type: "Point" as const, coordinates: center },
          },
        ]
      }),
    },
  }
}

function largestRing(geometry: Polygon | MultiPolygon): Position[] | undefined {
  const rings =
    geometry.type === "Polygon"
      ? [geometry.coordinates[0]]
      : geometry.coordinates.map((polygon) => polygon[0])
  const outer = rings.filter((ring) => ring !== undefined)
  return outer.toSorted((one, other) => centerOf(other).area - centerOf(one).area)[0]
}

/** Centroid and size of a ring in square degrees: good enough to place a name and to rank it. */
function centerOf(ring: readonly Position[]): { center: [number, number]; area: number } {
  let [doubled, x, y] = [0, 0, 0]
  for (let index = 0; index < ring.length - 1; index++) {
    const [x1 = 0, y1 = 0] = ring[index] ?? []
    const [x2 = 0, y2 = 0] = ring[index + 1] ?? []
    const cross = x1 * y2 - x2 * y1
    doubled += cross
    x += (x1 + x2) * cross
    y += (y1 + y2) * cross
  }
  if (doubled === 0) return { center: [ring[0]?.[0] ?? 0, ring[0]?.[1] ?? 0], area: 0 }
  return { center: [x / (3 * doubled), y / (3 * doubled)], area: Math.abs(doubled) / 2 }
}
