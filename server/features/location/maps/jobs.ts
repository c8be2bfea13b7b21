import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Type } from "typebox"
import type { Pool } from "#core/database/database.ts"
import { defineJob, type Job, type JobContext } from "#core/jobs/define-job.ts"
import { buildMap, hours, mapBuilders } from "./build/build-job.ts"
import { lookIntoFolder } from "./drop-folder.ts"
import { installationFolder } from "./files.ts"
import { endAbandonedBuilds, listRegions, neededSources } from "./queries.ts"

/** Files in DATA_DIR/maps of a node that runs jobs. */
const watchFolder = defineJob({
  name: "maps.look-into-folder",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 600,
  cron: "* * * * *",
  async handle(context) {
    await lookIntoFolder(context)
  },
})

/** Files of versions that are no longer current, after nodes had time to notice; and sources of ended builds. */
const removeOldVersions = defineJob({
  name: "maps.remove-old-versions",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "17 * * * *",
  async handle({ sql, objects, clock, config }) {
    await endAbandonedBuilds(sql)
    await removeOldFolders(join(config.dataDir, "map-builds"))
    const now = clock.now().epochMilliseconds / 1000
    const current = new Map((await listRegions(sql)).map(({ name, version }) => [name, version]))
    const age = (id: string) => now - Number.parseInt(id.slice(0, 8), 16)
    for await (const key of objects.list(`${installationFolder}/maps`)) {
      const [, , region = "", version = ""] = key.split("/")
      const known = current.get(region)
      if (known === version) continue
      // An unfinished build is younger than the current version, and takes hours at most.
      const isReplaced = known !== undefined && version < known && age(known) > hours(1)
      if (isReplaced || age(version) > hours(24)) await objects.remove(key)
    }
    await removeOldSources(sql, age, objects)
    for (const builder of mapBuilders)
      await builder.sweep?.(
        sql,
        [...current].map(([region, version]) => ({ region, version })),
      )
  },
})

/** What killed builds left on this node. */
async function removeOldFolders(root: string): Promise<void> {
  for (const name of await readdir(root).catch(() => [])) {
    const path = join(root, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats && Date.now() - stats.mtimeMs > hours(24) * 1000)
      await rm(path, { recursive: true, force: true })
  }
}

async function removeOldSources(
  sql: Pool,
  age: (id: string) => number,
  objects: JobContext["objects"],
): Promise<void> {
  const needed = await neededSources(sql)
  for await (const key of objects.list(`${installationFolder}/map-sources`)) {
    const [, , buildId = ""] = key.split("/")
    if (!needed.has(buildId) && age(buildId) > hours(24)) await objects.remove(key)
  }
}

export const mapJobs: readonly Job[] = [buildMap, watchFolder, removeOldVersions]
