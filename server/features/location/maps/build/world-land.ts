import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { MultiPolygon, Polygon } from "geojson"
import { feature } from "topojson-client"
import type { GeometryCollection, Topology } from "topojson-specification"
import { projectLine, ringArea } from "#packages/vector-tiles/index.ts"

const require = createRequire(import.meta.url)

/**
 * The shores of the world's land (Natural Earth through world-atlas, public domain) in world units: those of land run
 * counterclockwise on the screen, those of inland seas clockwise.
 */
export async function readLandRings(): Promise<Int32Array[]> {
  const topology = JSON.parse(
    await readFile(require.resolve("world-atlas/land-10m.json"), "utf8"),
  ) as Topology<{ land: GeometryCollection }>
  const rings: Int32Array[] = []
  for (const { geometry } of feature(topology, topology.objects.land).features)
    for (const polygon of polygonsOf(geometry as Polygon | MultiPolygon))
      for (const [index, ring] of polygon.entries()) {
        const line = projectLine(Int32Array.from(ring.flat(), (degrees) => Math.round(degrees * 1e7)))
        rings.push(ringArea(line) > 0 === index > 0 ? line : reversed(line))
      }
  return rings
}

const polygonsOf = (geometry: Polygon | MultiPolygon) =>
  geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates

function reversed(line: Int32Array): Int32Array {
  return line.map((_, at) => line[line.length - 2 - at + 2 * (at % 2)] ?? 0)
}
