import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Config } from "#core/config.ts"
import type { Tx } from "#core/database.ts"
import type { Log } from "#core/log.ts"
import { createObjects } from "#core/objects/objects.ts"
import { version } from "../version.ts"
import type { Manifest } from "./archive/manifest.ts"
import { type PlannedTable, planTables, readLocationMonths } from "./archive/table-plan.ts"
import { movedTables, ownRows, type TenantTable } from "./archive/tenant-tables.ts"
import { type ArchiveWriter, writeArchive } from "./archive/write-archive.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { findByIdOrName, type NamedOrganization } from "./find-organization.ts"
import { openDatabase } from "./open-database.ts"

/** Jobs that wait for their turn, by what they are rather than by the queue's own numbers. */
export const waitingJobs: PlannedTable = {
  schema: "public",
  name: "waiting_jobs",
  columns: ["identifier", "payload", "queue_name", "run_at", "max_attempts", "attempts", "key", "priority"],
  transactionColumns: [],
}

/**
 * Writes one organization into an archive while the service runs: people with their password hashes, settings,
 * work, locations, files, waiting jobs. Read in one snapshot. Sessions stay behind: people sign in again.
 */
export async function exportOrganization(
  config: Config,
  log: Log,
  wanted: string,
  folder: string,
): Promise<Manifest> {
  const database = await openDatabase(config, log)
  try {
    const organization = await findByIdOrName(database.sql, wanted)
    const objects = await createObjects(config)
    const archive = await writeArchive(folder)
    try {
      await archive.objects(objects, organization.id)
      const rest = await database.sql.begin("isolation level repeatable read read only", async (tx) => {
        const createdTime = Temporal.Now.instant().toString()
        const running = await tx`
          select 1 from imports where organization_id = ${organization.id} and status = 'onprocess' limit 1`
        if (running.length > 0)
          throw new CommandRefusal(
            "an import of this organization is running: wait for its end, or cancel it",
          )
        await writeTables(tx, archive, organization)
        const migrations = await tx<{ name: string; checksum: string }[]>`
          select name, checksum from schema_migrations order by name`
        return {
          createdTime,
          migrations: [...migrations],
          sequences: [{ schema: "public", name: "users_number_seq", value: await greatestPerson(tx) }],
          locationMonths: await readLocationMonths(tx),
        }
      })
      await archive.objects(objects, organization.id)
      return await archive.finish({
        format: "fieldway-archive",
        formatVersion: 1,
        kind: "organization",
        version,
        organization: { id: organization.id, name: organization.name, number: organization.number },
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

async function writeTables(tx: Tx, archive: ArchiveWriter, organization: NamedOrganization): Promise<void> {
  const plan = await planTables(tx)
  const global = (name: string): PlannedTable => {
    const table = plan.find((candidate) => candidate.name === name)
    if (!table) throw new Error(`no table ${name}`)
    return table
  }
  const { id } = organization
  await archive.table(tx, global("organizations"), `from organizations where id = '${id}'`)
  await archive.table(
    tx,
    global("accounts"),
    `from accounts where id in (select account_id from users where organization_id = '${id}')`,
  )
  await archive.table(tx, global("app_versions"), `from app_versions where for_organization_id = '${id}'`)
  for (const table of await movedTables(tx))
    await archive.table(
      tx,
      table,
      `from "${table.name}" where ${ownRows(table, organization)}${ofItself(table)}`,
    )
  await archive.table(
    tx,
    waitingJobs,
    `from (
      select tasks.identifier, jobs.payload, queues.queue_name, jobs.run_at, jobs.max_attempts, jobs.attempts, jobs.key,
        jobs.priority
      from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
      left join graphile_worker._private_job_queues queues on queues.id = jobs.job_queue_id
      where jobs.payload->>'organizationId' = '${id}') waiting`,
  )
}

/** Sessions stay behind; personal tokens, on which integrations hang, move. So do its own plugins, not borrowed ones. */
function ofItself({ name }: TenantTable): string {
  if (name === "plugin_installations") return " and plugin_organization_id = organization_id"
  if (name === "access_tokens") return " and kind <> 'session'"
  if (name !== "token_uses") return ""
  return " and (organization_id, token_id) in (select organization_id, id from access_tokens where kind <> 'session')"
}

/** At least every number of a person that this organization's rows can hold. */
async function greatestPerson(tx: Tx): Promise<number> {
  const rows = await tx<
    { value: number | null }[]
  >`select last_value as value from pg_sequences where sequencename = 'users_number_seq'`
  return rows[0]?.value ?? 1
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const [wanted, given] = positionals
    if (wanted === undefined)
      throw new CommandRefusal("npm run organization:export -- <id or name of the organization> [folder]")
    const stamp = Temporal.Now.instant().toString({ smallestUnit: "second" }).replaceAll(":", "-")
    const folder = given ?? join(process.cwd(), `fieldway-organization-${stamp}`)
    const manifest = await exportOrganization(config, log, wanted, folder)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const jobs = manifest.tables.find(({ name }) => name === waitingJobs.name)?.rows ?? 0
    say(
      `${folder}: ${manifest.organization?.name}, ${rows} rows, ${manifest.objects.count} files, ${jobs} waiting jobs`,
    )
    say(
      "What people do from now on is not in it. Whoever can read it can read password hashes: keep it closed.",
    )
  })
