import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { type Permission, permissionCatalogue, permissionNameOf } from "#core/permissions.ts"
import { type Client, findClient, isRegisteredRedirect } from "./clients.ts"
import { oauthErrors } from "./errors.ts"
import { newSecretToken } from "./secret-tokens.ts"

/** The parameters of an authorization request, as they were sent. */
export interface AuthorizationRequest {
  client_id?: string | undefined
  redirect_uri?: string | undefined
  response_type?: string | undefined
  scope?: string | undefined
  state?: string | undefined
  code_challenge?: string | undefined
  code_challenge_method?: string | undefined
  resource?: string | undefined
}

export interface ValidRequest {
  client: Client
  redirectUri: string
  state: string | undefined
  challenge: string
  scopes: readonly Permission[]
}

/** Sent to the client; what is wrong with client or redirect URI is shown to the person instead. */
export class RequestRefusal extends Error {
  readonly code: string
  readonly location: string
  constructor(code: string, description: string, location: string) {
    super(description)
    this.code = code
    this.location = location
  }
}

const seconds = { code: 120 }

/** Checks a request. Throws an AppError where nobody may be sent anywhere, and a RequestRefusal for the client. */
export async function readRequest(
  sql: Sql,
  issuer: string,
  request: AuthorizationRequest,
): Promise<ValidRequest> {
  const client = await findClient(sql, request.client_id ?? "")
  if (!client) throw oauthErrors.notFound()
  const redirectUri = request.redirect_uri ?? ""
  if (!isRegisteredRedirect(client, redirectUri))
    throw oauthErrors.badRequest({ message: "redirect_uri is not registered for this application" })
  const { state } = request
  const refuse = (code: string, description: string) =>
    new RequestRefusal(
      code,
      description,
      redirectTo(redirectUri, { error: code, error_description: description, state, iss: issuer }),
    )
  if (request.response_type !== "code")
    throw refuse("unsupported_response_type", "response_type must be code")
  if (request.code_challenge_method !== "S256" || !/^[\w-]{43}$/.test(request.code_challenge ?? ""))
    throw refuse("invalid_request", "PKCE with code_challenge_method=S256 is required")
  if (
    request.resource !== undefined &&
    request.resource !== issuer &&
    !request.resource.startsWith(`${issuer}/`)
  )
    throw refuse("invalid_target", "resource is not of this server")
  const scopes = readScopes(client, request.scope)
  if (typeof scopes === "string") throw refuse("invalid_scope", scopes)
  return { client, redirectUri, state, challenge: request.code_challenge ?? "", scopes }
}

/** Without a scope: those of the client, and for one that registered itself those that only read. */
export function readScopes(client: Pick<Client, "scopes">, scope: string | undefined): Permission[] | string {
  const names = (scope ?? "").split(" ").filter((name) => name !== "")
  const requested =
    names.length > 0
      ? names
      : (client.scopes ?? Object.keys(permissionCatalogue).filter((name) => name.startsWith("view/")))
  const known: Permission[] = []
  for (const name of requested) {
    const permission = permissionNameOf(name)
    if (permission !== name) return `${name} is no scope`
    if (client.scopes && !client.scopes.includes(name))
      return `This application may not have the scope ${name}`
    known.push(permission)
  }
  return [...new Set(known)]
}

export function redirectTo(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.append(name, value)
  return url.href
}

/** The scopes that a person can give: those that the person has. */
export function grantable(caller: Caller, { scopes }: Pick<ValidRequest, "scopes">): Permission[] {
  return scopes.filter((name) => caller.permissions.has(name))
}

/** What a person allows becomes a code for the client. */
export async function allow(
  tx: Tx,
  caller: Caller,
  { request, issuer, address }: { request: ValidRequest; issuer: string; address: string },
): Promise<string> {
  const { client, redirectUri, state, challenge } = request
  const scopes = grantable(caller, request)
  if (scopes.length === 0) return redirectTo(redirectUri, { error: "access_denied", state, iss: issuer })
  const { token: code, hash } = newSecretToken("code", caller.organizationId)
  await tx`
    insert into oauth_codes (organization_id, hash, client_id, client_name, user_id, grant_id, redirect_uri, challenge, scopes,
      expires_at)
    values (${caller.organizationId}, ${hash}, ${client.clientId}, ${client.name}, ${caller.userId}, ${newId()},
      ${redirectUri}, ${challenge}, ${scopes}, now() + ${seconds.code} * interval '1 second')`
  await audit(tx, actorOf(caller, address), {
    action: "oauth-grant.create",
    targetType: "oauth-client",
    targetId: client.clientId,
    targetName: client.name,
    after: { scopes },
  })
  return redirectTo(redirectUri, { code, state, iss: issuer })
}
