import { createReadStream } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { inTransaction } from "#core/database/database.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { sourceKey } from "./files.ts"
import { newBuildId, regionNameOf, requestBuild } from "./manage.ts"
import { hasFingerprint } from "./queries.ts"

/** A file that is still being copied grows; one that has rested this long is complete. */
const restSeconds = 10

/** Builds each new or changed file in DATA_DIR/maps once. Removing the file does not remove the map. */
export async function lookIntoFolder({ sql, objects, config }: JobContext): Promise<number> {
  const folder = join(config.dataDir, "maps")
  const names = await readdir(folder).catch(() => [])
  let count = 0
  for (const name of names) {
    if (!/\.(osm\.pbf|pmtiles)$/i.test(name)) continue
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (!stats?.isFile() || Date.now() - stats.mtimeMs < restSeconds * 1000) continue
    const fingerprint = `${name}:${stats.size}:${Math.round(stats.mtimeMs)}`
    if (await hasFingerprint(sql, fingerprint)) continue
    const id = newBuildId()
    const key = sourceKey(id, "source")
    await objects.put(key, createReadStream(path))
    const stylePath = path.replace(/\.pmtiles$/i, ".style.json")
    if (stylePath !== path && (await stat(stylePath).catch(() => undefined)))
      await objects.put(`${key}.style`, createReadStream(stylePath))
    await inTransaction(sql, (tx) =>
      requestBuild(tx, {
        id,
        region: regionNameOf(name),
        source: name,
        sourceKey: key,
        fingerprint,
        requestedBy: "DATA_DIR/maps",
      }),
    )
    count += 1
  }
  return count
}
