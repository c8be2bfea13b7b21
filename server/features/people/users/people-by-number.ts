import type { Fragment, Sql } from "#core/database/database.ts"

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
}

/** The active members among these. */
export function findContacts(
  sql: Sql,
  organizationId: string,
  userIds: readonly string[],
): Promise<MemberContact[]> {
  return sql<MemberContact[]>`
    select id as user_id, email, phone_number, language from users
    where organization_id = ${organizationId} and id = any (${[...userIds]}) and status = 'active' order by id`
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
