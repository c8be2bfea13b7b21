import type { FastifyRequest } from "fastify"
import { presentedToken } from "#core/access/access.ts"
import { actsAsOwner, type Caller } from "#core/access/caller.ts"
import { systemCaller } from "#core/access/system-caller.ts"
import { newToken, parseToken } from "#core/access/token.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { RowChange } from "#core/audit-trail/audited-object.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { findRole } from "../../people/roles/index.ts"
import { scimErrors } from "./errors.ts"

export interface ScimTokenRow {
  organizationId: Id<"organization">
  id: Id<"scim-token">
  name: string
  roleId: Id<"role">
  hubId: Id<"hub">
  createdBy: string
  createdTime: Temporal.Instant
  usedTime: Temporal.Instant | null
}

/** A directory that calls: it acts in its organization as the product itself, limited by what SCIM offers. */
export interface Directory {
  caller: Caller
  token: ScimTokenRow
}

const maxTokens = 5

/** The directory whose token a request presents. */
export async function findDirectory(sql: Sql, request: FastifyRequest): Promise<Directory | undefined> {
  const parsed = parseToken(presentedToken(request) ?? "")
  if (!parsed) return undefined
  const { organizationId, hash } = parsed
  const [token] = await sql<ScimTokenRow[]>`
    select organization_id, id, name, role_id, hub_id, created_by, created_time, used_time from scim_tokens
    where organization_id = ${organizationId} and hash = ${hash}`
  if (!token) return undefined
  await sql`
    update scim_tokens set used_time = now()
    where organization_id = ${organizationId} and id = ${token.id}
      and coalesce(used_time, '-infinity') < now() - interval '1 minute'`
  return {
    token,
    caller: systemCaller(token.organizationId, { email: `scim:${token.name}`, name: token.name }),
  }
}

export function listTokens(
  sql: Sql,
  { organizationId }: Pick<Caller, "organizationId">,
): Promise<ScimTokenRow[]> {
  return sql<ScimTokenRow[]>`
    select organization_id, id, name, role_id, hub_id, created_by, created_time, used_time from scim_tokens
    where organization_id = ${organizationId} order by created_time, id`
}

export async function createToken(
  tx: Tx,
  caller: Caller,
  options: { name: string; roleId: string; hubId: string },
  address: string,
): Promise<{ row: ScimTokenRow; token: string }> {
  if (!actsAsOwner(caller) || caller.tokenKind !== "session") throw scimErrors.needsOwner()
  const role = await findRole(tx, caller, options.roleId)
  if (!role || isOwnerRole(role)) throw scimErrors.badRole()
  const hub = await findHub(tx, caller, options.hubId)
  if (!hub) throw scimErrors.badHub()
  if ((await listTokens(tx, caller)).length >= maxTokens) throw scimErrors.tooMany()
  const id = newId<"scim-token">()
  const { token, hash } = newToken(caller.organizationId)
  await tx`
    insert into scim_tokens (organization_id, id, hash, name, role_id, hub_id, created_by)
    values (${caller.organizationId}, ${id}, ${hash}, ${options.name}, ${role.id}, ${hub.id}, ${caller.email})`
  await note(tx, caller, address, "scim-token.create", { id, name: options.name })
  const row = (await listTokens(tx, caller)).find((each) => each.id === id)
  if (!row) throw new Error("a token vanished in the transaction that created it")
  return { row, token }
}

/** A token that comes back counts again. */
export async function undoTokenChange({ tx, caller, plan }: RowChange): Promise<void> {
  if (!actsAsOwner(caller)) throw scimErrors.needsOwner()
  if (plan === "restore" && (await listTokens(tx, caller)).length > maxTokens) throw scimErrors.tooMany()
}

export async function deleteToken(tx: Tx, caller: Caller, id: string, address: string): Promise<void> {
  const [gone] = await tx<{ id: string; name: string }[]>`
    delete from scim_tokens where organization_id = ${caller.organizationId} and id = ${id.toLowerCase()}
    returning id, name`
  if (!gone) throw scimErrors.notFound()
  await note(tx, caller, address, "scim-token.delete", gone)
}

function note(tx: Tx, caller: Caller, address: string, action: string, token: { id: string; name: string }) {
  return audit(tx, actorOf(caller, address), {
    action,
    targetType: "scim-token",
    targetId: token.id,
    targetName: token.name,
  })
}
