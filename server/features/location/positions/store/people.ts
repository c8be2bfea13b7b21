import type { Caller } from "#core/access/caller.ts"
import { batchReads } from "#core/database/batch-reads.ts"
import { idTexts, isPool, type Pool, type Sql } from "#core/database/database.ts"
import { ownedState } from "#core/owned-state.ts"
import { normalizeEmail } from "../../../people/accounts/index.ts"

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

/** The members of an organization with these e-mails, by e-mail. Several phones' calls share a statement of the pool. */
export async function findMembers(
  sql: Sql,
  tenant: Pick<Tenant, "organizationId">,
  emails: readonly string[],
): Promise<Map<string, TrackedPerson>> {
  const { organizationId } = tenant
  const wanted = emails.map((email) => ({ organizationId, email: normalizeEmail(email) }))
  const members =
    isPool(sql) && wanted.length === 1
      ? await Promise.all(wanted.map(memberOf(sql)))
      : await readMembers(sql, wanted)
  return new Map(members.flatMap((member) => (member ? [[member.email, member]] : [])))
}

interface Wanted {
  organizationId: string
  email: string
}

type ReadMember = (wanted: Wanted) => Promise<TrackedPerson | undefined>
const memberOf = ownedState(
  (sql: Pool): ReadMember =>
    batchReads({
      read: (wanted: readonly Wanted[]) => readMembers(sql, wanted),
      keyOf: ({ organizationId, email }) => `${organizationId} ${email}`,
    }),
)

/** The member of each, undefined where there is none. */
async function readMembers(sql: Sql, wanted: readonly Wanted[]): Promise<(TrackedPerson | undefined)[]> {
  if (wanted.length === 0) return []
  const rows = await sql<(TrackedPerson & { place: number })[]>`
    select asked.place, number, id as user_id, users.email
    from unnest(${idTexts(
      sql,
      wanted.map((one) => one.organizationId),
    )}, ${wanted.map((one) => one.email)}::text[])
      with ordinality as asked (organization_id, email, place)
    cross join lateral (
      select * from users where users.organization_id = asked.organization_id and users.email = asked.email offset 0
    ) as users`.reusePlan()
  const members = new Array<TrackedPerson | undefined>(wanted.length).fill(undefined)
  for (const { place, ...member } of rows) members[place - 1] = member
  return members
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

/** Whose positions the caller may read besides their own. */
export function seesOthers(caller: Pick<Caller, "permissions">): boolean {
  return caller.permissions.has("view/tracking") && !caller.permissions.has("view/task/only-me")
}

export function tenantOf(caller: Tenant): Tenant {
  return { organizationId: caller.organizationId, organizationNumber: caller.organizationNumber }
}

export interface Member extends TrackedPerson {
  name: string
  isActive: boolean
}

/** A member of the caller's organization by id. */
export async function findMember(
  sql: Sql,
  tenant: Pick<Tenant, "organizationId">,
  userId: string,
): Promise<Member | undefined> {
  return (await findMembersById(sql, tenant, [userId]))[0]
}

export async function findMembersById(
  sql: Sql,
  { organizationId }: Pick<Tenant, "organizationId">,
  userIds: readonly string[],
): Promise<Member[]> {
  return sql<Member[]>`
    select id as user_id, number, email, name, status = 'active' as is_active from users
    where organization_id = ${organizationId} and id = any (${userIds.map((id) => id.toLowerCase())}::text[])`
}
