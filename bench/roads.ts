/*
 * The roads of a city: CPU time and memory of the build, tables, routes and nearest roads.
 *
 * Tables are compared with plain searches of the same graph, one per source. Latencies are those of the functions, in this
 * thread. Run: node bench/roads.ts [FILE.osm.pbf] [WEST,SOUTH,EAST,NORTH of the places]
 */
import { openExtract } from "#packages/osm-extract/index.ts"
import {
  buildNetwork,
  buildProfile,
  createRouter,
  customize,
  describeSteps,
  findPath,
  isochrones,
  leavingOf,
  modes,
  packNetwork,
  packProfile,
  type Router,
  type Snapped,
  snap,
  travelledSegments,
  travelTable,
} from "#packages/road-network/index.ts"

const file = process.argv[2] ?? new URL("../examples/maps/montevideo.osm.pbf", import.meta.url).pathname
const [west = -56.25, south = -34.92, east = -56.05, north = -34.8] = (process.argv[3] ?? "")
  .split(",")
  .filter(Boolean)
  .map(Number)
const placeCount = 1_000

const cpuMilliseconds = () => process.cpuUsage().user / 1e3 + process.cpuUsage().system / 1e3
const print = (name: string, value: string) => console.log(`${name.padEnd(44)} ${value}`)

/** CPU time of a step, printed. */
async function measured<T>(name: string, step: () => T | Promise<T>): Promise<T> {
  const before = cpuMilliseconds()
  const result = await step()
  print(name, `${((cpuMilliseconds() - before) / 1000).toFixed(2)} s CPU`)
  return result
}

/** Median and 99th percentile of single calls, in milliseconds. */
function latencies(name: string, count: number, call: (index: number) => unknown): void {
  const times = Array.from({ length: count }, (_, index) => {
    const before = performance.now()
    call(index)
    return performance.now() - before
  }).sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(count * share)] ?? 0).toFixed(2)
  print(name, `median ${at(0.5)} ms, p99 ${at(0.99)} ms`)
}

/** The same places in every run: a lattice with an irrational step fills the box evenly. */
function placesIn(count: number): [number, number][] {
  return Array.from({ length: count }, (_, i) => [
    west + (east - west) * ((i * 0.618034) % 1),
    south + (north - south) * ((i * 0.754878) % 1),
  ])
}

function routeWithSteps(router: Router, from: Snapped, to: Snapped): void {
  const path = findPath(router, from.accesses, to.accesses)
  if (path)
    describeSteps(router.graph, leavingOf(router.graph.network), travelledSegments(router.graph, path))
}

const extract = await openExtract(file)
const network = await measured("read the extract, build the network", () => buildNetwork(extract))
await extract.close()
const graph = await measured("build the profile car", () => buildProfile(network, "car"))
const bytes = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, piece) => sum + piece.length, 0)
let total = bytes(packNetwork(network, { id: "", mapTime: null })) + bytes(packProfile(graph, ""))
for (const mode of modes.filter((other) => other !== "car"))
  total += bytes(
    packProfile(await measured(`build the profile ${mode}`, () => buildProfile(network, mode)), ""),
  )
await measured("customize car: no tolls", () => customize(graph, { mode: "car", avoidTolls: true }))
print("shared memory of all profiles", `${(total / 1e6).toFixed(1)} MB`)
print("peak memory of this process", `${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)

const router = createRouter(graph)
const positions = placesIn(3 * placeCount)
const places = positions.flatMap((place) => snap(graph, place) ?? []).slice(0, 2 * placeCount)
const [sources, targets] = [places.slice(0, placeCount), places.slice(-placeCount)]
for (const name of ["first", "warm", "warm"])
  await measured(`table ${sources.length} x ${targets.length}, ${name}`, () =>
    travelTable(router, sources, targets),
  )
await measured("the same by 20,000 single routes, of 1,000,000", () => {
  for (let i = 0; i < 20_000; i++) {
    const [from, to] = [sources[i % sources.length], targets[(i * 7) % targets.length]]
    if (from && to) findPath(router, from.accesses, to.accesses)
  }
})
latencies("nearest", 5_000, (i) => snap(graph, positions[i % positions.length] ?? [0, 0]))
latencies("route with geometry and steps", 5_000, (i) => {
  const [from, to] = [sources[i % sources.length], targets[(i * 7) % targets.length]]
  if (from && to) routeWithSteps(router, from, to)
})
latencies("isochrone of 15 minutes", 30, (i) => isochrones(router, sources[i]?.accesses ?? [], [900]))
