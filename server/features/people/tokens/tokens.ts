import type { Caller } from "#core/access/caller.ts"
import { newToken } from "#core/access/token.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { RowChange } from "#core/audit-trail/audited-object.ts"
import type { Fragment, Sql, Tx } from "#core/database/database.ts"
import { deleteInBatches } from "#core/database/delete-expired.ts"
import { type Id, newId } from "#core/ids.ts"
import { permissionNameOf } from "#core/permissions.ts"
import { tokenErrors } from "./errors.ts"

export interface TokenRow {
  id: Id<"token">
  name: string
  isRevoked: boolean
  scopes: string[] | null
  createdTime: Temporal.Instant
  expiresAt: Temporal.Instant
  usedAt: Temporal.Instant | null
  usedFrom: string | null
}

const maxTokens = 10

export function listTokens(sql: Sql, caller: Caller, tokenId?: string): Promise<TokenRow[]> {
  return sql<TokenRow[]>`
    select token.id, token.name, token.revoked_at is not null as is_revoked, token.scopes, token.created_time,
      token.expires_at, used.used_at, used.used_from
    from access_tokens token
    left join token_uses used on used.organization_id = token.organization_id and used.token_id = token.id
    where token.organization_id = ${caller.organizationId} and token.user_id = ${caller.userId} and token.kind = 'personal'
      ${tokenId === undefined ? sql`and token.revoked_at is null` : sql`and token.id = ${tokenId.toLowerCase()}`}
    order by token.created_time, token.id`
}

export interface NewToken {
  name: string
  expiresAt: Temporal.Instant
  /** Names or ids of permissions; absent: everything that the caller may. */
  scopes: readonly string[] | undefined
}

/**
 * Makes a personal token. It never reaches further than the caller does now: a token made with a scoped token
 * has those scopes at most. Ten per account, counted under the account's lock.
 */
export async function createToken(
  tx: Tx,
  caller: Caller,
  options: NewToken,
  address: string,
): Promise<{ row: TokenRow; token: string; expiresInSeconds: number }> {
  const scopes = readScopes(caller, options.scopes)
  if ((await countTokens(tx, caller)) >= maxTokens) throw tokenErrors.tooMany()
  const { token, hash } = newToken(caller.organizationId)
  const id = newId<"token">()
  const made = await tx<{ expiresInSeconds: number }[]>`
    insert into access_tokens (organization_id, hash, id, user_id, kind, name, scopes, expires_at, created_from)
    values (${caller.organizationId}, ${hash}, ${id}, ${caller.userId}, 'personal', ${options.name}, ${scopes},
      ${options.expiresAt}, ${address})
    returning round(extract(epoch from expires_at - now()))::int8 as expires_in_seconds`
  await note(tx, caller, "token.create", { id, name: options.name }, address, { scopes })
  return { row: await findToken(tx, caller, id), token, expiresInSeconds: made[0]?.expiresInSeconds ?? 0 }
}

/** Under the lock of the account. */
async function countTokens(tx: Tx, { accountId }: Caller): Promise<number> {
  await tx`select 1 from accounts where id = ${accountId} for update`
  const [counted] = await tx<{ count: number }[]>`
    select count(*) as count from access_tokens token
    join users on users.organization_id = token.organization_id and users.id = token.user_id
    where users.account_id = ${accountId} and token.kind = 'personal'
      and token.revoked_at is null and token.expires_at > now()`
  return counted?.count ?? 0
}

/** A token that its owner has back counts again. */
export async function undoRevocation({ tx, caller }: RowChange): Promise<void> {
  if ((await countTokens(tx, caller)) > maxTokens) throw tokenErrors.tooMany()
}

function readScopes(caller: Caller, options: readonly string[] | undefined): string[] | null {
  if (options === undefined) return caller.tokenScopes ? [...caller.tokenScopes] : null
  const names = options.map((idOrName) => {
    const name = permissionNameOf(idOrName)
    if (!name || !caller.permissions.has(name))
      throw tokenErrors.tooWide({ fields: { scopes: [`you do not have the permission ${idOrName}`] } })
    return name
  })
  return [...new Set(names)]
}

export async function findToken(sql: Sql, caller: Caller, tokenId: string): Promise<TokenRow> {
  const row = (await listTokens(sql, caller, tokenId))[0]
  if (!row) throw tokenErrors.notFound()
  return row
}

export async function renameToken(
  tx: Tx,
  caller: Caller,
  tokenId: string,
  name: string,
  address: string,
): Promise<TokenRow> {
  const before = await findToken(tx, caller, tokenId)
  await tx`
    update access_tokens set name = ${name} where organization_id = ${caller.organizationId} and id = ${before.id}`
  await note(tx, caller, "token.rename", { id: before.id, name }, address)
  return findToken(tx, caller, before.id)
}

/** Ends a token at once. Its row stays: the response shows it, and who revoked it can have it back for some minutes. */
export async function revokeToken(
  tx: Tx,
  caller: Caller,
  tokenId: string,
  address: string,
): Promise<TokenRow> {
  const before = await findToken(tx, caller, tokenId)
  if (before.isRevoked) throw tokenErrors.notFound()
  await tx`
    update access_tokens set revoked_at = now(), revoked_by = ${caller.email}
    where organization_id = ${caller.organizationId} and id = ${before.id}`
  await note(tx, caller, "token.revoke", before, address)
  return findToken(tx, caller, before.id)
}

function note(
  tx: Tx,
  caller: Caller,
  action: string,
  token: { id: string; name: string },
  address: string,
  after?: unknown,
): Promise<void> {
  return audit(tx, actorOf(caller, address), {
    action,
    targetType: "token",
    targetId: token.id,
    targetName: token.name,
    after,
  })
}

/** Ends the session that the caller presented. False when it has ended already. */
export async function endSession(
  sql: Sql,
  { organizationId, tokenId }: Pick<Caller, "organizationId" | "tokenId">,
): Promise<boolean> {
  const ended = await sql`
    update access_tokens set revoked_at = now()
    where organization_id = ${organizationId} and id = ${tokenId} and kind = 'session' and revoked_at is null returning 1`
  return ended.length > 0
}

/** Ends all sessions of a member. Personal tokens stay. */
export async function endSessionsOfMember(
  tx: Tx,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  await tx`
    update access_tokens set revoked_at = now()
    where organization_id = ${organizationId} and user_id = ${userId} and kind = 'session' and revoked_at is null`
}

/** Ends the tokens of members of any organizations, except one token. */
export async function endTokensOfMembers(
  tx: Tx,
  members: readonly { organizationId: string; userId: string }[],
  { onlySessions, exceptTokenId = "" }: { onlySessions: boolean; exceptTokenId?: string | undefined },
): Promise<void> {
  const which = tx`
    from unnest(${members.map((one) => one.organizationId)}::text[], ${members.map((one) => one.userId)}::text[])
      as members (organization_id, user_id)
    where access_tokens.organization_id = members.organization_id and access_tokens.user_id = members.user_id
      and (access_tokens.kind = 'session' or not ${onlySessions}::boolean) and access_tokens.id <> ${exceptTokenId}`
  await endTokens(tx, which)
}

/** Ends tokens. Who revoked one of them before can no longer have it back: there is a further reason now. */
export async function endTokens(tx: Tx, which: Fragment): Promise<void> {
  await tx`update access_tokens set revoked_at = now() ${which} and revoked_at is null`
  await tx`update access_tokens set revoked_by = null ${which} and revoked_by is not null`
}

export interface NewSession {
  organizationId: string
  userId: string
  hash: Buffer
  signIn: string
  hasSecondFactor: boolean
}

/** Stores a session of one calendar year, less a second; returns its life in seconds. */
export async function insertSession(tx: Tx, session: NewSession): Promise<number> {
  const rows = await tx<{ expiresInSeconds: number }[]>`
    insert into access_tokens (organization_id, hash, id, user_id, kind, expires_at, sign_in, has_second_factor)
    values (${session.organizationId}, ${session.hash}, ${newId()}, ${session.userId}, 'session',
      now() + interval '1 year' - interval '1 second', ${session.signIn}, ${session.hasSecondFactor})
    returning extract(epoch from expires_at - now())::int as expires_in_seconds`
  return rows[0]?.expiresInSeconds ?? 0
}

/** Removes tokens that ended a month ago. */
export function removeOldTokens(sql: Sql, signal: AbortSignal): Promise<void> {
  return deleteInBatches(
    signal,
    () => sql`
      delete from access_tokens where ctid = any (array(
        select ctid from access_tokens where expires_at < now() - interval '30 days' or revoked_at < now() - interval '30 days'
        limit 5000)) returning 1`,
  )
}
