import { parseArgs } from "node:util"
import type { Config } from "#core/config.ts"
import type { Pool, Tx } from "#core/database/database.ts"
import { migrate } from "#core/database/migrate.ts"
import { migrateJobs } from "#core/jobs/worker.ts"
import { createObjects } from "#core/objects/objects.ts"
import type { Log } from "#core/telemetry/log.ts"
import { makeAddressTables } from "../features/location/places/index.ts"
import { freshTransactions, inPayload } from "./archive/fresh-transactions.ts"
import { loadTable } from "./archive/load-table.ts"
import type { Manifest } from "./archive/manifest.ts"
import { type ArchiveReader, readArchive } from "./archive/read-archive.ts"
import type { Rewrite } from "./archive/rewrite-rows.ts"
import { withTableInErrors } from "./archive/table-in-errors.ts"
import { planTables, qualified } from "./archive/table-plan.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { openAlone } from "./open-database.ts"

/**
 * Loads a backup into an empty database and object store, checksums first. Files come before rows and all rows in
 * one transaction: after a failure the database is still empty, and the same command can be given again.
 */
export async function restore(config: Config, log: Log, folder: string): Promise<Manifest> {
  const archive = await readArchive(folder, "installation")
  const database = await openAlone(config, log)
  try {
    const { sql } = database
    await checkEmpty(sql, archive.manifest)
    await migrate(sql, new Set(archive.manifest.migrations.map((migration) => migration.name)))
    await migrateJobs(database.url, log)
    await archive.putObjects(await createObjects(config))
    await load(sql, archive)
    await migrate(sql)
    await sql`analyze`
    return archive.manifest
  } finally {
    await database.close()
  }
}

/** Refuses a database that holds anything, or a schema other than the one that the backup was taken from. */
async function checkEmpty(sql: Pool, manifest: Manifest): Promise<void> {
  const found = await sql<
    { migrated: boolean }[]
  >`select to_regclass('schema_migrations') is not null as migrated`
  if (!found[0]?.migrated) return
  const migrations = await sql<{ name: string }[]>`select name from schema_migrations`
  if (migrations.length === 0) return
  const known = new Set(manifest.migrations.map(({ name }) => name))
  const organizations = await sql`select 1 from organizations limit 1`
  if (organizations.length > 0)
    throw new CommandRefusal(
      "The database contains organizations. Restore into an empty one (another DATA_DIR or DATABASE_URL). Nothing was changed",
    )
  if (migrations.some(({ name }) => !known.has(name)))
    throw new CommandRefusal(
      "The database has a newer schema than the backup. Restore into a new, empty database; it is upgraded to this version afterwards",
    )
}

async function load(sql: Pool, archive: ArchiveReader): Promise<void> {
  const { manifest } = archive
  const jobs = manifest.tables.find(({ name }) => name === "_private_jobs")
  const transaction = await freshTransactions(sql, jobs && archive.rows(jobs))
  await withTableInErrors("restoring", (at) =>
    sql.begin(async (tx) => {
      const plan = new Map((await planTables(tx)).map((table) => [qualified(table), table]))
      for (const month of manifest.locationMonths)
        await tx`select ensure_location_partition(${`${month}T00:00:00Z`}::timestamptz)`
      const isVersions = ({ name }: Manifest["tables"][number]) => Number(name === "place_versions")
      for (const table of manifest.tables.toSorted((one, other) => isVersions(other) - isVersions(one))) {
        at(table.name)
        const planned = plan.get(qualified(table))
        if (!planned) throw new CommandRefusal(`The backup has an unknown table ${table.name}`)
        const unknown = table.columns.find((column) => !planned.columns.includes(column))
        if (unknown !== undefined)
          throw new CommandRefusal(`The backup has an unknown column ${table.name}.${unknown}`)
        const rewrites: Record<string, Rewrite> =
          table.name === "_private_jobs" ? { payload: inPayload(transaction) } : {}
        for (const column of planned.transactionColumns) rewrites[column] = transaction
        // Counts and word lists that triggers keep are in the backup themselves.
        await tx.unsafe(`alter table ${qualified(table)} disable trigger user`)
        await tx.unsafe(`delete from ${qualified(table)}`)
        await loadTable(tx, table, archive.rows(table), rewrites)
        await tx.unsafe(`alter table ${qualified(table)} enable trigger user`)
        await checkCount(tx, table)
        if (isVersions(table)) await makeAddressTables(tx)
      }
      at(undefined)
      for (const { schema, name, value } of manifest.sequences)
        await tx`select setval(${`"${schema}"."${name}"`}::regclass, ${value})`
      await freeJobs(tx)
    }),
  )
}

async function checkCount(tx: Tx, table: Manifest["tables"][number]): Promise<void> {
  const rows = await tx.unsafe<{ count: number }[]>(`select count(*) as count from ${qualified(table)}`)
  if (rows[0]?.count !== table.rows)
    throw new Error(`${table.name}: ${rows[0]?.count} of ${table.rows} rows were restored`)
}

/** Workers of the old installation hold nothing here. */
async function freeJobs(tx: Tx): Promise<void> {
  await tx`update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_by is not null`
  await tx`update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_by is not null`
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const folder = positionals[0]
    if (folder === undefined) throw new CommandRefusal("npm run restore -- <folder of the backup>")
    const manifest = await restore(config, log, folder)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    say(
      `Restored ${rows} rows and ${manifest.objects.count} files of ${manifest.createdTime}. Start the service now`,
    )
  })
