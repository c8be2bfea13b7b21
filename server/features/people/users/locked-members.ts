import type { Caller } from "#core/access/caller.ts"
import { actsAsOwner } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { queueMail } from "../../organization/mails/index.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import {
  type AccessHook,
  checkStrength,
  endAccess,
  endSessions,
  failureCount,
  findAccount,
  forgiveFailures,
  lockedUntil,
  normalizeEmail,
  removeAuthenticator,
  setPassword,
} from "../accounts/index.ts"
import { defaultPolicy } from "../password-policies/index.ts"
import { findRole, mayAssignRole } from "../roles/index.ts"
import { userErrors } from "./errors.ts"
import { findUser, findVisibleUser, visibleUsers } from "./queries.ts"
import type { UserRow } from "./wire.ts"

export interface LockedMember {
  email: string
  attempt: string
  /** Seconds left; -1 if the lock does not expire. */
  ttl: number
}

/** Members who cannot sign in because of wrong passwords. An invitation that waits makes nobody a member. */
export function listLocked(sql: Sql, caller: Caller): Promise<LockedMember[]> {
  return sql<LockedMember[]>`
    select email, attempt, case when locked_until > now() + interval '1000 years' then -1
        else ceil(extract(epoch from locked_until - now()))::int end as ttl
    from (
      select users.email, ${failureCount(sql)}::text as attempt, ${lockedUntil(sql)} as locked_until
      from users join accounts on accounts.id = users.account_id
      where ${visibleUsers(sql, caller)} and users.status in ('active', 'disabled')) members
    where locked_until is not null order by email`
}

export async function unlockMember(
  tx: Tx,
  caller: Caller,
  email: string,
  address: string,
): Promise<{ id: string; email: string }> {
  const rows = await tx<{ id: string; accountId: string; email: string }[]>`
    select users.id, users.account_id, users.email from users join accounts on accounts.id = users.account_id
    where ${visibleUsers(tx, caller)} and users.email = ${normalizeEmail(email)}
      and users.status in ('active', 'disabled') and ${lockedUntil(tx)} is not null`
  const member = rows[0]
  if (!member) throw userErrors.notLocked()
  await forgiveFailures(tx, member.accountId)
  await audit(tx, actorOf(caller, address), {
    action: "user.unlock",
    targetType: "user",
    targetId: member.id,
    targetName: member.email,
  })
  return member
}

/**
 * The member whose way of signing in the caller may reset: their account began in this organization, their role is
 * not stronger than the caller's, and they are somebody else.
 */
async function findResettable(tx: Tx, caller: Caller, userId: string): Promise<UserRow> {
  const member = await findVisibleUser(tx, caller, { id: userId })
  if (!member) throw userErrors.notFound()
  const role = await findRole(tx, caller, member.roleId)
  if (!role || (isOwnerRole(role) && !actsAsOwner(caller))) throw userErrors.ownerTarget()
  if (!actsAsOwner(caller) && !mayAssignRole(caller, role))
    throw userErrors.ownerTarget({
      message: "This person's role has permissions that your role lacks. Ask an administrator",
    })
  if (member.id === caller.userId)
    throw userErrors.ownMembership({ message: "Use your current password to change your own password" })
  const account = await findAccount(tx, { id: member.accountId })
  if (account?.originOrganizationId !== caller.organizationId) throw userErrors.otherOrigin()
  return member
}

/** Switches off the authenticator of a member who lost it. All sessions end. */
export async function resetAuthenticator(
  tx: Tx,
  caller: Caller,
  userId: string,
  address: string,
): Promise<UserRow> {
  const member = await findResettable(tx, caller, userId)
  await removeAuthenticator(tx, member.accountId)
  await endSessions(tx, member.accountId)
  await audit(tx, actorOf(caller, address), {
    action: "user.reset-authenticator",
    targetType: "user",
    targetId: member.id,
    targetName: member.email,
  })
  return member
}

/** Two people know such a password for a while: it needs lower and upper case, digits and symbols by any policy. */
const handedOut = { ...defaultPolicy, complexity: 4 }

/**
 * Gives a member a new password. Only for people whose account began in this organization, and owners only by
 * owners. Every way in ends; the password opens this organization only until the person proves their address.
 */
export async function resetMemberPassword(
  tx: Tx,
  caller: Caller,
  options: { userId: string; password: string },
  { address, onAccessEnd }: { address: string; onAccessEnd: readonly AccessHook[] },
): Promise<UserRow> {
  const member = await findResettable(tx, caller, options.userId)
  await checkStrength(options.password, [], handedOut)
  await setPassword(tx, member.accountId, options.password, { organizationId: caller.organizationId })
  await endAccess(tx, member.accountId, { onAccessEnd })
  const organization = await findOrganization(tx, caller.organizationId)
  await queueMail(
    tx,
    { organizationId: caller.organizationId, email: member.email, language: member.language },
    "passwordChanged",
    { name: member.name, organization: organization.name },
  )
  await audit(tx, actorOf(caller, address), {
    action: "user.reset-password",
    targetType: "user",
    targetId: member.id,
    targetName: member.email,
  })
  return (await findUser(tx, caller, member.id)) ?? member
}
