import { parseArgs } from "node:util"
import { sealArrived } from "#core/audit-trail/chain.ts"
import type { Config } from "#core/config.ts"
import type { Pool, Tx } from "#core/database/database.ts"
import { createObjects } from "#core/objects/objects.ts"
import type { Log } from "#core/telemetry/log.ts"
import { checkOrganization, type KnownTables } from "./archive/check-organization.ts"
import { freshTransactions } from "./archive/fresh-transactions.ts"
import { loadTable } from "./archive/load-table.ts"
import type { Manifest } from "./archive/manifest.ts"
import { type ArchiveReader, readArchive } from "./archive/read-archive.ts"
import type { Rewrite } from "./archive/rewrite-rows.ts"
import { withTableInErrors } from "./archive/table-in-errors.ts"
import { planTables } from "./archive/table-plan.ts"
import { movedTables } from "./archive/tenant-tables.ts"
import { CommandRefusal, runCommand, say } from "./command.ts"
import { openDatabase } from "./open-database.ts"

export interface ImportedOrganization {
  id: string
  name: string
  rows: number
  files: number
  /** People whose e-mail has an account here already: they keep the password of this installation. */
  knownPeople: string[]
}

/**
 * Loads an exported organization into a running installation of the same version. Files come before rows and all
 * rows in one transaction, so after a failure there is no organization, and the command can be given again. The archive
 * is not trusted: whatever is not the organization's own is refused before anything is stored, and its jobs are not run.
 */
export async function importOrganization(
  config: Config,
  log: Log,
  folder: string,
): Promise<ImportedOrganization> {
  const archive = await readArchive(folder, "organization")
  const { manifest } = archive
  const organization = manifest.organization
  if (!organization) throw new CommandRefusal(`${folder} contains no organization`)
  const database = await openDatabase(config, log)
  try {
    const { sql } = database
    await checkTarget(sql, manifest, organization.id)
    await checkOrganization(archive, await knownTables(sql))
    await archive.putObjects(await createObjects(config))
    const knownPeople = await load(sql, archive, organization)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    return { id: organization.id, name: organization.name, rows, files: manifest.objects.count, knownPeople }
  } finally {
    await database.close()
  }
}

async function checkTarget(sql: Pool, manifest: Manifest, organizationId: string): Promise<void> {
  const here = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from schema_migrations order by name`.catch(() => [])
  const list = (migrations: readonly { name: string; checksum: string }[]) =>
    migrations.map(({ name, checksum }) => `${name} ${checksum}`).join("\n")
  if (list(here) !== list(manifest.migrations))
    throw new CommandRefusal(
      `The archive was written by version ${manifest.version} with another schema. Upgrade both installations to the same version, start each once, and export again`,
    )
  const taken = await sql`select 1 from organizations where id = ${organizationId}`
  if (taken.length > 0)
    throw new CommandRefusal(`Organization ${organizationId} already exists here. Nothing was changed`)
}

/** Former versions wrote waiting jobs into archives. They are left where they are. */
const formerJobColumns = [
  "identifier",
  "payload",
  "queue_name",
  "run_at",
  "max_attempts",
  "attempts",
  "key",
  "priority",
]

/** Tables of one organization, and the three that it shares with others. */
async function knownTables(sql: Pool): Promise<KnownTables> {
  const shared = ["organizations", "accounts", "app_versions"]
  const tables = (await planTables(sql)).filter(
    ({ name, schema }) => schema === "public" && shared.includes(name),
  )
  return new Map([
    ...[...tables, ...(await movedTables(sql))].map(({ name, columns }) => [name, columns] as const),
    ["waiting_jobs", formerJobColumns],
  ])
}

async function load(
  sql: Pool,
  archive: ArchiveReader,
  organization: { id: string; number: number },
): Promise<string[]> {
  const { manifest } = archive
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  const transaction = await freshTransactions(sql, undefined)
  const organizationNumber = await nextNumber(sql, "organizations_number_seq")
  const greatest = manifest.sequences.find(({ name }) => name === "users_number_seq")?.value ?? 1
  const people = await reserveNumbers(sql, "users_number_seq", greatest)
  return withTableInErrors("importing", (at) =>
    sql.begin(async (tx) => {
      // The hubs and teams of people do not move the time of their last change.
      await tx`set local fieldway.loads_rows = 'on'`
      for (const month of manifest.locationMonths)
        await tx`select ensure_location_partition(${`${month}T00:00:00Z`}::timestamptz)`
      const accounts = await loadAccounts(tx, archive, organization.id)
      const person: Rewrite = (number) => String(people + Number(number))
      const rewritesOf = (name: string, transactionColumns: readonly string[]): Record<string, Rewrite> => ({
        organization_number: () => String(organizationNumber),
        person_number: person,
        ...(name === "location_points" ? { created_by: person } : {}),
        ...(name === "users"
          ? { number: person, account_id: (id: string) => accounts.ids.get(id) ?? id }
          : {}),
        ...(name === "organizations" ? { number: () => String(organizationNumber) } : {}),
        ...(["audit_log", "audit_parts"].includes(name) ? { xid: () => "0" } : {}),
        ...Object.fromEntries(transactionColumns.map((column) => [column, transaction])),
      })
      // What arrives was noted where it was written, and is in the archive's own audit trail.
      await tx`set local fieldway.origin = '{}'`
      const plan = [
        { name: "organizations", transactionColumns: [] },
        { name: "app_versions", transactionColumns: [] },
        ...(await movedTables(tx)),
      ]
      for (const { name, transactionColumns } of plan) {
        const table = tables.get(name)
        if (!table) continue
        at(name)
        await loadTable(tx, table, archive.rows(table), rewritesOf(name, transactionColumns))
      }
      at(undefined)
      await sealArrived(tx, organization.id)
      return accounts.known
    }),
  )
}

/** Accounts are of the installation, not of an organization: who has one here keeps it, password included. */
async function loadAccounts(
  tx: Tx,
  archive: ArchiveReader,
  organizationId: string,
): Promise<{ ids: Map<string, string>; known: string[] }> {
  const table = archive.manifest.tables.find(({ name }) => name === "accounts")
  if (!table) throw new CommandRefusal("The archive lacks its accounts")
  await tx`create temp table arriving_accounts (like accounts including defaults) on commit drop`
  await loadTable(tx, { ...table, schema: "pg_temp", name: "arriving_accounts" }, archive.rows(table))
  await tx`
    update arriving_accounts set origin_organization_id = null
    where origin_organization_id <> ${organizationId}
      and not exists (select from organizations where id = origin_organization_id)`
  await tx`insert into accounts select * from arriving_accounts on conflict do nothing`
  const rows = await tx<{ arrived: string; id: string; email: string; isKnown: boolean }[]>`
    select arriving.id as arrived, accounts.id, accounts.email,
      accounts.xmin::text <> pg_current_xact_id()::xid::text as is_known
    from arriving_accounts arriving join accounts on accounts.email = arriving.email`
  if (rows.length !== table.rows)
    throw new CommandRefusal(
      "An account of the archive has the id of another person's account here. Nothing was changed",
    )
  return {
    ids: new Map(rows.map((row) => [row.arrived, row.id])),
    known: rows.filter((row) => row.isKnown).map((row) => row.email),
  }
}

async function nextNumber(sql: Pool, sequence: string): Promise<number> {
  const rows = await sql<{ value: number }[]>`select nextval(${sequence}::regclass) as value`
  return rows[0]?.value ?? 0
}

/** Takes `count` numbers in a row out of a sequence that others use meanwhile; returns the one before the first. */
async function reserveNumbers(sql: Pool, sequence: string, count: number): Promise<number> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const rows = await sql<{ first: number; last: number }[]>`
      select min(value) as first, max(value) as last
      from (select nextval(${sequence}::regclass) as value from generate_series(1, ${count})) reserved`
    const [range] = rows
    if (range && range.last - range.first === count - 1) return range.first - 1
  }
  throw new CommandRefusal(
    "People are being added here faster than numbers can be reserved. Try again in a moment",
  )
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const folder = positionals[0]
    if (folder === undefined) throw new CommandRefusal("npm run organization:import -- <folder>")
    const { name, id, rows, files, knownPeople } = await importOrganization(config, log, folder)
    say(`${name} (${id}): ${rows} rows and ${files} files were imported. People sign in with their passwords`)
    if (knownPeople.length > 0)
      say(`These people already had an account here and keep its password: ${knownPeople.join(", ")}`)
  })
