import { createHash, createHmac, randomBytes } from "node:crypto"
import { json, type Sql, type Tx } from "#core/database/database.ts"
import type { Vouched } from "./provision.ts"

/** A sign-in that began here, in one browser, and waits for the provider's response. */
export interface SignInRequest {
  id: string
  organizationId: string
  appIntegrationId: string
  /** Of the cookie that only that browser has. Null where a node of the release before began it: nobody finishes that. */
  browserHash: Buffer | null
  returnTo: string
}

/** A request whose response was verified and waits for the browser that began. */
export interface AcceptedRequest extends SignInRequest {
  vouched: Vouched
}

export const minutesToRespond = 15

export async function keepRequest(sql: Sql, request: SignInRequest): Promise<void> {
  await sql`
    insert into sso_requests (organization_id, id, app_integration_id, browser_hash, return_to, expires_at)
    values (${request.organizationId}, ${request.id}, ${request.appIntegrationId}, ${request.browserHash},
      ${request.returnTo}, now() + make_interval(mins => ${minutesToRespond}))`
}

function columns(sql: Sql) {
  return sql`organization_id, id, app_integration_id, browser_hash, return_to`
}

export async function findRequest(sql: Sql, id: string): Promise<SignInRequest | undefined> {
  const rows = await sql<SignInRequest[]>`
    select ${columns(sql)} from sso_requests where id = ${id} and email is null and expires_at > now()`
  return rows[0]
}

/** Each is answered once: undefined when it is gone. */
export async function takeRequest(sql: Sql, id: string): Promise<SignInRequest | undefined> {
  const rows = await sql<SignInRequest[]>`
    delete from sso_requests where id = ${id} and email is null and expires_at > now() returning ${columns(sql)}`
  return rows[0]
}

/** Keeps whom the directory vouched for until the browser comes with the ticket. Undefined when it was answered before. */
export async function acceptRequest(
  tx: Tx,
  { id, appIntegrationId }: Pick<SignInRequest, "id" | "appIntegrationId">,
  vouched: Vouched,
): Promise<string | undefined> {
  const ticket = randomBytes(24).toString("base64url")
  const rows = await tx`
    update sso_requests set email = ${vouched.email}, vouched = ${json(tx, vouched)}, ticket_hash = ${hashOf(ticket)}
    where id = ${id} and app_integration_id = ${appIntegrationId} and email is null and expires_at > now() returning 1`
  return rows.length > 0 ? ticket : undefined
}

/** A ticket is good once. */
export async function takeTicket(sql: Sql, ticket: string): Promise<AcceptedRequest | undefined> {
  const rows = await sql<AcceptedRequest[]>`
    delete from sso_requests where ticket_hash = ${hashOf(ticket)} and expires_at > now()
    returning ${columns(sql)}, coalesce(vouched, jsonb_build_object('email', email, 'groups', '[]'::jsonb)) as vouched`
  return rows[0]
}

/** False when this assertion opened a session before. It is stored for longer than it would be accepted. */
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

/** What only the browser that began can know: made from its cookie, so that nothing of it is stored. */
export function derive(browser: string, purpose: "pkce" | "nonce"): string {
  return createHmac("sha256", browser).update(purpose).digest("base64url")
}

/** A path of our own; anything else would let a link send people elsewhere after they signed in. */
export function readReturn(next: string | undefined): string {
  const isOwn = next?.startsWith("/") && !next.startsWith("//") && !/[\s\\]/.test(next)
  return next !== undefined && isOwn ? next : "/"
}

export async function removeExpired(sql: Sql): Promise<void> {
  await sql`delete from sso_requests where expires_at < now()`
  await sql`delete from sso_assertions where expires_at < now()`
}
