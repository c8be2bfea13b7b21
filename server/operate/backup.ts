import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Config } from "#core/config.ts"
import type { Pool } from "#core/database/database.ts"
import { createObjects } from "#core/objects/objects.ts"
import type { Log } from "#core/telemetry/log.ts"
import { version } from "../version.ts"
import type { Manifest } from "./archive/manifest.ts"
import { withTableInErrors } from "./archive/table-in-errors.ts"
import { planTables, qualified, readLocationMonths, readSequences } from "./archive/table-plan.ts"
import { writeArchive } from "./archive/write-archive.ts"
import { runCommand, say } from "./command.ts"
import { openDatabase } from "./open-database.ts"

/**
 * Copies the whole installation into `folder`, with the service running or stopped. The database is read in one
 * snapshot, so the copy is what was committed at one moment. Objects are copied before it and once more
 * after it: whatever a row of the snapshot names is there, also when it is removed meanwhile.
 */
export async function backUp(config: Config, log: Log, folder: string): Promise<Manifest> {
  const database = await openDatabase(config, log)
  try {
    const { sql } = database
    const objects = await createObjects(config)
    const archive = await writeArchive(folder)
    try {
      for (const id of await organizationIds(sql)) await archive.objects(objects, id)
      const rest = await withTableInErrors("backing up", (at) =>
        sql.begin("isolation level repeatable read read only", async (tx) => {
          const createdTime = Temporal.Now.instant().toString()
          for (const table of await planTables(tx)) {
            at(table.name)
            await archive.table(tx, table, `from ${qualified(table)}`)
          }
          at(undefined)
          const migrations = await tx<{ name: string; checksum: string }[]>`
            select name, checksum from schema_migrations order by name`
          return {
            createdTime,
            migrations: [...migrations],
            sequences: [...(await readSequences(tx))],
            locationMonths: await readLocationMonths(tx),
          }
        }),
      )
      for (const id of await organizationIds(sql)) await archive.objects(objects, id)
      return await archive.finish({
        format: "fieldway-archive",
        formatVersion: 1,
        kind: "installation",
        version,
        organization: null,
        ...rest,
      })
    } catch (error) {
      await archive.abandon()
      throw error
    }
  } finally {
    await database.close()
  }
}

async function organizationIds(sql: Pool): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select id from organizations order by id`
  return rows.map((row) => row.id)
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const stamp = Temporal.Now.instant().toString({ smallestUnit: "second" }).replaceAll(":", "-")
    const folder = positionals[0] ?? join(process.cwd(), `fieldway-backup-${stamp}`)
    const manifest = await backUp(config, log, folder)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    say(`${folder}: ${rows} rows of ${manifest.tables.length} tables, ${manifest.objects.count} files`)
  })
