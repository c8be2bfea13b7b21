import { randomBytes } from "node:crypto"
import { parseArgs } from "node:util"
import { databaseErrorOf, inTransaction, type Pool, type Sql } from "#core/database/database.ts"
import { CommandRefusal, runCommand, say } from "../command.ts"
import { findByIdOrName, type NamedOrganization } from "../find-organization.ts"
import { openDatabase } from "../open-database.ts"

const usage = `usage: npm run analyst -- --organization <id or name>            creates the role, or gives it a new password
       npm run analyst -- --organization <id or name> --remove   ends its sessions and removes it`

/** One role reads the views of the schema `analytics` for its organization, with few connections at a time. */
const settings = {
  default_transaction_read_only: "on",
  statement_timeout: "5min",
  idle_in_transaction_session_timeout: "1min",
  search_path: "analytics",
}

export function roleOf({ id }: Pick<NamedOrganization, "id">): string {
  return `fieldway_analyst_${id}`
}

/** Creates the role, or changes its password. Returns the password, which is stored nowhere else. */
export async function grantAnalyst(sql: Pool, organization: NamedOrganization): Promise<string> {
  const role = roleOf(organization)
  const password = randomBytes(24).toString("base64url")
  await inTransaction(sql, async (tx) => {
    if (!(await exists(tx, role))) await tx.unsafe(`create role ${role} noinherit`)
    await tx.unsafe(`alter role ${role} login connection limit 5 password '${password}'`)
    // Who may create roles does not have their privileges, which ending their sessions and removing them needs.
    await tx.unsafe(`grant ${role} to current_user`)
    for (const [name, value] of Object.entries(settings))
      await tx.unsafe(`alter role ${role} set ${name} = '${value}'`)
    await tx.unsafe(`grant usage on schema analytics to ${role}`)
    await tx.unsafe(`grant select on all tables in schema analytics to ${role}`)
    await tx.unsafe(`grant execute on function public.session_times to ${role}`)
  })
  return password
}

/** Removes the role. Returns whether there was one. */
export async function removeAnalyst(sql: Pool, organization: NamedOrganization): Promise<boolean> {
  const role = roleOf(organization)
  if (!(await exists(sql, role))) return false
  await inTransaction(sql, async (tx) => {
    await tx`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${role}`
    await tx.unsafe(`drop owned by ${role}`)
    await tx.unsafe(`drop role ${role}`)
  })
  return true
}

async function exists(sql: Sql, role: string): Promise<boolean> {
  return (await sql`select 1 from pg_roles where rolname = ${role}`).length > 0
}

if (import.meta.main)
  await runCommand(async ({ config, log, args }) => {
    const { values } = parseArgs({
      args,
      options: {
        organization: { type: "string" },
        remove: { type: "boolean" },
        help: { type: "boolean" },
      },
    })
    if (values.help || !values.organization) throw new CommandRefusal(usage)
    const database = await openDatabase(config, log)
    try {
      const organization = await findByIdOrName(database.sql, values.organization)
      if (values.remove) {
        const wasThere = await removeAnalyst(database.sql, organization)
        say(wasThere ? `The role of ${organization.name} is removed` : `${organization.name} has no role`)
        return
      }
      const { hostname, port, pathname } = new URL(database.url)
      if (!hostname)
        throw new CommandRefusal(
          "The embedded database accepts no connections of other programs. Use a PostgreSQL of your own (DATABASE_URL)",
        )
      const password = await grantAnalyst(database.sql, organization)
      say(`postgres://${roleOf(organization)}:${password}@${hostname}:${port || 5432}${pathname}`)
    } catch (error) {
      if (databaseErrorOf(error)?.code !== "42501") throw error
      throw new CommandRefusal(
        "The database user of Fieldway may not create roles. Grant it CREATEROLE, or run the command with the DATABASE_URL of an administrator",
      )
    } finally {
      await database.close()
    }
  })
