import { randomBytes } from "node:crypto"
import type { InjectOptions, LightMyRequestResponse } from "fastify"
import { dryRunHeader } from "#core/http/dry-run-calls.ts"
import type { App } from "#core/http/types.ts"
import { readCursorArgument, type SmallResult, toSmallResult } from "./small-results.ts"
import { type ApiTool, added } from "./tools.ts"

/** By whom and from where: the calls are made with the caller's own token. */
export interface Session {
  app: App
  headers: Readonly<Record<string, string>>
  address: string
}

export type Arguments = Readonly<Record<string, unknown>>

export interface ToolOutcome {
  isError: boolean
  content: SmallResult & { status: number; dryRun?: string }
  /** The whole response, for the way back. */
  body: unknown
  requestId: string
}

const [defaultLimit, maxLimit] = [20, 100]

/** An argument that does not fit the tool. */
export class BadArguments extends Error {}

/** Calls the operation of a tool through the server's own door: every check of the API applies. */
export async function callTool(session: Session, tool: ApiTool, given: Arguments): Promise<ToolOutcome> {
  for (const name of Object.keys(given))
    if (!(name in tool.inputSchema.properties))
      throw new BadArguments(
        `${tool.name} has no argument ${name}: it takes ${Object.keys(tool.inputSchema.properties).join(", ")}`,
      )
  if (tool.hasBody && typeof given.body === "string")
    throw new BadArguments("the argument body must be an object, not a text that contains one")
  const limit = Math.min(readLimit(given), maxLimit)
  const cursor = tool.method === "GET" ? readCursorArgument(given[added.cursor]) : undefined
  if (cursor === "invalid") throw new BadArguments("Take the cursor from nextCursor")
  const query = queryOf(tool, given)
  if (tool.method === "GET") {
    if (tool.queryNames.has("limit")) query.set("limit", String(limit))
    query.delete("cursor")
    if (cursor && "own" in cursor) query.set("cursor", cursor.own)
    if (cursor && "page" in cursor) query.set("page", String(cursor.page))
  }
  const isDryRun = readFlag(given, added.dryRun)
  const key = given[added.key]
  const reply = await send(session, tool, {
    url: query.size > 0 ? `${pathOf(tool, given)}?${query}` : pathOf(tool, given),
    body: given.body,
    headers: {
      ...(isDryRun && { [dryRunHeader]: "true" }),
      ...(typeof key === "string" && tool.isIdempotent && { "idempotency-key": key }),
    },
  })
  const body = bodyOf(reply, tool)
  const small = toSmallResult(body, {
    limit: tool.method === "GET" ? limit : maxLimit,
    skip: cursor && "skip" in cursor ? cursor.skip : 0,
    full: readFlag(given, added.full),
  })
  const wasTried = isDryRun && reply.statusCode < 400 && reply.headers[dryRunHeader] === "true"
  return {
    isError: reply.statusCode >= 400,
    content: {
      status: reply.statusCode,
      ...(wasTried && { dryRun: "This is what the call would do. Nothing was changed" }),
      ...small,
    },
    body,
    requestId: String(reply.headers["x-request-id"]),
  }
}

/** A dry run that is asked for as a text must not become the change itself. */
function readFlag(given: Arguments, name: string): boolean {
  const flag = given[name] ?? false
  if (typeof flag !== "boolean") throw new BadArguments(`${name} must be true or false`)
  return flag
}

function readLimit(given: Arguments): number {
  const limit = given[added.limit] ?? defaultLimit
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1)
    throw new BadArguments(`limit must be a number from 1 to ${maxLimit}`)
  return limit
}

interface Sent {
  url: string
  body?: unknown
  headers?: Record<string, string>
}

export function send(
  { app, headers, address }: Session,
  tool: Pick<ApiTool, "method" | "hasBody" | "files">,
  { url, body, headers: more = {} }: Sent,
): Promise<LightMyRequestResponse> {
  const form = tool.files && formOf(tool.files, body)
  return app.inject({
    method: tool.method as NonNullable<InjectOptions["method"]>,
    url,
    headers: { ...headers, ...more, ...(form && { "content-type": form.type }) },
    remoteAddress: address,
    ...(form
      ? { payload: form.payload }
      : tool.hasBody && body !== undefined && { payload: body as NonNullable<InjectOptions["payload"]> }),
  })
}

export function pathOf(tool: Pick<ApiTool, "path">, given: Arguments): string {
  return tool.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = given[name]
    if (typeof value !== "string" && typeof value !== "number")
      throw new BadArguments(`the argument ${name} is missing`)
    const text = String(value)
    // A path that climbs would be another operation.
    if (text === "" || text === "." || text === "..") throw new BadArguments(`${name} has no valid value`)
    return encodeURIComponent(text)
  })
}

function queryOf(tool: ApiTool, given: Arguments): URLSearchParams {
  const query = new URLSearchParams()
  for (const name of tool.queryNames) {
    const value = given[name]
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) query.set(name, value.map(String).join(","))
    else query.set(name, typeof value === "object" ? JSON.stringify(value) : String(value))
  }
  return query
}

function bodyOf(reply: LightMyRequestResponse, tool: ApiTool): unknown {
  const type = String(reply.headers["content-type"] ?? "")
  if (reply.rawPayload.length === 0) return null
  if (type.includes("json")) return reply.json()
  if (/^(text\/|application\/(xml|gpx|geo))/.test(type)) return { type, text: reply.body }
  return {
    type,
    bytes: reply.rawPayload.length,
    hint: `A file. Download it with ${tool.method} ${tool.path} and the same token`,
  }
}

function formOf(files: ReadonlySet<string>, body: unknown): { type: string; payload: Buffer } {
  if (typeof body !== "object" || body === null) throw new BadArguments("the argument body must be an object")
  const boundary = `fieldway-${randomBytes(16).toString("hex")}`
  const chunks: (Buffer | string)[] = []
  const quoted = (text: string) => text.replace(/["\r\n]/g, "_")
  for (const [name, value] of Object.entries(body)) {
    const file = files.has(name) ? readFile(name, value) : undefined
    const filename = file
      ? `; filename="${quoted(file.filename)}"\r\ncontent-type: application/octet-stream`
      : ""
    chunks.push(`--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${filename}\r\n\r\n`)
    chunks.push(file ? file.content : typeof value === "string" ? value : JSON.stringify(value), "\r\n")
  }
  const payload = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)))
  return { type: `multipart/form-data; boundary=${boundary}`, payload }
}

function readFile(name: string, value: unknown): { filename: string; content: Buffer } {
  const { filename, text, base64 } = (value ?? {}) as { filename?: unknown; text?: unknown; base64?: unknown }
  if (typeof filename !== "string" || (typeof text !== "string" && typeof base64 !== "string"))
    throw new BadArguments(`${name} must have filename, and text or base64`)
  return {
    filename,
    content: typeof text === "string" ? Buffer.from(text) : Buffer.from(String(base64), "base64"),
  }
}
