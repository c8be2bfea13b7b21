import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { hashPassword } from "#core/security/passwords.ts"
import { endTokensOfMembers } from "../tokens/index.ts"
import { clearFailures } from "./sign-in-sources.ts"

/** One form for all spellings of an address: NFKC, lower case, no outer spaces. */
export function normalizeEmail(email: string): string {
  return email.normalize("NFKC").trim().toLowerCase()
}

export interface AccountKey {
  id: Id<"account">
  email: string
  isNew: boolean
}

/**
 * Makes the account of an e-mail, or finds the one that there is and leaves it as it is. The row stays locked
 * against removal until the transaction ends, so that a membership can be added to it.
 */
export async function insertAccount(
  tx: Tx,
  options: { email: string; password?: string | undefined },
): Promise<AccountKey> {
  const email = normalizeEmail(options.email)
  const passwordHash = options.password === undefined ? null : await hashPassword(options.password)
  const known = await tx<
    { id: Id<"account"> }[]
  >`select id from accounts where email = ${email} for key share`
  if (known[0]) return { id: known[0].id, email, isNew: false }
  const made = await tx<{ id: Id<"account"> }[]>`
    insert into accounts (id, email, password_hash, password_changed_time)
    values (${newId<"account">()}, ${email}, ${passwordHash}, ${passwordHash === null ? null : tx`now()`})
    on conflict (email) do nothing returning id`
  if (made[0]) return { id: made[0].id, email, isNew: true }
  return insertAccount(tx, options)
}

export interface AccountRow {
  id: Id<"account">
  email: string
  passwordHash: string | null
  passwordHistory: string[]
  passwordChangedTime: Temporal.Instant | null
  passwordSetBy: string | null
  emailVerifiedTime: Temporal.Instant | null
  originOrganizationId: Id<"organization"> | null
  totpEnabledTime: Temporal.Instant | null
}

export async function findAccount(
  sql: Sql,
  key: { id: string } | { email: string },
): Promise<AccountRow | undefined> {
  const rows = await sql<AccountRow[]>`
    select id, email, password_hash, password_history, password_changed_time, password_set_by, email_verified_time,
      origin_organization_id, totp_enabled_time
    from accounts where ${"id" in key ? sql`id = ${key.id}` : sql`email = ${normalizeEmail(key.email)}`}`
  return rows[0]
}

/**
 * The first organization in which an account became active is its origin: only that one may reset the
 * password or change the e-mail. An invitation that nobody accepted makes no origin.
 */
export async function claimOrigin(tx: Tx, accountId: string, organizationId: string): Promise<void> {
  await tx`
    update accounts set origin_organization_id = ${organizationId}
    where id = ${accountId} and origin_organization_id is null`
}

/** The person proved that the address is theirs: what an administrator chose for them is their own from now on. */
export async function markVerified(tx: Tx, accountId: string): Promise<void> {
  await tx`
    update accounts set email_verified_time = coalesce(email_verified_time, now()), password_set_by = null
    where id = ${accountId}`
}

interface MemberKey {
  organizationId: string
  userId: string
}

/** Ends what other features let these members read without a token. */
export type AccessHook = (tx: Tx, members: readonly MemberKey[]) => Promise<void>

/**
 * Ends every way in that the account has, in all organizations, except one session: sessions, personal tokens,
 * half-done sign-ins, device keys that the person made, and what the hooks know of. Keys that somebody else made for the
 * person's devices stay. Browsers and addresses are no longer known. Somebody who knew the old password may have created any
 * of these.
 */
export async function endAccess(
  tx: Tx,
  accountId: string,
  { onAccessEnd, exceptTokenId }: { onAccessEnd: readonly AccessHook[]; exceptTokenId?: string },
): Promise<void> {
  await endAccessOfMembers(tx, await membershipsOf(tx, accountId), { onAccessEnd, exceptTokenId })
  await tx`
    delete from sign_in_challenges using users
    where users.account_id = ${accountId} and sign_in_challenges.organization_id = users.organization_id
      and sign_in_challenges.user_id = users.id`
  await tx`
    update device_keys set revoked_at = coalesce(device_keys.revoked_at, now()), revoked_by = null from users
    where users.account_id = ${accountId} and device_keys.organization_id = users.organization_id
      and device_keys.created_by = users.email
      and (device_keys.revoked_at is null or device_keys.revoked_by is not null)`
  await clearFailures(tx, accountId, true)
}

/** The part of `endAccess` that concerns organizations. */
export async function endAccessOfMembers(
  tx: Tx,
  members: readonly MemberKey[],
  { onAccessEnd, exceptTokenId }: { onAccessEnd: readonly AccessHook[]; exceptTokenId?: string | undefined },
): Promise<void> {
  await endTokensOfMembers(tx, members, { onlySessions: false, exceptTokenId })
  for (const hook of onAccessEnd) await hook(tx, members)
}

function membershipsOf(tx: Tx, accountId: string) {
  return tx<MemberKey[]>`
    select organization_id, id as user_id from users where account_id = ${accountId}`
}

/** Changes of the account and of its memberships wait for each other. */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx`select 1 from accounts where id = ${accountId} for update`
}

/** Ends the account's sessions in all organizations, except one. Personal tokens stay. */
export async function endSessions(tx: Tx, accountId: string, exceptTokenId?: string): Promise<void> {
  await endTokensOfMembers(tx, await membershipsOf(tx, accountId), { onlySessions: true, exceptTokenId })
}

/** Whom the account belongs to when nobody else claims it first. */
export async function setOrigin(tx: Tx, accountId: string, organizationId: string): Promise<void> {
  await tx`update accounts set origin_organization_id = ${organizationId} where id = ${accountId}`
}

/** The organization is no longer the first one of its accounts, or of one of them. */
export async function releaseOrigin(tx: Tx, organizationId: string, accountId?: string): Promise<void> {
  await tx`
    update accounts set origin_organization_id = null
    where origin_organization_id = ${organizationId} ${accountId === undefined ? tx`` : tx`and id = ${accountId}`}`
}

/** The organization chose the account's password. */
export async function notePasswordOwner(tx: Tx, accountId: string, organizationId: string): Promise<void> {
  await tx`update accounts set password_set_by = ${organizationId} where id = ${accountId}`
}

/** Gives the account another e-mail, which counts as unproved. Codes sent to the old one end. */
export async function setAccountEmail(tx: Tx, accountId: string, email: string): Promise<void> {
  await tx`
    update accounts set email = ${email}, email_verified_time = null, updated_time = now() where id = ${accountId}`
  await tx`delete from account_codes where account_id = ${accountId}`
}

/** Notes that the person was notified of the expiry. False when that has happened already. */
export async function noteExpiryNotice(tx: Tx, accountId: string, now: Temporal.Instant): Promise<boolean> {
  const noted = await tx`
    update accounts set expiry_notice_time = ${now}
    where id = ${accountId} and expiry_notice_time is null returning 1`
  return noted.length > 0
}

/** Removes accounts that no membership is left of. Call it after the memberships are gone. */
export async function removeOrphans(tx: Tx, accountIds: readonly string[]): Promise<void> {
  const ids = [...accountIds].sort()
  await tx`select id from accounts where id = any (${ids}) order by id for update`
  await tx`
    delete from accounts where id = any (${ids})
      and not exists (select from users where users.account_id = accounts.id)`
}

/** Marks the account's memberships as changed, so that caches of callers are invalidated. */
export async function touchMemberships(sql: Sql, accountId: string): Promise<void> {
  await sql`update users set updated_time = now() where account_id = ${accountId}`
}
