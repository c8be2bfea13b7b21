import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Config } from "#core/config.ts"
import { createObjects } from "#core/objects/objects.ts"
import type { Log } from "#core/telemetry/log.ts"
import type { Manifest } from "./archive/manifest.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { findByIdOrName } from "./find-organization.ts"
import { openDatabase } from "./open-database.ts"
import { archiveOrganization, countWaitingJobs } from "./organization-archive.ts"

/**
 * Writes one organization into an archive while the service runs: people with their password hashes, settings,
 * work, locations, files. Read in one snapshot. Sessions stay behind: people sign in again. So do waiting jobs.
 */
export async function exportOrganization(
  config: Config,
  log: Log,
  wanted: string,
  folder: string,
): Promise<{ manifest: Manifest; waitingJobs: number }> {
  const database = await openDatabase(config, log)
  try {
    const organization = await findByIdOrName(database.sql, wanted)
    const from = { sql: database.sql, objects: await createObjects(config) }
    const manifest = await archiveOrganization(from, organization, folder, { keepsSecrets: true })
    return { manifest, waitingJobs: await countWaitingJobs(database.sql, organization) }
  } finally {
    await database.close()
  }
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const [wanted, given] = positionals
    if (wanted === undefined)
      throw new CommandRefusal("npm run organization:export -- <id or name of the organization> [folder]")
    const stamp = Temporal.Now.instant().toString({ smallestUnit: "second" }).replaceAll(":", "-")
    const folder = given ?? join(process.cwd(), `fieldway-organization-${stamp}`)
    const { manifest, waitingJobs } = await exportOrganization(config, log, wanted, folder)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    say(`${folder}: ${manifest.organization?.name}, ${rows} rows, ${manifest.objects.count} files`)
    if (waitingJobs > 0)
      say(
        `${waitingJobs} of its jobs are still waiting here and are not exported. When nobody works in it, let them finish and export again.`,
      )
    say("Later changes are not included. The archive contains password hashes: protect it.")
  })
