import { mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Config } from "#core/config.ts"
import type { Log } from "#core/telemetry/log.ts"
import type { Manifest } from "./archive/manifest.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { restore } from "./restore.ts"

/**
 * Restores a backup into a temporary folder with an embedded database of its own: checksums of all files, then every row,
 * counted per table. The installation is not touched. Throws what is wrong with the backup.
 */
async function verifyBackup(config: Config, log: Log, folder: string): Promise<Manifest> {
  const dataDir = await mkdtemp(
    join(config.databaseUrl ? tmpdir() : join(config.dataDir, ".."), "fieldway-verify-"),
  )
  try {
    const target = { ...config, dataDir, databaseUrl: undefined, objectsUrl: `file://${dataDir}/objects` }
    return await restore(target, log, folder)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** For the textfile collector of the Prometheus node exporter; replaced at once, so that no half file is read. */
async function writeMetrics(path: string, manifest: Manifest, seconds: number): Promise<void> {
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const lines = [
    `fieldway_backup_created_timestamp_seconds ${Date.parse(manifest.createdTime) / 1_000}`,
    `fieldway_backup_verified_timestamp_seconds ${Math.floor(Date.now() / 1_000)}`,
    `fieldway_backup_rows ${rows}`,
    `fieldway_backup_verification_seconds ${seconds.toFixed(1)}`,
  ]
  await writeFile(`${path}.partial`, `${lines.join("\n")}\n`)
  await rename(`${path}.partial`, path)
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const options = { metrics: { type: "string" }, "max-age-hours": { type: "string" } } as const
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
    const folder = positionals[0]
    if (folder === undefined)
      throw new CommandRefusal(
        "npm run backup:verify -- <folder> [--max-age-hours 26] [--metrics /var/lib/node_exporter/fieldway.prom]",
      )
    const started = performance.now()
    const manifest = await verifyBackup(config, log, folder)
    const seconds = (performance.now() - started) / 1_000
    if (values.metrics !== undefined) await writeMetrics(values.metrics, manifest, seconds)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    say(
      `${folder} of ${manifest.createdTime}: ${rows} rows of ${manifest.tables.length} tables and ${manifest.objects.count} files were restored and counted in ${seconds.toFixed(0)} s`,
    )
    const ageHours = (Date.now() - Date.parse(manifest.createdTime)) / 3_600_000
    const most = Number(values["max-age-hours"] ?? Number.POSITIVE_INFINITY)
    if (!(ageHours <= most))
      throw new CommandRefusal(`The backup is ${ageHours.toFixed(1)} hours old, more than ${most}`)
  })
