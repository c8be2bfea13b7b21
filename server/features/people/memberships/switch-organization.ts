import type { Caller } from "#core/access/caller.ts"
import { audit } from "#core/audit.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { coreErrors } from "#core/errors.ts"
import type { Id } from "#core/ids.ts"
import { organizationErrors } from "../../organization/organizations/index.ts"
import { findAccount } from "../accounts/index.ts"
import { openSession, roleDemands, type Session } from "../sessions/index.ts"
import { endSession } from "../tokens/index.ts"

export interface MembershipRow {
  organizationId: Id<"organization">
  companyName: string
  userId: Id<"user">
  roleId: Id<"role">
  roleName: string
  status: string
  isOwner: boolean
  isOrigin: boolean
  lastLogin: Temporal.Instant | null
}

/** The organizations in which the caller's account is active, by name. */
export function listMemberships(sql: Sql, caller: Caller): Promise<MembershipRow[]> {
  return sql<MembershipRow[]>`
    select users.organization_id, organizations.name as company_name, users.id as user_id, roles.id as role_id,
      roles.name as role_name, users.status, (roles.is_default and roles.name = 'owner') as is_owner,
      coalesce(accounts.origin_organization_id = users.organization_id, false) as is_origin, users.last_login
    from users
    join accounts on accounts.id = users.account_id
    join organizations on organizations.id = users.organization_id
    join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    where users.account_id = ${caller.accountId} and users.status = 'active'
    order by lower(organizations.name), organizations.id`
}

/** Whether the caller is already a member of an organization with this name. */
export async function hasOrganizationNamed(tx: Tx, caller: Caller, name: string): Promise<boolean> {
  const taken = await tx`
    select 1 from users join organizations on organizations.id = users.organization_id
    where users.account_id = ${caller.accountId} and lower(organizations.name) = lower(${name}) limit 1`
  return taken.length > 0
}

/** The first organization that the account owns, whether it made it or was invited as an owner. */
export async function findOwnedOrganization(
  tx: Tx,
  caller: Caller,
): Promise<Pick<Caller, "organizationId" | "hubs"> | undefined> {
  const rows = await tx<{ organizationId: Id<"organization"> }[]>`
    select users.organization_id from users
    join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
    where users.account_id = ${caller.accountId} and users.status = 'active' and roles.is_default and roles.name = 'owner'
    order by users.created_time, users.organization_id limit 1`
  return rows[0] && { organizationId: rows[0].organizationId, hubs: "all" }
}

/** Refuses callers that must stay where they are: programs, and sessions of single sign-on. */
export function checkMovable(caller: Caller): void {
  if (caller.tokenKind !== "session" || caller.signIn === "sso") throw organizationErrors.needsPerson()
}

/**
 * Moves the caller's session into another of their organizations. The presented token ends in the same
 * transaction in which the new one begins; of two switches with one token only one succeeds. Somebody who
 * loses the response signs in again and is where they wanted to be, as that organization was used last.
 */
export async function switchOrganization(
  tx: Tx,
  caller: Caller,
  organizationId: string,
  address: string,
): Promise<Session> {
  checkMovable(caller)
  const target = await findTarget(tx, caller, organizationId.toLowerCase())
  const account = await findAccount(tx, { id: caller.accountId })
  const isElsewhere = target.organizationId !== caller.organizationId
  if (isElsewhere && account?.passwordSetBy && account.passwordSetBy !== target.organizationId)
    throw organizationErrors.provedOnly()
  if (!caller.hasSecondFactor && (await roleDemands(tx, target)).code) throw organizationErrors.codeNeeded()
  if (!(await endSession(tx, caller))) throw coreErrors.unauthenticated()
  const session = await openSession(tx, target, { hasSecondFactor: caller.hasSecondFactor })
  if (!session) throw organizationErrors.disabled()
  const about = { targetType: "user", targetName: caller.email }
  await audit(
    tx,
    { organizationId: target.organizationId, email: caller.email, address },
    { action: "session.open", targetId: target.userId, ...about },
  )
  if (isElsewhere)
    await audit(
      tx,
      { organizationId: caller.organizationId, email: caller.email, address },
      { action: "session.close", targetId: caller.userId, ...about },
    )
  return session
}

async function findTarget(tx: Tx, caller: Caller, organizationId: string) {
  const rows = await tx<{ organizationId: Id<"organization">; userId: Id<"user">; status: string }[]>`
    select organization_id, id as user_id, status from users
    where organization_id = ${organizationId} and account_id = ${caller.accountId}`
  const target = rows[0]
  if (!target || target.status === "pending" || target.status === "reject")
    throw organizationErrors.notFound()
  if (target.status !== "active") throw organizationErrors.disabled()
  return target
}
