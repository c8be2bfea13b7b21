import { createWriteStream } from "node:fs"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { Type } from "typebox"
import { runningEmbeddedUrl } from "#core/embedded/embedded-postgres.ts"
import { defineJob, type JobContext } from "#core/jobs/define-job.ts"
import { downloadOutbound } from "#core/outbound/outbound-file.ts"
import { endBuild, findBuild, type MapBuild, noteProgress } from "../queries.ts"
import { mapStoreOf } from "../serve/map-store.ts"
import { addressesBuilder } from "./addresses-builder.ts"
import { buildRegion } from "./build-region.ts"
import type { MapBuilder } from "./builder.ts"
import { roadsBuilder } from "./roads-builder.ts"
import { MapFileError } from "./run-build-process.ts"
import { streetsBuilder } from "./streets-builder.ts"

/** One build at a time on the whole installation. */
export const buildQueue = "maps"
const maxDownloadBytes = 8 * 1024 ** 3
export const hours = (count: number) => count * 3_600

/** Builders of every map, in their order. */
export const mapBuilders: readonly MapBuilder[] = [streetsBuilder, roadsBuilder, addressesBuilder]

export const buildMap = defineJob({
  name: "maps.build",
  payload: Type.Object({ buildId: Type.String() }),
  maxAttempts: 3,
  timeoutSeconds: hours(6),
  isLong: true,
  async handle(context, { buildId }) {
    const { sql, objects, config, signal } = context
    const build = await findBuild(sql, buildId)
    if (!build || (build.status !== "waiting" && build.status !== "running")) return
    const root = join(config.dataDir, "map-builds")
    await mkdir(root, { recursive: true })
    const folder = await mkdtemp(join(root, "source-"))
    try {
      const { path, stylePath } = await fetchSource(context, build, folder)
      await buildRegion(
        {
          sql,
          objects,
          signal,
          builders: mapBuilders,
          dataDir: config.dataDir,
          databaseUrl: config.databaseUrl ?? (await runningEmbeddedUrl(config.dataDir)) ?? "",
        },
        { buildId, region: build.region, path, source: build.source, ...(stylePath ? { stylePath } : {}) },
      )
      mapStoreOf(context).invalidate()
      await removeSource(context, build)
    } catch (error) {
      if (error instanceof MapFileError) {
        await endBuild(sql, buildId, "failed", error.message)
        await removeSource(context, build)
        return
      }
      if (context.isLastAttempt && !signal.aborted)
        await endBuild(sql, buildId, "failed", "The map could not be built. The server's log has the reason")
      throw error
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})

/** The file of a build as a file of this node: from the object store, or from its address. */
async function fetchSource(
  { sql, objects, config, signal }: JobContext,
  build: MapBuild,
  folder: string,
): Promise<{ path: string; stylePath?: string }> {
  const path = join(folder, "source")
  if (build.sourceKey === null) {
    await downloadOutbound(
      { url: build.source, path, maxBytes: maxDownloadBytes, timeoutMilliseconds: hours(4) * 1000, signal },
      config.webhookAllow,
      (share) => void noteProgress(sql, build.id, "download", share).catch(() => undefined),
    ).catch((error) => {
      throw new MapFileError(`The file could not be downloaded: ${(error as Error).message}`, {
        cause: error,
      })
    })
    return { path }
  }
  const copy = async (key: string, to: string) => {
    const found = await objects.open(key)
    if (!found) return false
    await pipeline(found.stream, createWriteStream(to))
    return true
  }
  if (!(await copy(build.sourceKey, path)))
    throw new MapFileError("The uploaded file is no longer stored. Upload it again")
  const stylePath = join(folder, "style.json")
  return (await copy(`${build.sourceKey}.style`, stylePath)) ? { path, stylePath } : { path }
}

async function removeSource({ objects }: JobContext, build: MapBuild): Promise<void> {
  if (build.sourceKey === null) return
  await objects.remove(build.sourceKey)
  await objects.remove(`${build.sourceKey}.style`)
}
