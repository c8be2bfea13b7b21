import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database.ts"
import type { Id } from "#core/ids.ts"
import { findOrganization } from "../organizations/index.ts"
import { findRole, type RoleRow } from "../roles/index.ts"
import type { UserRow } from "./wire.ts"

export function userColumns(sql: Sql): Fragment {
  return sql`
    users.id, users.number, users.organization_id, users.account_id, users.name, users.email, users.phone_number,
    users.avatar, users.language, users.provider, users.status, users.role_id, users.is_first_owner,
    users.first_login, users.last_login, users.onboarding_step, users.dynamic_visit_time, users.created_time, users.updated_time,
    array(select hub_id from user_hubs where organization_id = users.organization_id and user_id = users.id order by hub_id) as hub_ids,
    array(select team_id from user_teams where organization_id = users.organization_id and user_id = users.id order by team_id) as team_ids`
}

export interface UserFilter {
  hubId?: string
  roleId?: string
  teamId?: string
  status?: string
  q?: string
}

/** The members of the caller's organization, oldest first. */
export function listUsers(sql: Sql, caller: Caller, filter: UserFilter): Promise<UserRow[]> {
  const pattern = filter.q === undefined ? undefined : `%${filter.q.replace(/[\\%_]/g, "\\$&")}%`
  return sql<UserRow[]>`
    select ${userColumns(sql)} from users
    where organization_id = ${caller.organizationId}
      ${filter.roleId === undefined ? sql`` : sql`and role_id = ${filter.roleId}`}
      ${filter.status === undefined ? sql`` : sql`and status = any (${filter.status.split(",").map((word) => word.trim())})`}
      ${filter.hubId === undefined ? sql`` : sql`and exists (select from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id and h.hub_id = ${filter.hubId})`}
      ${filter.teamId === undefined ? sql`` : sql`and exists (select from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id and t.team_id = ${filter.teamId})`}
      ${pattern === undefined ? sql`` : sql`and (name ilike ${pattern} or email ilike ${pattern})`}
    order by created_time, id`
}

export async function findUser(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  userId: string,
): Promise<UserRow | undefined> {
  const rows = await sql<UserRow[]>`
    select ${userColumns(sql)} from users where organization_id = ${caller.organizationId} and id = ${userId.toLowerCase()}`
  return rows[0]
}

/** A user with role and organization, as single reads show it. */
export async function findFullUser(sql: Sql, caller: Pick<Caller, "organizationId">, userId: string) {
  const user = await findUser(sql, caller, userId)
  if (!user) return undefined
  const [role, organization] = await Promise.all([
    findRole(sql, caller, user.roleId),
    findOrganization(sql, user.organizationId),
  ])
  return { user, role: role as RoleRow, organization }
}

/** The members with these e-mails who could be given work in a hub, with the name and hubs that a task keeps. */
export interface Assignable {
  id: Id<"user">
  name: string
  email: string
  hubIds: Id<"hub">[]
  hasHub: boolean
  teamIds: Id<"team">[]
  isOwner: boolean
}

export function findAssignable(
  sql: Sql,
  organizationId: string,
  emails: readonly string[],
  hubId: string,
): Promise<Assignable[]> {
  return sql<Assignable[]>`
    select users.id, users.name, users.email,
      array(select hub_id from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id order by hub_id) as hub_ids,
      array(select team_id from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id) as team_ids,
      (roles.is_default and roles.name = 'owner') as is_owner,
      (roles.is_default and roles.name = 'owner') or exists (select from user_hubs h
        where h.organization_id = users.organization_id and h.user_id = users.id and h.hub_id = ${hubId}) as has_hub
    from users join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    where users.organization_id = ${organizationId} and users.email = any (${emails as string[]})
      and users.status in ('active', 'pending')`
}
