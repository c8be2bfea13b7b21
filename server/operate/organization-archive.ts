import { join } from "node:path"
import type { Readable } from "node:stream"
import type { Pool, Tx } from "#core/database/database.ts"
import type { Objects } from "#core/objects/objects.ts"
import { version } from "../version.ts"
import type { Manifest } from "./archive/manifest.ts"
import { packTar } from "./archive/pack-tar.ts"
import { withTableInErrors } from "./archive/table-in-errors.ts"
import { type PlannedTable, planTables, readLocationMonths } from "./archive/table-plan.ts"
import { movedTables, ownRows, type TenantTable } from "./archive/tenant-tables.ts"
import { type ArchiveWriter, writeArchive } from "./archive/write-archive.ts"
import { CommandRefusal } from "./command.ts"
import type { NamedOrganization } from "./find-organization.ts"

export interface ArchiveOptions {
  /**
   * Whether password hashes, second factors, personal tokens and kept mails are in it, as when an operator moves an
   * organization. An owner gets none of them: accounts are also those of other organizations.
   */
  keepsSecrets: boolean
}

/**
 * Writes one organization into an archive, a folder that must not exist, while the service runs. Rows are read in
 * one snapshot. Sessions stay behind: people sign in again.
 */
export async function archiveOrganization(
  { sql, objects }: { sql: Pool; objects: Objects },
  organization: NamedOrganization,
  folder: string,
  options: ArchiveOptions,
): Promise<Manifest> {
  const archive = await writeArchive(folder)
  try {
    await archive.objects(objects, organization.id)
    const rest = await withTableInErrors("exporting", (at) =>
      sql.begin("isolation level repeatable read read only", async (tx) => {
        await tx`set local statement_timeout = 0`
        const createdTime = Temporal.Now.instant().toString()
        const running = await tx`
        select 1 from imports where organization_id = ${organization.id} and status = 'onprocess' limit 1`
        if (running.length > 0)
          throw new CommandRefusal(
            "an import of this organization is running: wait for its end, or cancel it",
          )
        await writeTables(tx, archive, organization, options, at)
        at(undefined)
        const migrations = await tx<{ name: string; checksum: string }[]>`
        select name, checksum from schema_migrations order by name`
        return {
          createdTime,
          migrations: [...migrations],
          sequences: [{ schema: "public", name: "users_number_seq", value: await greatestPerson(tx) }],
          locationMonths: await readLocationMonths(tx),
        }
      }),
    )
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
}

/** The archive of an owner, without secrets, as one tar file. It is written to the folder first. */
export async function packOrganization(
  from: { sql: Pool; objects: Objects },
  organization: NamedOrganization,
  folder: string,
): Promise<Readable> {
  const content = join(folder, "organization")
  await archiveOrganization(from, organization, content, { keepsSecrets: false })
  return packTar(content, "organization")
}

/** What is in an owner's archive instead of a secret, by table and column. */
const blanks: Record<string, Record<string, string>> = {
  accounts: {
    password_hash: "null",
    password_history: "'{}'::text[]",
    password_changed_time: "null",
    totp_secret: "null",
    totp_sealed: "null",
    totp_enabled_time: "null",
    totp_last_step: "null",
    recovery_codes: "'{}'::text[]",
    failed_attempts: "0",
    failed_time: "null",
    locked_until: "null",
  },
  users: { invitation_hash: "null", invitation_expires: "null" },
  mails: { text: "null", html: "null", sealed: "null" },
}

/** Rows that are in no owner's archive. */
const keptFromOwners = new Set(["access_tokens", "oauth_clients", "oauth_codes", "scim_tokens", "token_uses"])

async function writeTables(
  tx: Tx,
  archive: ArchiveWriter,
  organization: NamedOrganization,
  { keepsSecrets }: ArchiveOptions,
  at: (table: string) => void,
): Promise<void> {
  const plan = await planTables(tx)
  const write = (table: PlannedTable, from: string) => {
    at(table.name)
    return archive.table(tx, table, keepsSecrets ? from : withoutSecrets(table, from))
  }
  const global = (name: string): PlannedTable => {
    const table = plan.find((candidate) => candidate.name === name)
    if (!table) throw new Error(`no table ${name}`)
    return table
  }
  const { id } = organization
  await write(global("organizations"), `from organizations where id = '${id}'`)
  await write(
    global("accounts"),
    `from accounts where id in (select account_id from users where organization_id = '${id}')`,
  )
  await write(global("app_versions"), `from app_versions where for_organization_id = '${id}'`)
  for (const table of await movedTables(tx))
    await write(table, `from "${table.name}" where ${ownRows(table, organization)}${ofItself(table)}`)
}

/** How many jobs of the organization wait. They stay behind: nothing that an archive says is ever run. */
export async function countWaitingJobs(sql: Pool, { id }: NamedOrganization): Promise<number> {
  const rows = await sql<{ count: number }[]>`
    select count(*) as count from graphile_worker._private_jobs
    where payload->>'organizationId' = ${id} and attempts < max_attempts`
  return rows[0]?.count ?? 0
}

function withoutSecrets({ name, columns }: PlannedTable, from: string): string {
  if (keptFromOwners.has(name)) return `${from} limit 0`
  const blank = blanks[name]
  if (!blank) return from
  const shown = columns.map((column) => (blank[column] ? `${blank[column]} as "${column}"` : `"${column}"`))
  return `from (select ${shown.join(", ")} ${from}) "${name}"`
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
