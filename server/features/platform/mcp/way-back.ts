import { checkPermission } from "#core/access/access.ts"
import type { Caller } from "#core/access/caller.ts"
import { type Arguments, pathOf, type Session, send } from "./call-tool.ts"
import type { ApiTool } from "./tools.ts"

/** How a call is undone: another call, or a sentence where there is none. */
export type WayBack = { tool: string; arguments: Arguments } | { none: string }

export type Tools = ReadonlyMap<string, ApiTool>
type Members = Record<string, unknown>

/** Whether the caller may call a tool at all. */
export function isAllowed(caller: Caller, { config }: Pick<ApiTool, "config">): boolean {
  try {
    checkPermission(caller, config, config.module)
    return true
  } catch {
    return false
  }
}

/** What an object was before a change, where its way back needs it. */
export async function readBefore(
  session: Session,
  tools: Tools,
  tool: ApiTool,
  given: Arguments,
): Promise<unknown> {
  if (tool.method !== "PUT" && tool.method !== "PATCH") return undefined
  const reading = findTool(tools, "GET", tool.path)
  if (!reading) return undefined
  const reply = await send(session, reading, { url: pathOf(tool, given) })
  return reply.statusCode === 200 ? reply.json() : undefined
}

interface Done {
  tool: ApiTool
  given: Arguments
  before: unknown
  body: unknown
  requestId: string
}

/**
 * The call that undoes a call, from the shape of the API: what was created is deleted, what was changed gets its earlier
 * values, what was deleted comes out of the trash.
 */
export async function findWayBack(
  session: Session,
  tools: Tools,
  { tool, given, before, body, requestId }: Done,
): Promise<WayBack> {
  const found =
    tool.method === "DELETE"
      ? await restoring(session, tools, tool, given)
      : tool.method === "POST"
        ? deleting(tools, tool, body)
        : reverting(tool, given, before)
  return "none" in found ? ((await undoing(session, tools, requestId)) ?? found) : found
}

/** By the audit trail, which undoes what was changed in bulk. */
async function undoing(session: Session, tools: Tools, requestId: string): Promise<WayBack | undefined> {
  const [list, undo] = [tools.get("listActions"), tools.get("undoAction")]
  if (!list || !undo) return undefined
  const reply = await send(session, list, { url: `${list.path}?limit=5` })
  const rows = reply.statusCode === 200 ? (reply.json() as { data?: Members[] }).data : undefined
  const entry = rows?.find((row) => row.requestId === requestId && row.isUndoable === true)
  return entry && { tool: undo.name, arguments: { actionId: entry._id } }
}

/** The object that a response is about: itself, or one of its members. */
function objectOf(body: unknown): Members | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined
  if ("_id" in body) return body
  for (const held of Object.values(body)) {
    const found = objectOf(held)
    if (found) return found
  }
  return undefined
}

function findTool(tools: Tools, method: string, path: string): ApiTool | undefined {
  return [...tools.values()].find((tool) => tool.method === method && tool.path === path)
}

async function restoring(session: Session, tools: Tools, tool: ApiTool, given: Arguments): Promise<WayBack> {
  const [list, restore] = [tools.get("listTrash"), tools.get("restoreTrash")]
  const id = given[tool.pathNames.at(-1) ?? ""]
  if (!list || !restore || typeof id !== "string") return { none: "This deletion is final" }
  const reply = await send(session, list, { url: `${list.path}?limit=100&sortBy=deletedTime&sortOrder=desc` })
  const rows = reply.statusCode === 200 ? (reply.json() as { data?: Members[] }).data : undefined
  const entry = rows?.find(({ sourceId }) => sourceId === id.toLowerCase())
  return entry
    ? { tool: restore.name, arguments: { trashId: entry._id } }
    : { none: "This deletion is final, or its entry in the trash is not visible to you" }
}

function deleting(tools: Tools, tool: ApiTool, body: unknown): WayBack {
  const none = { none: "This call has no opposite" }
  const id = objectOf(body)?._id
  if (typeof id !== "string") return none
  const opposite = [...tools.values()].find(
    ({ method, path, pathNames }) =>
      method === "DELETE" && pathNames.length === 1 && path === `${tool.path}/{${pathNames[0]}}`,
  )
  return opposite ? { tool: opposite.name, arguments: { [opposite.pathNames[0] ?? ""]: id } } : none
}

function reverting(tool: ApiTool, given: Arguments, before: unknown): WayBack {
  const earlier = objectOf(before)
  if (!earlier || typeof given.body !== "object")
    return { none: "The earlier values are not known: this call has no opposite" }
  const names = Object.keys(given.body as object)
  const missing = names.filter((name) => !(name in earlier))
  const body = Object.fromEntries(names.map((name) => [name, earlier[name] ?? null]))
  return missing.length > 0 && missing.length === names.length
    ? { none: "The earlier values are not shown by the API: this call has no opposite" }
    : { tool: tool.name, arguments: { ...pathArguments(tool, given), body } }
}

function pathArguments(tool: ApiTool, given: Arguments): Arguments {
  return Object.fromEntries(tool.pathNames.map((name) => [name, given[name]]))
}
