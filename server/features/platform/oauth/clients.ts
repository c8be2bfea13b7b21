import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, isId, newId } from "#core/ids.ts"
import { permissionNameOf } from "#core/permissions.ts"
import { endTokensOfClient } from "../../people/tokens/index.ts"
import { oauthErrors } from "./errors.ts"

export interface ClientRow {
  organizationId: Id<"organization">
  id: Id<"oauth-client">
  name: string
  secretHash: Buffer | null
  redirectUris: string[]
  scopes: string[]
  actsAs: string | null
  createdBy: string
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** A client as the protocol sees it: of one organization, or registered by itself for any. */
export interface Client {
  clientId: string
  /** Undefined: of whichever organization allows it. */
  organizationId: string | undefined
  name: string
  secretHash: Buffer | null
  redirectUris: readonly string[]
  /** Undefined: any permission. */
  scopes: readonly string[] | undefined
  actsAs: string | null
}

const prefix = "fwc_"

/** Holds the organization's id, as tokens do, so that a sharded database finds the row on one node. */
export const clientIdOf = ({ organizationId, id }: Pick<ClientRow, "organizationId" | "id">) =>
  `${prefix}${organizationId}_${id}`

export async function findClient(sql: Sql, clientId: string): Promise<Client | undefined> {
  if (clientId.length > 60 || !clientId.startsWith(prefix)) return undefined
  const [first = "", second] = clientId.slice(prefix.length).split("_")
  if (!isId(first) || (second !== undefined && !isId(second))) return undefined
  if (second === undefined) {
    const [row] = await sql<{ name: string; redirectUris: string[] }[]>`
      select name, redirect_uris from oauth_registrations where id = ${first}`
    return (
      row && {
        ...row,
        clientId,
        organizationId: undefined,
        secretHash: null,
        scopes: undefined,
        actsAs: null,
      }
    )
  }
  const [row] = await sql<ClientRow[]>`
    select * from oauth_clients where organization_id = ${first} and id = ${second}`
  return row && { ...row, clientId }
}

/** Whether this is the client's secret. A public client has none and none is expected. */
export function isSecretOf({ secretHash }: Pick<Client, "secretHash">, secret: string | undefined): boolean {
  if (!secretHash) return secret === undefined || secret === ""
  return timingSafeEqual(hashOf(secret ?? ""), secretHash)
}

const hashOf = (secret: string) => createHash("sha256").update(secret).digest()

export function listClients(sql: Sql, caller: Caller): Promise<ClientRow[]> {
  return sql<ClientRow[]>`
    select * from oauth_clients where organization_id = ${caller.organizationId} order by lower(name), id`
}

export async function readClient(sql: Sql, caller: Caller, id: string): Promise<ClientRow> {
  const [row] = await sql<ClientRow[]>`
    select * from oauth_clients where organization_id = ${caller.organizationId} and id = ${id.toLowerCase()}`
  if (!row) throw oauthErrors.notFound()
  return row
}

export interface ClientOptions {
  name: string
  isPublic: boolean
  redirectUris: readonly string[]
  scopes: readonly string[]
  /** Whether it may act by itself, as the person who saves it. */
  isService: boolean
}

/** Creates a client; the secret of a confidential one is returned once. */
export async function createClient(
  tx: Tx,
  caller: Caller,
  options: ClientOptions,
  address: string,
): Promise<{ row: ClientRow; secret: string | undefined }> {
  const id = newId<"oauth-client">()
  const secret = options.isPublic ? undefined : newSecret()
  const written = readOptions(caller, options)
  await tx`
    insert into oauth_clients (organization_id, id, name, secret_hash, redirect_uris, scopes, acts_as, created_by)
    values (${caller.organizationId}, ${id}, ${written.name}, ${secret === undefined ? null : hashOf(secret)},
      ${written.redirectUris}, ${written.scopes}, ${written.actsAs}, ${caller.email})`
  const row = await readClient(tx, caller, id)
  await note(tx, caller, address, "oauth-client.create", row, undefined, row)
  return { row, secret }
}

/** Changes a client. Its tokens end: what they may do was decided for the earlier settings. */
export async function updateClient(
  tx: Tx,
  caller: Caller,
  id: string,
  options: Omit<ClientOptions, "isPublic">,
  address: string,
): Promise<ClientRow> {
  const before = await readClient(tx, caller, id)
  const { name, redirectUris, scopes, actsAs } = readOptions(caller, {
    ...options,
    isPublic: !before.secretHash,
  })
  await tx`
    update oauth_clients set name = ${name}, redirect_uris = ${redirectUris}, scopes = ${scopes}, acts_as = ${actsAs},
      updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${before.id}`
  await endTokensOfClient(tx, caller.organizationId, clientIdOf(before))
  const row = await readClient(tx, caller, id)
  await note(tx, caller, address, "oauth-client.update", row, before, row)
  return row
}

/** A new secret. The client then acts as the person who knows it. */
export async function rotateSecret(
  tx: Tx,
  caller: Caller,
  id: string,
  address: string,
): Promise<{ row: ClientRow; secret: string }> {
  const before = await readClient(tx, caller, id)
  if (!before.secretHash) throw oauthErrors.badRequest({ message: "A public client has no secret" })
  const secret = newSecret()
  await tx`
    update oauth_clients set secret_hash = ${hashOf(secret)}, updated_time = now(),
      acts_as = case when acts_as is null then null else ${caller.userId} end
    where organization_id = ${caller.organizationId} and id = ${before.id}`
  await endTokensOfClient(tx, caller.organizationId, clientIdOf(before))
  const row = await readClient(tx, caller, id)
  await note(tx, caller, address, "oauth-client.rotate", row)
  return { row, secret }
}

export async function deleteClient(tx: Tx, caller: Caller, id: string, address: string): Promise<ClientRow> {
  const row = await readClient(tx, caller, id)
  await tx`delete from oauth_clients where organization_id = ${caller.organizationId} and id = ${row.id}`
  await tx`
    delete from oauth_codes where organization_id = ${caller.organizationId} and client_id = ${clientIdOf(row)}`
  await endTokensOfClient(tx, caller.organizationId, clientIdOf(row))
  await note(tx, caller, address, "oauth-client.delete", row, row)
  return row
}

const newSecret = () => `fws_${randomBytes(32).toString("base64url")}`

function readOptions(caller: Caller, options: ClientOptions) {
  const scopes = [...new Set(options.scopes)].map((scope) => {
    const name = permissionNameOf(scope)
    if (!name) throw oauthErrors.badScopes({ fields: { scopes: [`there is no permission ${scope}`] } })
    return name
  })
  if (options.isService && options.isPublic)
    throw oauthErrors.badRequest({ message: "A public client cannot act by itself: it has no secret" })
  if (!options.isService && options.redirectUris.length === 0)
    throw oauthErrors.badRedirect({ fields: { redirectUris: ["at least one is needed"] } })
  for (const uri of options.redirectUris)
    if (!isRedirectUri(uri)) throw oauthErrors.badRedirect({ fields: { redirectUris: [uri] } })
  return {
    name: options.name,
    redirectUris: [...options.redirectUris],
    scopes,
    actsAs: options.isService ? caller.userId : null,
  }
}

/** RFC 8252: https, http on the loopback interface, or a private-use scheme with a dot. */
export function isRedirectUri(uri: string): boolean {
  const url = uri.length <= 500 && !/[\s#\\]/.test(uri) ? URL.parse(uri) : null
  if (url?.username !== "" || url.password !== "") return false
  if (url.protocol === "https:") return true
  if (url.protocol === "http:") return ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname)
  return /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)
}

/** Exactly one that was registered; on the loopback interface with any port, as apps get one when they start. */
export function isRegisteredRedirect(client: Pick<Client, "redirectUris">, uri: string): boolean {
  if (!isRedirectUri(uri)) return false
  const given = new URL(uri)
  const isLoopback = given.protocol === "http:" && given.hostname !== "localhost"
  return client.redirectUris.some((known) => {
    if (known === uri) return true
    const url = isLoopback ? URL.parse(known) : null
    if (url?.protocol !== "http:") return false
    return url.hostname === given.hostname && url.pathname === given.pathname && url.search === given.search
  })
}

function note(
  tx: Tx,
  caller: Caller,
  address: string,
  action: string,
  row: ClientRow,
  before?: ClientRow,
  after?: ClientRow,
): Promise<void> {
  const shown = (each: ClientRow | undefined) =>
    each && {
      name: each.name,
      redirectUris: each.redirectUris,
      scopes: each.scopes,
      isService: each.actsAs !== null,
    }
  return audit(tx, actorOf(caller, address), {
    action,
    targetType: "oauth-client",
    targetId: row.id,
    targetName: row.name,
    before: shown(before),
    after: shown(after),
  })
}

/** Registers a public client for all organizations (RFC 7591). */
export async function registerClient(
  sql: Sql,
  { name, redirectUris, address }: { name: string; redirectUris: readonly string[]; address: string },
): Promise<{ clientId: string }> {
  const id = newId<"oauth-client">()
  await sql`
    insert into oauth_registrations (id, name, redirect_uris, created_from)
    values (${id}, ${name}, ${[...redirectUris]}, ${address})`
  return { clientId: `${prefix}${id}` }
}

/** Codes that were not used, and used ones once nothing of them is valid any longer. */
export async function removeOldCodes(sql: Sql): Promise<void> {
  await sql`delete from oauth_codes where expires_at < now() - interval '31 days'`
}
