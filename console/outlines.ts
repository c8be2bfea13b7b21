import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Feature, FeatureCollection, Geometry, MultiPolygon, Point, Polygon, Position } from "geojson"
import { feature, mesh } from "topojson-client"
import type { GeometryCollection, Topology } from "topojson-specification"
import type { Plugin } from "vite"

/**
 * The built-in map's land, borders and country names as GeoJSON files, created when the console is built: the map's own
 * worker reads them by their address, so a page never stops to unpack the world.
 * Natural Earth, through world-atlas; public domain.
 */
type Countries = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>

const require = createRequire(import.meta.url)
const details = { coarse: "countries-50m.json", fine: "countries-10m.json" } as const
type Detail = keyof typeof details
const layers = ["land", "borders", "names"] as const
type Layer = (typeof layers)[number]
/** Four decimals of a degree are eleven metres: finer than the source. */
const decimals = 10_000

const moduleName = "virtual:outlines"
const resolvedName = `\0${moduleName}`
const developmentPath = /^\/outlines\/(coarse|fine)-(land|borders|names)\.json$/

/** `import outlines from "virtual:outlines"` exports the addresses: `outlines.coarse.land`. */
export function outlineFiles(): Plugin {
  let isBuild = false
  return {
    name: "outline-files",
    configResolved(config) {
      isBuild = config.command === "build"
    },
    resolveId: (id) => (id === moduleName ? resolvedName : undefined),
    async load(id) {
      if (id !== resolvedName) return
      const entries: string[] = []
      for (const detail of ["coarse", "fine"] as const) {
        const made = isBuild ? await outlines(detail) : undefined
        const addresses = layers.map((layer) => {
          if (!made) return `${layer}: "/outlines/${detail}-${layer}.json"`
          const reference = this.emitFile({
            type: "asset",
            name: `${detail}-${layer}.json`,
            source: made[layer],
          })
          return `${layer}: import.meta.ROLLUP_FILE_URL_${reference}`
        })
        entries.push(`${detail}: { ${addresses.join(", ")} }`)
      }
      return `export default { ${entries.join(", ")} }`
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [, detail, layer] = developmentPath.exec(request.url ?? "") ?? []
        if (!detail || !layer) return next()
        outlines(detail as Detail).then((made) => {
          response.setHeader("content-type", "application/json")
          response.end(made[layer as Layer])
        }, next)
      })
    },
  }
}

async function outlines(detail: Detail): Promise<Record<Layer, string>> {
  const topology = JSON.parse(
    await readFile(require.resolve(`world-atlas/${details[detail]}`), "utf8"),
  ) as Countries
  const { countries, land } = topology.objects
  const borders = mesh(topology, countries, (one, other) => one !== other)
  return {
    land: compact(feature(topology, land)),
    borders: compact({ type: "Feature", properties: {}, geometry: borders }),
    names: compact({ type: "FeatureCollection", features: names(topology) }),
  }
}

function compact(shape: Feature | FeatureCollection): string {
  return JSON.stringify(shape, (_key, value: unknown) =>
    typeof value === "number" ? Math.round(value * decimals) / decimals : value,
  )
}

function names(topology: Countries): Feature<Point>[] {
  const countries = feature(topology, topology.objects.countries)
  return countries.features.flatMap(({ geometry, properties }) => {
    const ring = largestRing(geometry)
    if (!ring) return []
    const { center, area } = centerOf(ring)
    return [
      {
        type: "Feature" as const,
        properties: { name: properties.name, area },
        geometry: { type: "Point" as const, coordinates: center },
      },
    ]
  })
}

function largestRing(geometry: Geometry): Position[] | undefined {
  const { type, coordinates } = geometry as Polygon | MultiPolygon
  const rings = type === "Polygon" ? [coordinates[0]] : coordinates.map((polygon) => polygon[0])
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
