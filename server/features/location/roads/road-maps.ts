import { open } from "node:fs/promises"
import type { Config } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import { runInThread, type ThreadTask } from "#core/threads/run-in-thread.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import {
  type Mode,
  openNetwork,
  openProfile,
  type TravelOptions,
} from "../../../../packages/road-network/index.ts"
import { type MapRegion, mapStoreOf, networkFile, profileFile } from "../maps/index.ts"
import { createGraphCache } from "./graph-cache.ts"
import { type RoadData, type RoadJob, type RoadOutput, runRoadJob } from "./road-jobs.ts"

/** The road networks of this installation, read from the object store once and shared by all threads. */
export interface RoadMaps {
  /** The network in whose area all places lie; undefined without one. */
  covering(places: readonly LngLat[]): Promise<MapRegion | undefined>
  /** The network in whose area most of the places lie; undefined where none has more than half of them. */
  coveringMost(places: readonly LngLat[]): Promise<MapRegion | undefined>
  isAnyInstalled(): Promise<boolean>
  run<Kind extends RoadJob["kind"]>(
    roads: MapRegion,
    options: TravelOptions,
    job: Extract<RoadJob, { kind: Kind }>,
    caller: { organizationId: string; signal?: AbortSignal },
  ): Promise<Extract<RoadOutput, { kind: Kind }>>
}

/** Degrees around the roads in which places still count as covered: about a kilometre. */
const margin = 0.01
/** Graphs of larger maps take too long to compute for every hour: they keep the usual speeds. */
const maxCorrectedBytes = 64 * 1024 * 1024

const inThread: ThreadTask<{ data: RoadData; job: RoadJob }, RoadOutput> = {
  name: "finding ways on roads",
  module: new URL("./road-thread.ts", import.meta.url),
  pool: "quick",
  seconds: 60,
}

interface RoadContext {
  readonly sql: Pool
  readonly objects: Objects
  readonly config: Config
}

const known = new WeakMap<Objects, RoadMaps>()

/** The road maps of this process. */
export function roadMapsOf(context: RoadContext): RoadMaps {
  const maps = known.get(context.objects) ?? createRoadMaps(context)
  known.set(context.objects, maps)
  return maps
}

function createRoadMaps(context: RoadContext): RoadMaps {
  const store = mapStoreOf(context)
  const files = new Map<string, Promise<SharedArrayBuffer>>()
  const graphs = createGraphCache()
  let lastVersions = ""

  const withRoads = async (): Promise<MapRegion[]> => {
    const regions = (await store.regions()).filter((region) => region.files[networkFile] !== undefined)
    const versions = regions.map(({ version }) => version).join()
    if (versions !== lastVersions) dropReplaced(regions)
    lastVersions = versions
    return regions
  }

  /** Memory of versions that are no longer current is given back. */
  const dropReplaced = (regions: readonly MapRegion[]) => {
    const isCurrent = (key: string) => regions.some(({ version }) => key.startsWith(version))
    for (const key of files.keys()) if (!isCurrent(key)) files.delete(key)
    graphs.dropUnless(isCurrent)
  }

  const fileOf = (roads: MapRegion, part: "network" | Mode): Promise<SharedArrayBuffer> =>
    cached(files, `${roads.version} ${part}`, async () => {
      const path = await store.localFile(roads, part === "network" ? networkFile : profileFile(part))
      if (path === undefined) throw new Error(`the map ${roads.name} has no ${part} of roads`)
      const file = await readShared(path)
      if (part === "network") openNetwork(file)
      else openProfile(openNetwork(await fileOf(roads, "network"), true).network, roads.version, file)
      return file
    })

  const dataOf = async (
    roads: MapRegion,
    options: TravelOptions,
    organizationId: string,
  ): Promise<RoadData> => {
    const network = await fileOf(roads, "network")
    const base: RoadData = {
      key: `${roads.version} ${options.mode}`,
      networkId: roads.version,
      network,
      profile: await fileOf(roads, options.mode),
    }
    const { mode, speedFactors, ...others } = options
    const isTooLarge = base.profile.byteLength > maxCorrectedBytes
    const changed = speedFactors && !isTooLarge ? { ...others, speedFactors } : others
    const special = Object.entries(changed).filter(([, value]) => value !== undefined && value !== false)
    if (special.length === 0) return base
    const key = `${base.key} ${JSON.stringify(special.sort())}`
    const profile = await graphs.get(key, organizationId, async () => {
      const job = { kind: "customize", options: { mode, ...changed } } as const
      const output = await runInThread(inThread, { data: base, job }, { organizationId })
      if (output.kind !== "customize") throw new Error("another job's output")
      return output.profile
    })
    return { ...base, key, profile }
  }

  return {
    isAnyInstalled: async () => (await withRoads()).length > 0,
    covering: async (places) =>
      (await withRoads()).find((roads) => places.every((place) => covers(roads, place))),
    async coveringMost(places) {
      const within = (await withRoads()).map((roads) => ({
        roads,
        count: places.filter((place) => covers(roads, place)).length,
      }))
      const [most] = within.toSorted((a, b) => b.count - a.count)
      return most && most.count * 2 > places.length ? most.roads : undefined
    },
    async run(roads, options, job, { organizationId, signal }) {
      const data = await dataOf(roads, options, organizationId)
      const output = isShort(job)
        ? runRoadJob(data, job)
        : await runInThread(inThread, { data, job }, { organizationId, ...(signal ? { signal } : {}) })
      return output as Extract<RoadOutput, { kind: typeof job.kind }>
    },
  }
}

/** What takes a few milliseconds at most is done at once. */
function isShort(job: RoadJob): boolean {
  if (job.kind === "nearest") return true
  if (job.kind === "route") return job.places.length <= 5
  return job.kind === "table" && job.sources.length + job.destinations.length <= 40
}

function covers({ west, south, east, north }: MapRegion, [lng, lat]: LngLat): boolean {
  return lng >= west - margin && lng <= east + margin && lat >= south - margin && lat <= north + margin
}

/** Computes a value once for everybody who waits for it; a failure is tried again by the next. */
async function cached<T>(cache: Map<string, Promise<T>>, key: string, compute: () => Promise<T>): Promise<T> {
  const found = cache.get(key) ?? compute()
  cache.delete(key)
  cache.set(key, found)
  try {
    return await found
  } catch (error) {
    if (cache.get(key) === found) cache.delete(key)
    throw error
  }
}

async function readShared(path: string): Promise<SharedArrayBuffer> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const shared = new SharedArrayBuffer(size)
    const bytes = new Uint8Array(shared)
    const piece = Buffer.allocUnsafe(1024 * 1024)
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(piece, 0, piece.length, at)
      if (bytesRead === 0) throw new Error(`${path} ends early`)
      bytes.set(piece.subarray(0, bytesRead), at)
      at += bytesRead
    }
    return shared
  } finally {
    await file.close()
  }
}
