import type { Fragment, Sql } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { findRole } from "../roles/index.ts"

/** A member as location data refers to people. */
export interface NumberedPerson {
  id: string
  number: number
  email: string
  name: string
  roleId: string
  hubIds: string[]
}

/** The members of an organization with these numbers, by name. */
export function findPeopleByNumber(
  sql: Sql,
  organizationId: string,
  numbers: readonly number[],
): Promise<NumberedPerson[]> {
  return sql<NumberedPerson[]>`
    select id, number, email, name, role_id, array(
      select hub_id from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id) as hub_ids
    from users where organization_id = ${organizationId} and number = any (${numbers as number[]}::int[])
    order by name, id`
}

/** The members of an organization, or those with these e-mails, with their hubs. */
export function findPeopleByEmail(
  sql: Sql,
  organizationId: string,
  emails?: readonly string[],
): Promise<NumberedPerson[]> {
  return sql<NumberedPerson[]>`
    select id, number, email, name, role_id, array(
      select hub_id from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id) as hub_ids
    from users where organization_id = ${organizationId}
      ${emails ? sql`and email = any (${emails as string[]})` : sql``} order by name, id`
}

/** Rows of `user_id` and `ids`, the hubs of each member: each table is read once for the whole organization. */
export function hubsOfEverybody(sql: Sql, organizationId: string): Fragment {
  return sql`(select user_id, array_agg(hub_id) as ids from user_hubs where organization_id = ${organizationId} group by 1)`
}

/** The same of teams. */
export function teamsOfEverybody(sql: Sql, organizationId: string): Fragment {
  return sql`(select user_id, array_agg(team_id) as ids from user_teams where organization_id = ${organizationId} group by 1)`
}

/** The teams of one row of users. */
export function teamIdsOf(sql: Sql, person: Fragment): Fragment {
  return sql`array(select team_id from user_teams t where t.organization_id = ${person}.organization_id and t.user_id = ${person}.id)`
}

/** An active member as messages reach them. */
export interface MemberContact {
  userId: string
  email: string
  phoneNumber: string | null
  /** Null: that of the organization. */
  language: string | null
  hubIds: string[]
  isOwner: boolean
}

/** The active members among these. */
export async function findContacts(
  sql: Sql,
  organizationId: string,
  userIds: readonly string[],
): Promise<MemberContact[]> {
  const rows = await sql<(MemberContact & { roleId: string })[]>`
    select id as user_id, email, phone_number, language, role_id, array(
      select hub_id from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id) as hub_ids
    from users where organization_id = ${organizationId} and id = any (${[...userIds]}) and status = 'active' order by id`
  return Promise.all(
    rows.map(async ({ roleId, ...row }) => {
      const role = await findRole(sql, { organizationId: organizationId as Id<"organization"> }, roleId)
      return { ...row, isOwner: role !== undefined && isOwnerRole(role) }
    }),
  )
}

export async function countPeople(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from users where organization_id = ${organizationId}`
  return row?.count ?? 0
}

/** Which of some people's names comes first, within a statement that has their e-mails. */
export function firstNameOf(sql: Sql, organizationId: string, emails: Fragment): Fragment {
  return sql`(
    select min(users.name) from users where users.organization_id = ${organizationId} and users.email = any (${emails}))`
}
