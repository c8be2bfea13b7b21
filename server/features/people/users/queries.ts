import { type Caller, hasHub, isInTeams } from "#core/access/caller.ts"
import { type Fragment, json, type Sql, type Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { containing } from "#core/list-rows.ts"
import { listFilterCondition } from "#core/row-filter.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import { lockedUntil, normalizeEmail } from "../accounts/index.ts"
import { defaultPolicy, findPolicy } from "../password-policies/index.ts"
import { findRole, type RoleRow } from "../roles/index.ts"
import { userErrors } from "./errors.ts"
import type { UserRow } from "./wire.ts"

/** The columns of the member's own row. */
export function memberColumns(sql: Sql): Fragment {
  return sql`users.id, users.number, users.organization_id, users.account_id, users.name, users.email, users.phone_number,
      users.avatar, users.language, users.provider, users.status, users.role_id, users.is_first_owner,
      users.first_login, users.last_login, users.onboarding_step, users.dynamic_visit_time, users.created_time, users.updated_time`
}

function selectUsers(sql: Sql, more: Fragment = sql``): Fragment {
  return sql`
    select ${memberColumns(sql)},
      accounts.password_changed_time,
      ${lockedUntil(sql)} as locked_until,
      array(select hub_id from user_hubs where organization_id = users.organization_id and user_id = users.id order by hub_id) as hub_ids,
      array(select team_id from user_teams where organization_id = users.organization_id and user_id = users.id order by team_id) as team_ids
      ${more}
    from users join accounts on accounts.id = users.account_id`
}

/** The members whom the caller sees, the base of every read. */
export function visibleUsers(sql: Sql, caller: Caller): Fragment {
  return sql`users.organization_id = ${caller.organizationId} and ${inCallersTeams(sql, caller)}`
}

/**
 * A condition on `users`: everybody of the organization, and for a caller in teams themselves, their team mates,
 * people without a team, and owners, who belong to every team.
 */
export function inCallersTeams(sql: Sql, caller: Pick<Caller, "userId" | "hubs" | "teamIds">): Fragment {
  if (!isInTeams(caller)) return sql`true`
  return sql`(users.id = ${caller.userId}
    or not exists (select from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id)
    or exists (select from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id
      and t.team_id = any (${[...caller.teamIds]}))
    or exists (select from roles r where r.organization_id = users.organization_id and r.id = users.role_id
      and r.is_default and r.name = 'owner'))`
}

/** The same for what is about the person with an e-mail, or about nobody. */
export function isEmailInCallersTeams(sql: Sql, caller: Caller, email: Fragment): Fragment {
  if (!isInTeams(caller)) return sql`true`
  return sql`(${email} is null or exists (select from users
    where users.organization_id = ${caller.organizationId} and users.email = ${email} and ${inCallersTeams(sql, caller)}))`
}

export interface UserFilter {
  hubId?: string
  roleId?: string
  teamId?: string
  status?: string
  q?: string
  /** Conditions over any field, and the moment that relative times refer to. */
  built?: { text: string; now: Temporal.Instant } | undefined
}

const words = (list: string) => list.split(",").map((word) => word.trim().toLowerCase())

/** The members of the caller's organization, oldest first. A hub that the caller lacks has nobody in it. */
export async function listUsers(
  sql: Sql,
  caller: Caller,
  filter: UserFilter,
  atMost?: number,
): Promise<(UserRow & { lastChange: Temporal.Instant })[]> {
  const hubIds =
    filter.hubId === undefined ? undefined : words(filter.hubId).filter((id) => hasHub(caller, id))
  if (hubIds?.length === 0) return []
  const pattern = filter.q === undefined ? undefined : containing(filter.q)
  // Of all members, deleted ones included; a subquery that depends on no row is evaluated once.
  const lastChange = sql`, (select greatest(
    (select max(updated_time) from users where organization_id = ${caller.organizationId}),
    (select max(deleted_time) from trash where organization_id = ${caller.organizationId} and type = 'User'))) as last_change`
  return sql<(UserRow & { lastChange: Temporal.Instant })[]>`
    ${selectUsers(sql, lastChange)}
    where ${visibleUsers(sql, caller)}
      ${filter.roleId === undefined ? sql`` : sql`and users.role_id = any (${words(filter.roleId)})`}
      ${filter.status === undefined ? sql`` : sql`and users.status = any (${words(filter.status)})`}
      ${hubIds === undefined ? sql`` : sql`and users.id = any (array(select h.user_id from user_hubs h where h.organization_id = ${caller.organizationId} and h.hub_id = any (${hubIds})))`}
      ${filter.teamId === undefined ? sql`` : sql`and users.id = any (array(select t.user_id from user_teams t where t.organization_id = ${caller.organizationId} and t.team_id = any (${words(filter.teamId)})))`}
      ${filter.built ? sql`and ${builtCondition(sql, caller, filter.built.text, filter.built.now)}` : sql``}
      ${pattern === undefined ? sql`` : sql`and (users.name ilike ${pattern} or users.email ilike ${pattern})`}
    order by users.created_time, users.id
    ${atMost === undefined ? sql`` : sql`limit ${atMost}`}`
}

/** The filter that people build, as a condition on `users`. */
function builtCondition(sql: Sql, caller: Caller, text: string, now: Temporal.Instant): Fragment {
  const idsIn = (table: "user_hubs" | "user_teams", column: "hub_id" | "team_id") => ({
    kind: "texts" as const,
    value: sql`array(select ${sql(column)} from ${sql(table)} of_user
      where of_user.organization_id = users.organization_id and of_user.user_id = users.id)`,
  })
  return listFilterCondition(text, {
    sql,
    now,
    timeZone: caller.timeZone,
    refuse: (message) => userErrors.badFilter({ message, fields: { filter: [message] } }),
    fields: {
      name: { kind: "text", value: sql`users.name` },
      email: { kind: "text", value: sql`users.email` },
      phoneNumber: { kind: "text", value: sql`users.phone_number` },
      status: { kind: "text", value: sql`users.status` },
      roleId: { kind: "text", value: sql`users.role_id` },
      hubId: idsIn("user_hubs", "hub_id"),
      teamId: idsIn("user_teams", "team_id"),
      lastLogin: { kind: "time", value: sql`users.last_login` },
      createdTime: { kind: "time", value: sql`users.created_time` },
    },
  })
}

/** A member of an organization, without restrictions of a caller. */
export async function findUser(
  sql: Sql,
  caller: Pick<Caller, "organizationId">,
  userId: string,
): Promise<UserRow | undefined> {
  const rows = await sql<UserRow[]>`
    ${selectUsers(sql)} where users.organization_id = ${caller.organizationId} and users.id = ${userId.toLowerCase()}`
  return rows[0]
}

/** A member whom the caller sees, by id or e-mail. */
export async function findVisibleUser(
  sql: Sql,
  caller: Caller,
  key: { id: string } | { email: string },
): Promise<UserRow | undefined> {
  const condition =
    "id" in key ? sql`users.id = ${key.id.toLowerCase()}` : sql`users.email = ${normalizeEmail(key.email)}`
  const rows = await sql<UserRow[]>`${selectUsers(sql)} where ${visibleUsers(sql, caller)} and ${condition}`
  return rows[0]
}

/**
 * Locks the members with these ids until the transaction ends, always in the order of their ids, so that two
 * changes of each other wait instead of failing.
 */
export async function lockUsers(
  tx: Tx,
  caller: Pick<Caller, "organizationId">,
  ids: readonly string[],
): Promise<void> {
  await tx`
    select id from users where organization_id = ${caller.organizationId} and id = any (${ids.map((id) => id.toLowerCase())})
    order by id for update`
}

/** Role, organization and password policy that belong to a user. */
export async function completeUser(sql: Sql, user: UserRow) {
  const [role, organization] = await Promise.all([
    findRole(sql, user, user.roleId),
    findOrganization(sql, user.organizationId),
  ])
  if (!role) throw new Error("A user's role no longer exists")
  const policy = role.passwordPolicyId
    ? await findPolicy(sql, user.organizationId, role.passwordPolicyId)
    : undefined
  return { user, role: role as RoleRow, organization, policy: policy ?? defaultPolicy }
}

export type FullUser = Awaited<ReturnType<typeof completeUser>>

/** A user with role and organization, as single reads show it. */
export async function findFullUser(sql: Sql, caller: Pick<Caller, "organizationId">, userId: string) {
  const user = await findUser(sql, caller, userId)
  return user && completeUser(sql, user)
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
      and users.status in ('active', 'pending')`.reusePlan()
}

/** Writes what people set about themselves. */
export async function updateProfile(
  tx: Tx,
  { organizationId, userId }: Pick<Caller, "organizationId" | "userId">,
  profile: Pick<UserRow, "name" | "phoneNumber" | "language" | "onboardingStep">,
): Promise<void> {
  await tx`
    update users set name = ${profile.name}, phone_number = ${profile.phoneNumber}, language = ${profile.language},
      onboarding_step = ${json(tx, profile.onboardingStep)}, updated_time = now()
    where organization_id = ${organizationId} and id = ${userId}`
}

export async function updateAvatar(
  tx: Tx,
  { organizationId, id }: Pick<UserRow, "organizationId" | "id">,
  avatar: string | null,
): Promise<void> {
  await tx`
    update users set avatar = ${avatar}, updated_time = now()
    where organization_id = ${organizationId} and id = ${id}`
}
