import { setOrigin } from "#core/audit-trail/origin.ts"
import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { keyOf, memberOf } from "./filter.ts"
import { type Kind, listResources, project, type Query } from "./list.ts"
import { applyPatch } from "./patch.ts"
import { notFound, scimRefusal } from "./refusals.ts"
import { type Resource, readGroups, readUsers, readWorld } from "./resources.ts"
import { removeGroup, writeGroup, writeNewGroup } from "./write-group.ts"
import { removeUser, type Writing, writeNewUser, writeUser } from "./write-user.ts"

export interface ScimCall {
  method: string
  /** Undefined: all kinds, for a search. */
  kind: Kind | undefined
  id: string | undefined
  query: Query
  body: unknown
  ifMatch: string | undefined
}

export interface ScimReply {
  status: number
  body?: unknown
  version?: string
  location?: string
}

export type Context = Omit<Writing, "world"> & { sql: Pool; baseUrl: string }

/** One request to a kind of resources; those of a bulk request run the same way. */
export async function run(context: Context, call: ScimCall): Promise<ScimReply> {
  const { sql, caller, baseUrl } = context
  const { method, kind, id, query } = call
  if (method === "GET") {
    const world = await readWorld(sql, caller, baseUrl)
    if (id === undefined || kind === undefined)
      return { status: 200, body: await listResources({ sql, caller, world }, kind, query) }
    return found(await readOne(sql, { ...context, world }, kind, id), 200, query)
  }
  if (kind === undefined || (id === undefined) !== (method === "POST"))
    throw scimRefusal(405, `${method} is not possible here`)
  return inTransaction(sql, async (tx) => {
    const { email, name } = caller
    await setOrigin(tx, {
      kind: "token",
      via: "api",
      email,
      name,
      address: context.address,
      details: { agent: name },
    })
    // Calls of a directory follow each other: Entra ID changes one group by several requests at once.
    await tx`select pg_advisory_xact_lock(hashtextextended(${`scim ${caller.organizationId}`}, 0))`
    const writing = { ...context, world: await readWorld(tx, caller, baseUrl) }
    if (id === undefined) return create(tx, writing, kind, call)
    const before = await readOne(tx, writing, kind, id)
    if (call.ifMatch !== undefined && !namesVersion(call.ifMatch, before.meta.version))
      throw scimRefusal(412, "The resource has changed since")
    if (method === "DELETE") {
      await (kind === "Users" ? removeUser(tx, writing, before.id) : removeGroup(tx, writing, before))
      return { status: 204 }
    }
    const wanted = method === "PATCH" ? applyPatch(before, call.body) : replacement(before, call.body)
    requireName(kind, wanted)
    await (kind === "Users"
      ? writeUser(tx, writing, before, wanted)
      : writeGroup(tx, writing, before, wanted))
    const world = await readWorld(tx, caller, baseUrl)
    const after = await readOne(tx, { ...context, world }, kind, before.id).catch(() => undefined)
    // An invitation that was withdrawn is gone.
    return found(after ?? ({ ...before, active: false } as Resource), 200, query)
  })
}

/** What no resource of a kind can be without. */
function requireName(kind: Kind, wanted: Record<string, unknown>): void {
  const name = kind === "Users" ? "userName" : "displayName"
  const value = memberOf(wanted, name)
  if (typeof value !== "string" || value.trim() === "")
    throw scimRefusal(400, `${name} is required`, "invalidValue")
}

async function create(tx: Tx, writing: Writing & { baseUrl: string }, kind: Kind, { body, query }: ScimCall) {
  const id = await (kind === "Users"
    ? writeNewUser(tx, writing, membersOf(body))
    : writeNewGroup(tx, writing, membersOf(body)))
  const world = await readWorld(tx, writing.caller, writing.baseUrl)
  return found(await readOne(tx, { ...writing, world }, kind, id), 201, query)
}

function membersOf(body: unknown): Record<string, unknown> {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw scimRefusal(400, "The body must be an object", "invalidSyntax")
  return body as Record<string, unknown>
}

/** PUT: what is not sent keeps its value where nobody can be without it, and lists become empty. */
function replacement(before: Resource, body: unknown): Record<string, unknown> {
  const wanted = membersOf(body)
  const lists = "members" in before ? { members: [] } : {}
  const kept = Object.entries(before).filter(
    ([key]) => !["members", "externalId"].includes(key) && keyOf(wanted, key) === undefined,
  )
  return { ...Object.fromEntries(kept), ...(keyOf(wanted, "members") === undefined && lists), ...wanted }
}

/** Versions are weak, and directories send them with and without the mark. */
export function namesVersion(header: string, version: string): boolean {
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""))
  return tags.includes("*") || tags.includes(version.replace(/^W\//, ""))
}

async function readOne(
  sql: Tx | Pool,
  { caller, world }: Writing,
  kind: Kind,
  id: string,
): Promise<Resource> {
  const [resource] = await (kind === "Users"
    ? readUsers(sql, caller, world, { id })
    : readGroups(sql, caller, world, { id: id.toLowerCase(), withMembers: true }))
  if (!resource) throw notFound(id)
  return resource
}

function found(resource: Resource, status: number, query: Query): ScimReply {
  const { version, location } = resource.meta
  return { status, body: project(resource, query), version, location }
}
