import { newToken } from "#core/access/token.ts"
import { inTransaction, type Pool } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import type { Objects } from "#core/objects/objects.ts"
import { anOrganization, type Organization } from "#samples/builders.ts"
import { pathValues } from "#samples/path-values.ts"
import { deleteOrganizationPositions } from "../../features/location/positions/index.ts"
import { deleteOrganization } from "../../features/organization/organizations/index.ts"
import { releaseMembers } from "../../features/people/users/index.ts"
import { derived, ownRows, tenantTables } from "../archive/tenant-tables.ts"

export interface ThrowAway extends Organization {
  number: number
  /** Something of it for each path parameter that the API has, `name` or `/path#name`. */
  values: Record<string, string>
}

/** The victim has something of everything; the intruder nothing, so that whatever it finds is not its own. */
export async function makeThrowAway(sql: Pool, word: "intruder" | "victim"): Promise<ThrowAway> {
  const org = await anOrganization(sql, { name: `Isolation check, ${word} ${newId()}` })
  const values: Record<string, string> = {}
  if (word === "victim")
    for (const [name, make] of Object.entries(pathValues)) values[name] = await make(sql, org)
  const rows = await sql<{ number: number }[]>`select number from organizations where id = ${org.id}`
  return { ...org, number: rows[0]?.number ?? -1, values }
}

/** A session of its owner. A call may end the session that it was made with, so each gets its own. */
export async function freshToken(sql: Pool, org: ThrowAway): Promise<string> {
  const { token, hash } = newToken(org.id)
  await sql`
    insert into access_tokens (organization_id, hash, id, user_id, kind, expires_at)
    values (${org.id}, ${hash}, ${newId()}, ${org.owner.id}, 'session', now() + interval '1 hour')`
  return token
}

/** What the service's own jobs and the check itself write meanwhile. */
const moving = new Set([
  "audit_blocks",
  "access_tokens",
  "token_uses",
  "undo_columns",
  ...derived,
  "location_counts",
  "location_count_changes",
  "task_estimate_requests",
  "task_estimates",
  "task_estimate_people",
  "task_estimate_history",
])

/** The same, in tables whose other columns nobody else writes. */
const movingColumns: Readonly<Record<string, string>> = {
  location_sessions: "is_counted,moving,off_duty,vehicle_id,shift_on,shift_seconds,load_used",
}

/** The statement of a digest of every row of an organization, which is asked again and again. */
export async function digestStatement(sql: Pool, org: ThrowAway): Promise<string> {
  const tables = (await tenantTables(sql)).filter(({ name }) => !moving.has(name))
  const parts = tables.map((table) => {
    const columns = movingColumns[table.name]
    const row = columns ? `(to_jsonb(t) - '{${columns}}'::text[])::text` : "t::text"
    return `select md5(coalesce(string_agg(md5(${row}), '' order by ${row}), '')) as digest from "${table.name}" t where ${ownRows(table, org)}`
  })
  return `select string_agg(digest, ',') as digest from (${parts.join(" union all ")}) tables`
}

/** Ids and addresses that only this organization has: none may be in a response to another. */
export async function secretsOf(sql: Pool, org: ThrowAway): Promise<Set<string>> {
  const rows = await sql<{ secret: string }[]>`
    select id as secret from hubs where organization_id = ${org.id}
    union select id from users where organization_id = ${org.id}
    union select email from users where organization_id = ${org.id}
    union select id from roles where organization_id = ${org.id}
    union select id from tasks where organization_id = ${org.id}
    union select id from flows where organization_id = ${org.id}
    union select id from data_records where organization_id = ${org.id}`
  const values = Object.values(org.values).filter((value) => /^[0-9a-f]{24}$/.test(value))
  const fixed = "6a01c0ffee5de0b4a7710c11"
  return new Set(
    [org.id, org.name, ...values, ...rows.map((row) => row.secret)].filter((value) => value !== fixed),
  )
}

/** Deletes it with everything in it, without mails: its addresses do not exist. */
export async function removeThrowAway(sql: Pool, objects: Objects, org: ThrowAway): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await tx`update users set status = 'disabled' where organization_id = ${org.id}`
    for (const table of await tenantTables(tx))
      if (table.key === "organization_number")
        await tx.unsafe(`delete from "${table.name}" where ${ownRows(table, org)}`)
    await deleteOrganization(tx, org.id, [deleteOrganizationPositions, releaseMembers])
  })
  await objects.removeUnder(org.id)
}
