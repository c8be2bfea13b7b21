import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Tool,
} from "@modelcontextprotocol/server"
import type { Caller } from "#core/access/caller.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { BadArguments, callTool, type Session } from "./call-tool.ts"
import { type ApiDescription, type ApiTool, toolsOf } from "./tools.ts"
import { findWayBack, isAllowed, readBefore, type Tools } from "./way-back.ts"

const toolsPerPage = 50

const instructions = `Every tool is an operation of the Fieldway API with the same name, called with your own rights.
Lists return 20 rows: pass nextCursor as cursor for the next page. Try a change with dryRun: true first.
Each result of a change says under "undo" which tool call undoes it. Narrow the tools with /mcp?sections=Tasks,Users.`

/** Who calls, and which sections of the API they asked for. */
export interface McpCaller extends Session {
  caller: Caller
  sections: ReadonlySet<string> | undefined
}

export interface McpEndpoint {
  handle(request: Request, body: unknown, caller: McpCaller): Promise<Response>
  close(): Promise<void>
}

/** The tools are made once, of the description of this process. */
export function createEndpoint(app: App, version: string): McpEndpoint {
  let made: Tools | undefined
  const tools = () => {
    made ??= new Map(
      toolsOf(app.swagger() as unknown as ApiDescription, app.routeTable.routes()).map((tool) => [
        tool.name,
        tool,
      ]),
    )
    return made
  }
  const handler = createMcpHandler(
    ({ authInfo }) => createServer(version, tools(), authInfo?.extra?.session as McpCaller),
    { onerror: (error) => app.log.warn({ reason: error.message }, "an MCP request failed") },
  )
  return {
    handle: (request, parsedBody, caller) =>
      handler.fetch(request, {
        parsedBody,
        authInfo: { token: "", clientId: "", scopes: [], extra: { session: caller } },
      }),
    close: () => handler.close(),
  }
}

function createServer(version: string, tools: Tools, session: McpCaller): Server {
  const server = new Server(
    { name: "fieldway", title: "Fieldway", version },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler("tools/list", ({ params }) => listTools(tools, session, params?.cursor))
  server.setRequestHandler("tools/call", ({ params }) =>
    runTool(tools, session, params.name, params.arguments ?? {}),
  )
  return server
}

function listTools(tools: Tools, { caller, sections }: McpCaller, cursor: string | undefined) {
  const allowed = [...tools.values()].filter(
    (tool) => isAllowed(caller, tool) && (sections === undefined || sections.has(tool.section.toLowerCase())),
  )
  const start = Number(cursor ?? 0)
  if (!Number.isSafeInteger(start) || start < 0)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Take the cursor from nextCursor")
  const page = allowed.slice(start, start + toolsPerPage)
  return {
    tools: page.map(toWireTool),
    ...(start + toolsPerPage < allowed.length && { nextCursor: String(start + toolsPerPage) }),
  }
}

function toWireTool({ name, title, description, inputSchema, method }: ApiTool) {
  const annotations = {
    readOnlyHint: method === "GET",
    destructiveHint: method === "DELETE",
    idempotentHint: method !== "POST" && method !== "PATCH",
    openWorldHint: false,
  }
  return { name, title, description, inputSchema: inputSchema as Tool["inputSchema"], annotations }
}

async function runTool(tools: Tools, session: McpCaller, name: string, given: Record<string, unknown>) {
  const tool = tools.get(name)
  if (!tool || !isAllowed(session.caller, tool))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool ${name}, or you may not call it`,
    )
  try {
    const isWriting = tool.method !== "GET"
    const before = isWriting ? await readBefore(session, tools, tool, given) : undefined
    const { content, isError, body, requestId } = await callTool(session, tool, given)
    if (!isWriting || isError || given.dryRun === true) return toResult(content, isError)
    const undo = await findWayBack(session, tools, { tool, given, before, body, requestId })
    return toResult({ ...content, undo }, false)
  } catch (error) {
    if (error instanceof BadArguments || error instanceof AppError)
      return toResult({ message: error.message }, true)
    throw error
  }
}

function toResult(content: unknown, isError: boolean) {
  return { content: [{ type: "text" as const, text: JSON.stringify(content) }], isError }
}
