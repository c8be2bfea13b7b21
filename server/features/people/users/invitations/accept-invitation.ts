import type { Caller } from "#core/access/caller.ts"
import { audit } from "#core/audit.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { readName } from "#core/plain-text.ts"
import { findOrganization } from "../../../organization/organizations/index.ts"
import {
  accountErrors,
  claimOrigin,
  findAccount,
  hashCode,
  lockAccount,
  markVerified,
  setPassword,
} from "../../accounts/index.ts"
import { userErrors } from "../errors.ts"

interface Invited {
  organizationId: string
  userId: string
  accountId: string
  email: string
  name: string
}

/** By the mailed code, or, for somebody signed in, by the organization that invited them. */
export type InvitationKey = { code: string } | { organizationId: string }

export interface Acceptance {
  /** Who is signed in, if anybody is. */
  caller: Caller | undefined
  name?: string | undefined
  password?: string | undefined
  address: string
  /** Whether links really go by mail; else the inviting owner reads them, and holding one proves no address. */
  hasMailServer: boolean
}

async function findInvited(
  sql: Sql,
  key: InvitationKey,
  caller: Caller | undefined,
): Promise<Invited | undefined> {
  const condition =
    "code" in key
      ? sql`invitation_hash = ${hashCode(key.code)} and invitation_expires > now()`
      : sql`organization_id = ${key.organizationId.toLowerCase()} and account_id = ${caller?.accountId ?? ""}`
  const rows = await sql<Invited[]>`
    select organization_id, id as user_id, account_id, email, name from users where status = 'pending' and ${condition}`
  return rows[0]
}

/** What the page of an invitation shows before anything is decided. */
export async function readInvitation(sql: Sql, code: string) {
  const invited = await findInvited(sql, { code }, undefined)
  if (!invited) throw userErrors.badInvitation()
  const organization = await findOrganization(sql, invited.organizationId)
  return {
    email: invited.email,
    organizationId: organization.id,
    organizationName: organization.name,
    needsPassword: await needsPassword(sql, invited.accountId),
  }
}

/** Nobody has ever signed in to this account: the mailed link itself shows whose it is. */
async function needsPassword(sql: Sql, accountId: string): Promise<boolean> {
  const account = await findAccount(sql, { id: accountId })
  const active =
    await sql`select 1 from users where account_id = ${accountId} and status in ('active', 'disabled') limit 1`
  return account?.passwordHash === null && active.length === 0
}

/**
 * Makes a pending membership active. A new account gets its name and password here; an account that somebody
 * uses already accepts while signed in, and needs the mailed code until its address was proved once: an
 * address that nobody proved may be somebody else's.
 */
export async function acceptInvitation(tx: Tx, key: InvitationKey, acceptance: Acceptance): Promise<Invited> {
  const first = await findInvited(tx, key, acceptance.caller)
  if (first) await lockAccount(tx, first.accountId)
  const found = first && (await findInvited(tx, key, acceptance.caller))
  if (!found) throw userErrors.badInvitation()
  const { caller } = acceptance
  const isNew = await needsPassword(tx, found.accountId)
  if (isNew && acceptance.password === undefined)
    throw accountErrors.weakPassword({
      message: "password is required",
      fields: { password: ["is required"] },
    })
  if (!isNew) await checkPerson(tx, found, key, caller)
  const name = await nameFor(tx, found, isNew ? acceptance.name : undefined)
  const taken = await tx`
    update users set status = 'active', invitation_hash = null, invitation_expires = null, name = ${name}, updated_time = now()
    where organization_id = ${found.organizationId} and id = ${found.userId} and status = 'pending' returning 1`
  if (taken.length === 0) throw userErrors.badInvitation()
  await claimOrigin(tx, found.accountId, found.organizationId)
  if ("code" in key && acceptance.hasMailServer) await markVerified(tx, found.accountId)
  if (acceptance.password !== undefined && isNew)
    await setPassword(tx, found.accountId, acceptance.password, "mail")
  await note(tx, found, "user.accept", acceptance.address)
  return found
}

/** The invited person does not want to. */
export async function declineInvitation(
  tx: Tx,
  key: InvitationKey,
  acceptance: Acceptance,
): Promise<Invited> {
  const found = await findInvited(tx, key, acceptance.caller)
  if (!found) throw userErrors.badInvitation()
  await tx`
    update users set status = 'reject', invitation_hash = null, invitation_expires = null, updated_time = now()
    where organization_id = ${found.organizationId} and id = ${found.userId} and status = 'pending'`
  await note(tx, found, "user.decline", acceptance.address)
  return found
}

async function checkPerson(
  tx: Tx,
  invited: Invited,
  key: InvitationKey,
  caller: Caller | undefined,
): Promise<void> {
  if (caller?.tokenKind !== "session") throw userErrors.signInToAccept()
  if (caller.accountId !== invited.accountId) throw userErrors.otherPerson()
  if (caller.signIn === "sso")
    throw userErrors.otherPerson({
      message: "A single sign-on session is valid only in its organization. Sign in with e-mail and password",
    })
  if ("code" in key) return
  const account = await findAccount(tx, { id: invited.accountId })
  if (!account?.emailVerifiedTime || account.passwordSetBy !== null) throw userErrors.codeToAccept()
}

/** The name the person gives; else the one they use elsewhere, which the invitation itself must not reveal. */
async function nameFor(tx: Tx, invited: Invited, options: string | undefined): Promise<string> {
  if (options !== undefined) return readName(options, "user", "name")
  const rows = await tx<{ name: string }[]>`
    select name from users where account_id = ${invited.accountId} and status = 'active'
    order by last_login desc nulls last limit 1`
  return rows[0]?.name ?? invited.name
}

function note(tx: Tx, invited: Invited, action: string, address: string): Promise<void> {
  const actor = { organizationId: invited.organizationId, email: invited.email, address }
  const target = { targetType: "user", targetId: invited.userId, targetName: invited.email }
  return audit(tx, actor, { action, ...target })
}

export interface WaitingInvitation {
  organizationId: Id<"organization">
  companyName: string
  createdTime: Temporal.Instant
}

/** Invitations that wait for the account of the caller. */
export function listInvitations(sql: Sql, caller: Caller): Promise<WaitingInvitation[]> {
  return sql<WaitingInvitation[]>`
    select users.organization_id, organizations.name as company_name, users.updated_time as created_time
    from users join organizations on organizations.id = users.organization_id
    where users.account_id = ${caller.accountId} and users.status = 'pending' order by organizations.name`
}
