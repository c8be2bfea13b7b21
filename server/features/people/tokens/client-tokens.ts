import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { endTokens } from "./tokens.ts"

/** Tokens that OAuth clients hold for a member. They end with the member's other tokens, or with what was allowed. */
export interface NewClientToken {
  organizationId: string
  userId: string
  hash: Buffer
  kind: "oauth" | "refresh"
  clientId: string
  name: string
  /** Null: the client acts by itself. */
  grantId: string | null
  scopes: readonly string[]
  seconds: number
  address: string
}

export async function insertClientToken(tx: Tx, token: NewClientToken): Promise<void> {
  await tx`
    insert into access_tokens (organization_id, hash, id, user_id, kind, name, client_id, grant_id, scopes, expires_at,
      created_from)
    values (${token.organizationId}, ${token.hash}, ${newId()}, ${token.userId}, ${token.kind}, ${token.name},
      ${token.clientId}, ${token.grantId}, ${[...token.scopes]}, now() + ${token.seconds} * interval '1 second',
      ${token.address})`
}

export interface RefreshToken {
  userId: string
  grantId: string
  scopes: string[]
  /** False: it was used, revoked or has expired. */
  isGood: boolean
}

/** Two requests with the same refresh token wait for each other, and the second finds it used. */
export async function lockRefreshToken(
  tx: Tx,
  { organizationId, hash }: { organizationId: string; hash: Buffer },
  clientId: string,
): Promise<RefreshToken | "unknown"> {
  const [row] = await tx<RefreshToken[]>`
    select user_id, grant_id, scopes, revoked_at is null and expires_at > now() as is_good from access_tokens
    where organization_id = ${organizationId} and hash = ${hash} and kind = 'refresh' and client_id = ${clientId}
    for update`
  return row ?? "unknown"
}

/** A refresh token is used once. */
export async function retireRefreshToken(
  tx: Tx,
  { organizationId, hash }: { organizationId: string; hash: Buffer },
): Promise<void> {
  await tx`
    update access_tokens set revoked_at = now() where organization_id = ${organizationId} and hash = ${hash}`
}

export async function endTokensOfGrant(tx: Tx, organizationId: string, grantId: string): Promise<void> {
  await endTokens(tx, tx`where organization_id = ${organizationId} and grant_id = ${grantId}`)
}

export async function endTokensOfClient(tx: Tx, organizationId: string, clientId: string): Promise<void> {
  await endTokens(tx, tx`where organization_id = ${organizationId} and client_id = ${clientId}`)
}

export async function endClientToken(
  tx: Tx,
  { organizationId, hash }: { organizationId: string; hash: Buffer },
  clientId: string,
): Promise<void> {
  await tx`
    update access_tokens set revoked_at = now()
    where organization_id = ${organizationId} and hash = ${hash} and kind = 'oauth' and client_id = ${clientId}
      and revoked_at is null`
}

export interface Grant {
  id: Id<"oauth-grant">
  clientId: string
  name: string
  scopes: string[]
  lastTime: Temporal.Instant
}

/** What a member allows at the moment. */
export function listGrants(
  sql: Sql,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<Grant[]> {
  return sql<Grant[]>`
    select grant_id as id, client_id, name, scopes, created_time as last_time from access_tokens
    where organization_id = ${organizationId} and user_id = ${userId} and kind = 'refresh' and grant_id is not null
      and revoked_at is null and expires_at > now()
    order by created_time desc, grant_id`
}

/** Ends what a member allows; returns the name of the client, or undefined when there is no such thing. */
export async function endGrant(
  tx: Tx,
  { organizationId, userId, email }: Pick<Caller, "organizationId" | "userId" | "email">,
  grantId: string,
): Promise<string | undefined> {
  const [ended] = await tx<{ name: string }[]>`
    update access_tokens set revoked_at = now(), revoked_by = ${email}
    where organization_id = ${organizationId} and user_id = ${userId} and grant_id = ${grantId.toLowerCase()}
      and revoked_at is null returning name`
  return ended?.name
}
