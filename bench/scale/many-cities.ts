/*
 * A file of many cities, made of shifted copies of one: CPU time and memory of its build, and query times against those
 * of the single city. Streets, the roads of cars and the index of addresses are built as `npm run map` builds them, each
 * file in a process of its own; loading addresses into PostgreSQL is left out.
 *
 * Run: node bench/scale/many-cities.ts [COPIES, default 5] [FILE.osm.pbf]
 */
import { spawnSync } from "node:child_process"
import { createWriteStream } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { buildAddressIndex } from "#packages/addresses/index.ts"
import { openExtract } from "#packages/osm-extract/index.ts"
import {
  dataBlock,
  frame,
  headerBlock,
  type TestEntities,
  zlibBlob,
} from "#packages/osm-extract/testing/encode.ts"
import {
  buildNetwork,
  buildProfile,
  createRouter,
  findPath,
  snap,
  travelTable,
} from "#packages/road-network/index.ts"
import { buildArchive } from "#packages/vector-tiles/index.ts"
import { readLandRings } from "../../server/features/location/maps/build/world-land.ts"
import { readCountries } from "../../server/features/location/places/index.ts"

const city = new URL("../../examples/maps/montevideo.osm.pbf", import.meta.url).pathname
/** More than any id of the city. */
const idStep = 20_000_000_000
const columns = 10
const shiftOf = (copy: number) => ({ lon: (copy % columns) * 1.2, lat: Math.floor(copy / columns) * 0.8 })

async function* copies(source: string, count: number): AsyncGenerator<Buffer> {
  yield frame("OSMHeader", zlibBlob(headerBlock()))
  const extract = await openExtract(source)
  // Nodes before ways before relations, as everywhere.
  for (const kind of ["nodes", "ways", "relations"] as const)
    for (let copy = 0; copy < count; copy++)
      for await (const block of extract.blocks({ [kind]: true }))
        for (const part of shifted(block, copy)) yield frame("OSMData", zlibBlob(dataBlock(part)))
  await extract.close()
}

type SourceBlock =
  Awaited<ReturnType<typeof openExtract>> extends { blocks(kinds: never): AsyncIterable<infer Block> }
    ? Block
    : never

function* shifted({ nodes, ways, relations }: SourceBlock, copy: number): Generator<TestEntities> {
  const { lon, lat } = shiftOf(copy)
  const id = (own: number) => own + copy * idStep
  const tagsOf = (tags: ReadonlyMap<string, string> | undefined) =>
    tags ? { tags: Object.fromEntries(tags) } : {}
  if (nodes && nodes.count > 0)
    yield {
      nodes: Array.from({ length: nodes.count }, (_, i) => ({
        id: id(nodes.ids[i] ?? 0),
        lat: (nodes.lat[i] ?? 0) / 1e7 + lat,
        lon: (nodes.lon[i] ?? 0) / 1e7 + lon,
        ...tagsOf(nodes.tags(i)),
      })),
    }
  if (ways.length > 0)
    yield { ways: ways.map((way) => ({ id: id(way.id), refs: [...way.refs].map(id), ...tagsOf(way.tags) })) }
  if (relations.length > 0)
    yield {
      relations: relations.map((relation) => ({
        id: id(relation.id),
        members: relation.members.map((member) => ({ ...member, ref: id(member.ref) })),
        ...tagsOf(relation.tags),
      })),
    }
}

const cpuSeconds = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6
const round = (value: number) => Math.round(value * 100) / 100

/** Builds a file and asks its roads; prints figures as JSON. */
async function measure(file: string): Promise<void> {
  const figures: Record<string, number> = {}
  const step = async <T>(name: string, work: () => Promise<T> | T): Promise<T> => {
    const before = cpuSeconds()
    const result = await work()
    figures[name] = round(cpuSeconds() - before)
    return result
  }
  const folder = await mkdtemp(join(tmpdir(), "fieldway-cities-"))
  const extract = await openExtract(file)
  await step("streets", async () =>
    buildArchive(extract, join(folder, "streets.pmtiles"), {
      name: "cities",
      attribution: "",
      landRings: await readLandRings(),
      onProgress: () => undefined,
    }),
  )
  await step("addresses", async () => buildAddressIndex(extract, await readCountries()))
  const network = await step("network", () => buildNetwork(extract))
  const graph = await step("car", () => buildProfile(network, "car"))
  figures.megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  figures.segments = network.segmentCount
  const router = createRouter(graph)
  // The same places in every file: those of the first city.
  const places = Array.from({ length: 500 }, (_, i) =>
    snap(graph, [-56.23 + 0.14 * ((i * 0.618034) % 1), -34.92 + 0.1 * ((i * 0.754878) % 1)]),
  )
  const warm = () => travelTable(router, places, places)
  warm()
  await step("table of 500 x 500", warm)
  const routes = places.slice(1).map((to, i) => [places[i]?.accesses ?? [], to?.accesses ?? []] as const)
  await step("500 routes", () => {
    for (const [from, to] of routes) findPath(router, from, to)
  })
  await step("5,000 nearest", () => {
    for (let i = 0; i < 5_000; i++)
      snap(graph, [-56.23 + 0.14 * ((i * 0.618034) % 1), -34.92 + 0.1 * ((i * 0.754878) % 1)])
  })
  await extract.close()
  await rm(folder, { recursive: true })
  console.log(JSON.stringify(figures))
}

async function main(): Promise<void> {
  const [first, second] = process.argv.slice(2)
  if (first === "--measure") return measure(second ?? city)
  const count = Number(first ?? 5)
  const folder = await mkdtemp(join(tmpdir(), "fieldway-cities-"))
  const file = join(folder, `${count}-cities.osm.pbf`)
  await pipeline(Readable.from(copies(second ?? city, count)), createWriteStream(file))
  const figuresOf = (path: string): Record<string, number> => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [
        "--max-old-space-size=4096",
        "--disable-warning=ExperimentalWarning",
        import.meta.filename,
        "--measure",
        path,
      ],
      { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
    )
    if (status !== 0) throw new Error(`measuring ${path} ended with ${status}`)
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
  }
  const [one, many] = [figuresOf(second ?? city), figuresOf(file)]
  console.log(`${"".padEnd(22)} one city  ${count} cities  ratio`)
  for (const [name, value] of Object.entries(many)) {
    const single = one[name] ?? 0
    console.log(
      `${name.padEnd(22)} ${String(single).padStart(8)}  ${String(value).padStart(8)}  ${round(value / single)}`,
    )
  }
  await rm(folder, { recursive: true })
}

await main()
