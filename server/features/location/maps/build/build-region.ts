import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { inTransaction, type Pool } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import type { Objects } from "#core/objects/objects.ts"
import { storeFiles } from "../files.ts"
import { endBuild, noteProgress, publishRegion } from "../queries.ts"
import { adoptArchive } from "./adopt-archive.ts"
import type { BuilderOutput, MapBuilder, MapDescription, MapVersion } from "./builder.ts"
import { MapFileError, runBuildProcess } from "./run-build-process.ts"

export interface BuildRequest {
  readonly buildId: string
  readonly region: string
  /** The extract or the ready-made archive, as a file of this node. */
  readonly path: string
  /** A style for a ready-made archive. */
  readonly stylePath?: string
  /** Shown with the map. */
  readonly source: string
}

export interface BuildEnvironment {
  readonly sql: Pool
  readonly databaseUrl: string
  readonly objects: Objects
  readonly dataDir: string
  readonly builders: readonly MapBuilder[]
  readonly signal?: AbortSignal
  onProgress?(step: string, progress: number): void
}

export interface BuiltMap {
  readonly version: string
  readonly cpuSeconds: number
  readonly megabytes: number
  readonly report: Readonly<Record<string, BuilderOutput["report"]>>
}

class BuildCancelled extends Error {}

/**
 * Builds a region and makes it current. It may be killed at any moment: the old version serves until one transaction
 * switches, and what an unfinished build stored is removed later. Returns undefined if it was cancelled.
 */
export async function buildRegion(
  environment: BuildEnvironment,
  request: BuildRequest,
): Promise<BuiltMap | undefined> {
  const { sql, objects, builders } = environment
  const version: MapVersion = { region: request.region, version: newId<"map-version">() }
  const root = join(environment.dataDir, "map-builds")
  await mkdir(root, { recursive: true })
  const folder = await mkdtemp(join(root, "build-"))
  const cancelled = new AbortController()
  const signals = [cancelled.signal, ...(environment.signal ? [environment.signal] : [])]
  try {
    const result = await runBuilders(
      { ...environment, signal: AbortSignal.any(signals) },
      request,
      version,
      folder,
      () => cancelled.abort(new BuildCancelled()),
    )
    environment.signal?.throwIfAborted()
    const files = await storeFiles(objects, version.region, version.version, folder)
    const report = Object.fromEntries(
      Object.entries(result.outputs).map(([name, output]) => [name, output.report]),
    )
    const isPublished = await inTransaction(sql, async (tx) => {
      if (!(await endBuild(tx, request.buildId, "done"))) return false
      await publishRegion(tx, {
        name: version.region,
        version: version.version,
        files,
        source: request.source,
        report,
        ...result.map,
      })
      for (const builder of builders) await builder.publish?.(tx, version)
      return true
    })
    if (!isPublished) throw new BuildCancelled()
    return { version: version.version, cpuSeconds: result.cpuSeconds, megabytes: result.megabytes, report }
  } catch (error) {
    for (const builder of builders) await builder.discard?.(sql, version)
    if (cancelled.signal.aborted || error instanceof BuildCancelled) return undefined
    if (error instanceof MapFileError) await endBuild(sql, request.buildId, "failed", error.message)
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Outputs {
  readonly outputs: Readonly<Record<string, BuilderOutput>>
  readonly map: MapDescription
  readonly cpuSeconds: number
  readonly megabytes: number
}

async function runBuilders(
  environment: BuildEnvironment,
  request: BuildRequest,
  version: MapVersion,
  folder: string,
  onCancelled: () => void,
): Promise<Outputs> {
  const { sql, builders, signal, databaseUrl } = environment
  const note = progressNotes(async (step, progress) => {
    environment.onProgress?.(step, progress)
    if (!(await noteProgress(sql, request.buildId, step, progress))) onCancelled()
  })
  await note(builders[0]?.name ?? "", 0, true)
  const archive = await adoptArchive(request, folder)
  if (archive)
    return { outputs: { streets: { report: archive.report } }, map: archive.map, cpuSeconds: 0, megabytes: 0 }
  const result = await runBuildProcess(
    builders,
    { ...version, extractPath: request.path, folder, databaseUrl },
    { signal, onProgress: (step, progress) => void note(step, progress, false) },
  )
  const map = Object.values(result.outputs).find((output) => output.map)?.map
  if (!map) throw new Error("no builder described the map")
  return { ...result, map }
}

const noteMilliseconds = 500

/** Progress comes often; it is stored at most twice a second, and for every step. */
function progressNotes(store: (step: string, progress: number) => Promise<void>) {
  let [lastStep, last] = ["", 0]
  return async (step: string, progress: number, isNow: boolean) => {
    const now = performance.now()
    if (!isNow && step === lastStep && now - last < noteMilliseconds) return
    ;[lastStep, last] = [step, now]
    await store(step, progress).catch((error) => {
      if (isNow) throw error
    })
  }
}
