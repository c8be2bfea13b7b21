import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database.ts"
import { normalizeEmail } from "../accounts/index.ts"

/** Whom a point is of: the number keys the points, the e-mail is what the wire shows. */
export interface TrackedPerson {
  number: number
  userId: string
  email: string
}

export interface Tenant {
  organizationId: string
  organizationNumber: number
}

/** The members of an organization with these e-mails, by e-mail. */
export async function findMembers(
  sql: Sql,
  tenant: Pick<Tenant, "organizationId">,
  emails: readonly string[],
): Promise<Map<string, TrackedPerson>> {
  if (emails.length === 0) return new Map()
  const rows = await sql<TrackedPerson[]>`
    select number, id as user_id, email from users
    where organization_id = ${tenant.organizationId} and email = any (${emails.map(normalizeEmail)})`
  return new Map(rows.map((row) => [row.email, row]))
}

/** Numbers that points of this e-mail may have: the member's, and those of people with it who have left. */
export async function findPersonNumbers(sql: Sql, tenant: Tenant, email: string): Promise<number[]> {
  const rows = await sql<{ number: number }[]>`
    select number from users where organization_id = ${tenant.organizationId} and email = ${normalizeEmail(email)}
    union
    select person_number from person_positions
    where organization_number = ${tenant.organizationNumber} and email = ${normalizeEmail(email)}`
  return rows.map((row) => row.number)
}

/** Whose positions the caller may read besides his own. */
export function seesOthers(caller: Pick<Caller, "permissions">): boolean {
  return caller.permissions.has("view/tracking") && !caller.permissions.has("view/task/only-me")
}

export function tenantOf(caller: Tenant): Tenant {
  return { organizationId: caller.organizationId, organizationNumber: caller.organizationNumber }
}
