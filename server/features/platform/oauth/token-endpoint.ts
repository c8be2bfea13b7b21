import { createHash, timingSafeEqual } from "node:crypto"
import { findCallerOfUser } from "#core/access/caller.ts"
import { newToken, parseToken } from "#core/access/token.ts"
import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import {
  endClientToken,
  endTokensOfGrant,
  insertClientToken,
  lockRefreshToken,
  retireRefreshToken,
} from "../../people/tokens/index.ts"
import { readScopes } from "./authorize.ts"
import type { Client } from "./clients.ts"
import { newSecretToken, parseSecretToken } from "./secret-tokens.ts"

export type Form = Readonly<Record<string, string | undefined>>

/** An error of RFC 6749, section 5.2. */
export interface TokenRefusal {
  error: string
  error_description: string
}

export interface Tokens {
  access_token: string
  token_type: "Bearer"
  expires_in: number
  scope: string
  refresh_token?: string
}

const lifetime = { access: 3600, refresh: 30 * 86_400 }
const refusal = (error: string, error_description: string): TokenRefusal => ({ error, error_description })
const badGrant = () => refusal("invalid_grant", "The code or refresh token is invalid, expired or used")

/**
 * Exchanges what a client presents for tokens. A refusal is returned, not thrown: that a stolen code was used twice ends
 * its tokens, which must be committed.
 */
export function exchange(
  sql: Pool,
  client: Client,
  form: Form,
  address: string,
): Promise<Tokens | TokenRefusal> {
  return inTransaction(sql, async (tx) => {
    switch (form.grant_type) {
      case "authorization_code":
        return redeemCode(tx, client, form, address)
      case "refresh_token":
        return refresh(tx, client, form, address)
      case "client_credentials":
        return actForItself(tx, client, form, address)
      default:
        return refusal(
          "unsupported_grant_type",
          "grant_type must be authorization_code, refresh_token or client_credentials",
        )
    }
  })
}

interface CodeRow {
  clientId: string
  userId: string
  grantId: string
  redirectUri: string
  challenge: string
  scopes: string[]
  isUsed: boolean
  isExpired: boolean
}

async function redeemCode(
  tx: Tx,
  client: Client,
  form: Form,
  address: string,
): Promise<Tokens | TokenRefusal> {
  const parsed = parseSecretToken("code", form.code ?? "")
  if (!parsed) return badGrant()
  const { organizationId, hash } = parsed
  const [code] = await tx<CodeRow[]>`
    select client_id, user_id, grant_id, redirect_uri, challenge, scopes, used_time is not null as is_used,
      expires_at <= now() as is_expired
    from oauth_codes where organization_id = ${organizationId} and hash = ${hash} for update`
  if (!code || code.clientId !== client.clientId) return badGrant()
  if (code.isUsed) {
    await endTokensOfGrant(tx, organizationId, code.grantId)
    return badGrant()
  }
  if (code.isExpired || code.redirectUri !== form.redirect_uri || !provesChallenge(form.code_verifier, code))
    return badGrant()
  await tx`update oauth_codes set used_time = now() where organization_id = ${organizationId} and hash = ${hash}`
  const { userId, grantId, scopes } = code
  return issue(tx, client, { organizationId, userId, grantId, scopes, address })
}

function provesChallenge(verifier: string | undefined, { challenge }: Pick<CodeRow, "challenge">): boolean {
  if (verifier === undefined || !/^[\w.~-]{43,128}$/.test(verifier)) return false
  const computed = createHash("sha256").update(verifier).digest("base64url")
  return timingSafeEqual(Buffer.from(computed), Buffer.from(challenge))
}

async function refresh(tx: Tx, client: Client, form: Form, address: string): Promise<Tokens | TokenRefusal> {
  const parsed = parseSecretToken("refresh", form.refresh_token ?? "")
  if (!parsed) return badGrant()
  const { organizationId } = parsed
  const taken = await lockRefreshToken(tx, parsed, client.clientId)
  if (taken === "unknown") return badGrant()
  const { userId, grantId, scopes, isGood } = taken
  if (!isGood) {
    await endTokensOfGrant(tx, organizationId, grantId)
    return badGrant()
  }
  const requested = form.scope === undefined ? scopes : readScopes({ scopes }, form.scope)
  if (typeof requested === "string") return refusal("invalid_scope", requested)
  await retireRefreshToken(tx, parsed)
  return issue(tx, client, {
    organizationId,
    userId,
    grantId,
    scopes: requested,
    refreshScopes: scopes,
    address,
  })
}

async function actForItself(
  tx: Tx,
  client: Client,
  form: Form,
  address: string,
): Promise<Tokens | TokenRefusal> {
  const { organizationId, actsAs } = client
  if (organizationId === undefined || actsAs === null || client.secretHash === null)
    return refusal("unauthorized_client", "This client may not use client_credentials")
  const scopes = readScopes(client, form.scope)
  if (typeof scopes === "string") return refusal("invalid_scope", scopes)
  return issue(tx, client, { organizationId, userId: actsAs, grantId: null, scopes, address })
}

interface Granted {
  organizationId: string
  userId: string
  grantId: string | null
  scopes: readonly string[]
  /** Of the refresh token, where the access token has fewer. */
  refreshScopes?: readonly string[]
  address: string
}

async function issue(tx: Tx, client: Client, granted: Granted): Promise<Tokens | TokenRefusal> {
  const { organizationId, userId, grantId, scopes, address } = granted
  if (!(await findCallerOfUser(tx, organizationId, userId))) return badGrant()
  const access = newToken(organizationId)
  const common = { organizationId, userId, clientId: client.clientId, name: client.name, grantId, address }
  await insertClientToken(tx, {
    ...common,
    hash: access.hash,
    kind: "oauth",
    scopes,
    seconds: lifetime.access,
  })
  const made: Tokens = {
    access_token: access.token,
    token_type: "Bearer",
    expires_in: lifetime.access,
    scope: scopes.join(" "),
  }
  if (grantId === null) return made
  const renewal = newSecretToken("refresh", organizationId)
  await insertClientToken(tx, {
    ...common,
    hash: renewal.hash,
    kind: "refresh",
    scopes: granted.refreshScopes ?? scopes,
    seconds: lifetime.refresh,
  })
  return { ...made, refresh_token: renewal.token }
}

/** RFC 7009. A refresh token ends with everything that was issued for the same consent. */
export async function revoke(sql: Pool, client: Client, token: string): Promise<void> {
  await inTransaction(sql, async (tx) => {
    const renewal = parseSecretToken("refresh", token)
    if (renewal) {
      const taken = await lockRefreshToken(tx, renewal, client.clientId)
      if (taken !== "unknown") await endTokensOfGrant(tx, renewal.organizationId, taken.grantId)
      return
    }
    const access = parseToken(token)
    if (access) await endClientToken(tx, access, client.clientId)
  })
}
