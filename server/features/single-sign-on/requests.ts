import { createHash } from "node:crypto"
import type { Sql, Tx } from "#core/database.ts"

/** A sign-in that began here and waits for the provider's answer. */
export interface SignInRequest {
  id: string
  organizationId: string
  appIntegrationId: string
  browserHash: Buffer | null
  codeVerifier: string | null
  nonce: string | null
  returnTo: string
}

const minutesToAnswer = 15

export async function keepRequest(sql: Sql, request: SignInRequest): Promise<void> {
  await sql`
    insert into sso_requests (organization_id, id, app_integration_id, browser_hash, code_verifier, nonce, return_to, expires_at)
    values (${request.organizationId}, ${request.id}, ${request.appIntegrationId}, ${request.browserHash},
      ${request.codeVerifier}, ${request.nonce}, ${request.returnTo}, now() + make_interval(mins => ${minutesToAnswer}))`
}

function columns(sql: Sql) {
  return sql`organization_id, id, app_integration_id, browser_hash, code_verifier, nonce, return_to`
}

export async function findRequest(sql: Sql, id: string): Promise<SignInRequest | undefined> {
  const rows = await sql<SignInRequest[]>`
    select ${columns(sql)} from sso_requests where id = ${id} and expires_at > now()`
  return rows[0]
}

/** Each is answered once: undefined when it is gone. */
export async function takeRequest(sql: Sql, id: string): Promise<SignInRequest | undefined> {
  const rows = await sql<SignInRequest[]>`
    delete from sso_requests where id = ${id} and expires_at > now() returning ${columns(sql)}`
  return rows[0]
}

/** False when this assertion opened a session before. It is remembered for longer than it would be accepted. */
export async function useAssertion(tx: Tx, organizationId: string, assertionId: string): Promise<boolean> {
  const rows = await tx`
    insert into sso_assertions (organization_id, hash, expires_at)
    values (${organizationId}, ${hashOf(assertionId)}, now() + interval '1 day')
    on conflict do nothing returning 1`
  return rows.length > 0
}

export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest()
}

/** A path of our own; anything else would let a link send people elsewhere after they signed in. */
export function readReturn(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[^\s\\]*$/.test(next) ? next : "/"
}

export async function removeExpired(sql: Sql): Promise<void> {
  await sql`delete from sso_requests where expires_at < now()`
  await sql`delete from sso_assertions where expires_at < now()`
}
