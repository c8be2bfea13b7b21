import { createWriteStream } from "node:fs"
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import type { Config } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import { type Archive, openArchive } from "#packages/vector-tiles/index.ts"
import { mapKey, streetsFile } from "../files.ts"
import { listRegions, type MapRegion } from "../queries.ts"

export interface OpenedMap {
  readonly region: MapRegion
  readonly archive: Archive
  /** The archive as a file of this node. */
  readonly path: string
}

/** The maps as this node has them: the list of current versions, and a copy of each file that is used. */
export interface MapStore {
  regions(): Promise<readonly MapRegion[]>
  /** While a new version is copied to this node, the old one serves. */
  opened(name: string): Promise<OpenedMap | undefined>
  /** The path of a copy of a file of the region's current version; undefined if it has no such file. */
  localFile(region: MapRegion, file: string): Promise<string | undefined>
  /** Reads the list again at the next use. */
  invalidate(): void
}

export interface MapContext {
  readonly sql: Pool
  readonly objects: Objects
  readonly config: Config
}

/** A new version is noticed after at most this long. */
const listMilliseconds = 1_000
/** Requests that read the old version end within this time. */
const closeMilliseconds = 60_000

const stores = new WeakMap<Objects, MapStore>()

/** The map store of this process. */
export function mapStoreOf(context: MapContext): MapStore {
  const known = stores.get(context.objects)
  if (known) return known
  const store = createMapStore(context)
  stores.set(context.objects, store)
  return store
}

function createMapStore({ sql, objects, config }: MapContext): MapStore {
  const root = join(config.dataDir, "map-files")
  let listed: { at: number; regions: Promise<readonly MapRegion[]> } | undefined
  const current = new Map<string, OpenedMap & { file: FileHandle }>()
  const opening = new Map<string, Promise<OpenedMap | undefined>>()
  const copying = new Map<string, Promise<string | undefined>>()

  const regions = () => {
    const now = performance.now()
    if (!listed || now - listed.at > listMilliseconds) {
      const loaded = listRegions(sql)
      loaded.catch(() => {
        listed = undefined
      })
      listed = { at: now, regions: loaded }
    }
    return listed.regions
  }

  const localFile = async (region: MapRegion, file: string) => {
    const bytes = region.files[file]
    if (bytes === undefined) return undefined
    const path = join(root, region.name, region.version, file)
    const known = await stat(path).catch(() => undefined)
    if (known?.size === bytes) return path
    const running = copying.get(path) ?? copyFile(path, mapKey(region.name, region.version, file))
    copying.set(path, running)
    return running.finally(() => copying.delete(path))
  }

  const copyFile = async (path: string, key: string) => {
    await mkdir(join(path, ".."), { recursive: true })
    const found = await objects.open(key)
    // Such as after a backup was restored, which has no maps: the map is built again.
    if (!found) return undefined
    const draft = `${path}.${process.pid}.part`
    await pipeline(found.stream, createWriteStream(draft))
    await rename(draft, path)
    return path
  }

  const openRegion = async (region: MapRegion): Promise<OpenedMap | undefined> => {
    const path = await localFile(region, streetsFile)
    if (path === undefined) return undefined
    const file = await open(path)
    const read = async (offset: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset)
      return buffer.subarray(0, bytesRead)
    }
    const archive = await openArchive(read, region.files[streetsFile] ?? 0).catch(async (error) => {
      await file.close()
      throw error
    })
    const before = current.get(region.name)
    const opened = { region, archive, path, file }
    current.set(region.name, opened)
    if (before) setTimeout(() => void before.file.close(), closeMilliseconds).unref()
    await removeOtherVersions(join(root, region.name), region.version)
    return opened
  }

  return {
    regions,
    localFile,
    invalidate() {
      listed = undefined
    },
    async opened(name) {
      const region = (await regions()).find((one) => one.name === name)
      if (!region) return undefined
      const before = current.get(name)
      if (before?.region.version === region.version) return before
      const running = opening.get(name) ?? openRegion(region).finally(() => opening.delete(name))
      opening.set(name, running)
      if (!before) return running
      // The old version serves meanwhile; what failed is tried again with the next request.
      running.catch(() => undefined)
      return before
    },
  }
}

/** Open files of an old version stay readable until they are closed. */
async function removeOtherVersions(folder: string, version: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name !== version) await rm(join(folder, name), { recursive: true, force: true })
}
