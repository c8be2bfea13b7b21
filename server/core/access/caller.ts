import type { Fragment, Sql } from "../database/database.ts"
import type { Id } from "../ids.ts"
import { effectivePermissions, isOwnerRole, type Permission } from "../permissions.ts"

/** Who calls: one person in one organization, by one token. Everything about rights hangs on this. */
export interface Caller {
  organizationId: Id<"organization">
  /** Small surrogates that location points are keyed by. */
  organizationNumber: number
  userNumber: number
  userId: Id<"user">
  accountId: Id<"account">
  tokenId: Id<"token">
  tokenKind: "session" | "personal" | "oauth"
  /** Of a personal token its name, of an OAuth token that of the application; null for a session. */
  tokenName: string | null
  /** Permissions that a scoped token is limited to; null is everything its owner may. */
  tokenScopes: readonly string[] | null
  /** When the token was made, epoch milliseconds: for a session the moment of signing in. */
  signedInAt: number
  /** How the session was opened. One by single sign-on stays in its organization. */
  signIn: "password" | "sso"
  /** Whether a one-time code was given when the session was opened. */
  hasSecondFactor: boolean
  email: string
  name: string
  roleId: Id<"role">
  roleName: string
  isDefaultRole: boolean
  isOwner: boolean
  permissions: ReadonlySet<Permission>
  permissionDetails: readonly PermissionDetail[]
  /** "all" for owners, who have every hub of the organization implicitly. */
  hubs: "all" | readonly Id<"hub">[]
  teamIds: readonly Id<"team">[]
  timeZone: string
  language: string
}

/** Settings of one granted permission, as the role keeps them. */
export interface PermissionDetail {
  permissionName: string
  [setting: string]: unknown
}

export interface CallerRow {
  tokenId: Id<"token">
  tokenKind: "session" | "personal" | "oauth"
  tokenName: string | null
  tokenScopes: string[] | null
  signedInAt: number
  signIn: "password" | "sso"
  hasSecondFactor: boolean
  organizationId: Id<"organization">
  organizationNumber: number
  timeZone: string
  language: string
  userId: Id<"user">
  userNumber: number
  accountId: Id<"account">
  email: string
  name: string
  roleId: Id<"role">
  roleName: string
  isDefault: boolean
  permissionNames: string[]
  permissionDetails: PermissionDetail[]
  hubIds: Id<"hub">[]
  teamIds: Id<"team">[]
}

/**
 * Everything about the holder of a token, in one statement. Undefined when the token is no longer good.
 *
 * Each `offset 0` keeps the planner to one row by its key after the other. Without statistics, as after a first
 * import of people, it took all members with all their tokens: 0.9 s for a caller among 1,000.
 */
export async function findCaller(
  sql: Sql,
  organizationId: string,
  tokenHash: Buffer,
): Promise<CallerRow | undefined> {
  const rows = await sql<CallerRow[]>`
    select
      token.id as token_id, token.kind as token_kind, token.name as token_name, token.scopes as token_scopes,
      (extract(epoch from token.created_time) * 1000)::float8 as signed_in_at, token.sign_in, token.has_second_factor,
      organization.id as organization_id, organization.number as organization_number,
      organization.time_zone, organization.language,
      person.id as user_id, person.number as user_number, person.account_id, person.email, person.name,
      role.id as role_id, role.name as role_name, role.is_default, role.permission_names, role.permission_details,
      array(select hub_id from user_hubs h where h.organization_id = person.organization_id and h.user_id = person.id) as hub_ids,
      array(select team_id from user_teams t where t.organization_id = person.organization_id and t.user_id = person.id) as team_ids
    from (
      select * from access_tokens where organization_id = ${organizationId} and hash = ${tokenHash} offset 0
    ) as token
    join organizations organization on organization.id = token.organization_id
    cross join lateral (
      select * from users where users.organization_id = token.organization_id and users.id = token.user_id offset 0
    ) as person
    cross join lateral (
      select * from roles where roles.organization_id = person.organization_id and roles.id = person.role_id offset 0
    ) as role
    where token.kind <> 'refresh' and token.revoked_at is null and token.expires_at > now() and person.status = 'active'`
  return rows[0]
}

/**
 * The caller that a member would be who signed in now: for work in the background on somebody's behalf, which
 * has the rights that this person has when it runs. Undefined when the member is gone or not active.
 */
export async function findCallerOfUser(
  sql: Sql,
  organizationId: string,
  userId: string,
): Promise<Caller | undefined> {
  const rows = await sql<CallerRow[]>`
    select
      '' as token_id, 'session' as token_kind, null as token_name, null as token_scopes,
      organization.id as organization_id, organization.number as organization_number,
      organization.time_zone, organization.language,
      person.id as user_id, person.number as user_number, person.account_id, person.email, person.name,
      role.id as role_id, role.name as role_name, role.is_default, role.permission_names, role.permission_details,
      array(select hub_id from user_hubs h where h.organization_id = person.organization_id and h.user_id = person.id) as hub_ids,
      array(select team_id from user_teams t where t.organization_id = person.organization_id and t.user_id = person.id) as team_ids
    from users person
    join organizations organization on organization.id = person.organization_id
    join roles role on role.organization_id = person.organization_id and role.id = person.role_id
    where person.organization_id = ${organizationId} and person.id = ${userId} and person.status = 'active'`
  return rows[0] && toCaller(rows[0])
}

/** The same by the member's e-mail. */
export async function findCallerByEmail(
  sql: Sql,
  organizationId: string,
  email: string,
): Promise<Caller | undefined> {
  const rows = await sql<{ id: string }[]>`
    select id from users where organization_id = ${organizationId} and email = ${email}`
  return rows[0] && findCallerOfUser(sql, organizationId, rows[0].id)
}

export function toCaller(row: CallerRow): Caller {
  const { roleName, isDefault, permissionNames, hubIds, ...rest } = row
  const isOwner = isOwnerRole({ name: roleName, isDefault })
  const granted = effectivePermissions({ name: roleName, isDefault, permissionNames })
  const permissions = rest.tokenScopes ? narrowed(granted, rest.tokenScopes) : granted
  return { ...rest, roleName, isDefaultRole: isDefault, isOwner, permissions, hubs: isOwner ? "all" : hubIds }
}

/** A scoped token has the permissions that it names, as far as its owner still has them. */
function narrowed(granted: ReadonlySet<Permission>, scopes: readonly string[]): ReadonlySet<Permission> {
  const named = new Set(scopes)
  return new Set([...granted].filter((name) => named.has(name) || name === "view/task/only-me"))
}

/** The same person with no more than the named permissions, as if by a token with these scopes. */
export function narrowedCaller(caller: Caller, scopes: readonly string[]): Caller {
  return { ...caller, tokenScopes: scopes, permissions: narrowed(caller.permissions, scopes) }
}

export function may(caller: Caller, permission: Permission): boolean {
  return caller.permissions.has(permission)
}

/** Owners and administrators, who have every permission but the switches; not by a scoped token of theirs. */
export function hasEverythingButSwitches(caller: Caller): boolean {
  return caller.isDefaultRole && ["owner", "admin"].includes(caller.roleName) && caller.tokenScopes === null
}

/** Acts that only an owner may do. A scoped token of an owner is no owner: its scopes name no such act. */
export function actsAsOwner(caller: Caller): boolean {
  return caller.isOwner && caller.tokenScopes === null
}

/** Whether teams limit which people, and whose tasks, the caller sees in their hubs. */
export function isInTeams(caller: Pick<Caller, "hubs" | "teamIds">): boolean {
  return caller.hubs !== "all" && caller.teamIds.length > 0
}

/** Whether the caller's hubs contain this one. True for every id when the caller is an owner. */
export function hasHub(caller: Caller, hubId: string): boolean {
  return caller.hubs === "all" || (caller.hubs as readonly string[]).includes(hubId)
}

/** The condition "in one of the caller's hubs" on a column, for the base query of whatever lives in a hub. */
export function inCallersHubs(sql: Sql, caller: Caller, column: Fragment): Fragment {
  return caller.hubs === "all" ? sql`true` : sql`${column} = any (${[...caller.hubs]})`
}
