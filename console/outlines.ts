import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import type { Feature, FeatureCollection, Geometry, MultiPolygon, Point, Polygon, Position } from "geojson"
import { feature, mesh } from "topojson-client"
import type { GeometryCollection, Topology } from "topojson-specification"
import type { Plugin } from "vite"
import { unwrapRing } from "../packages/geodesy/antimeridian.ts"

/**
 * The built-in map's land, borders, country names, lakes, rivers and cities as GeoJSON files, created when the console is
 * built: the map's own worker reads them by their address, so a page never stops to unpack the world.
 * Sources: world-atlas (Natural Earth, public domain) and world/README.md.
 */
type Countries = Topology<{ countries: GeometryCollection<{ name: string }>; land: GeometryCollection }>

const require = createRequire(import.meta.url)
const details = { coarse: "countries-50m.json", fine: "countries-10m.json" } as const
type Detail = keyof typeof details
const layers = ["land", "borders", "names"] as const
type Layer = (typeof layers)[number]
/** The same at every zoom. */
const worldLayers = ["lakes", "rivers", "cities"] as const
type WorldLayer = (typeof worldLayers)[number]
/** Four decimals of a degree are eleven metres: finer than the source. */
const decimals = 10_000

const moduleName = "virtual:outlines"
const resolvedName = `\0${moduleName}`
const developmentPath = /^\/outlines\/(coarse|fine|world)-([a-z]+)\.json$/

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
      for (const group of ["coarse", "fine", "world"] as const) {
        const names = group === "world" ? worldLayers : layers
        const made = isBuild ? await filesOf(group) : {}
        const addresses = names.map((layer) => {
          const source = made[layer]
          if (source === undefined) return `${layer}: "/outlines/${group}-${layer}.json"`
          const reference = this.emitFile({ type: "asset", name: `${group}-${layer}.json`, source })
          return `${layer}: import.meta.ROLLUP_FILE_URL_${reference}`
        })
        entries.push(`${group}: { ${addresses.join(", ")} }`)
      }
      return `export default { ${entries.join(", ")} }`
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [, group, layer = ""] = developmentPath.exec(request.url ?? "") ?? []
        if (!group) return next()
        filesOf(group as Detail | "world").then((made) => {
          response.setHeader("content-type", "application/json")
          response.end(made[layer as Layer | WorldLayer])
        }, next)
      })
    },
  }
}

const filesOf = (group: Detail | "world"): Promise<Partial<Record<Layer | WorldLayer, string>>> =>
  group === "world" ? worldFiles() : outlines(group)

async function worldFiles(): Promise<Record<WorldLayer, string>> {
  const read = (name: WorldLayer) => readFile(new URL(`./world/${name}.json`, import.meta.url), "utf8")
  const cities = JSON.parse(await read("cities")) as [string, number, number, number, 0 | 1][]
  return {
    lakes: await read("lakes"),
    rivers: await read("rivers"),
    cities: compact({
      type: "FeatureCollection",
      features: cities.map(([name, lng, lat, thousands, isCapital]) => ({
        type: "Feature",
        properties: { name, thousands, isCapital },
        geometry: { type: "Point", coordinates: [lng, lat] },
      })),
    }),
  }
}

async function outlines(detail: Detail): Promise<Record<Layer, string>> {
  const topology = JSON.parse(
    await readFile(require.resolve(`world-atlas/${details[detail]}`), "utf8"),
  ) as Countries
  const { countries } = topology.objects
  const borders = mesh(topology, countries, (one, other) => one !== other)
  return {
    land: compact({
      type: "Feature",
      properties: {},
      geometry: { type: "MultiPolygon", coordinates: landOf(topology) },
    }),
    borders: compact({ type: "Feature", properties: {}, geometry: borders }),
    names: compact({ type: "FeatureCollection", features: names(topology) }),
  }
}

const polygonsOf = ({ type, coordinates }: Polygon | MultiPolygon) =>
  type === "Polygon" ? [coordinates] : coordinates

/** Land across the antimeridian is not cut there: its shore would be drawn along it. */
function landOf(topology: Countries): Position[][][] {
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) =>
    polygonsOf(geometry as Polygon | MultiPolygon).map((rings) => rings.map(unwrapRing)),
  )
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
  const outer = polygonsOf(geometry as Polygon | MultiPolygon).flatMap(([ring]) =>
    ring ? [unwrapRing(ring)] : [],
  )
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
