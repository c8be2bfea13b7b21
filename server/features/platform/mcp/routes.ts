import type { FastifyReply, FastifyRequest } from "fastify"
import { presentedToken } from "#core/access/access.ts"
import { coreErrors } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { createEndpoint } from "./server.ts"

const maxBodyBytes = 8 * 1024 * 1024

/** The Model Context Protocol over streamable HTTP, without sessions: each request is complete in itself. */
export function mcpRoutes(app: App, version: string): void {
  const endpoint = createEndpoint(app, version)
  app.addHook("onClose", () => endpoint.close())
  app.route({
    method: ["GET", "POST", "DELETE"],
    url: "/mcp",
    exposeHeadRoute: false,
    bodyLimit: maxBodyBytes,
    schema: { hide: true },
    async handler(request, reply) {
      if (isForeignPage(request)) {
        reply.code(403)
        return { error: "invalid_origin", message: "Name the origin of this page in CORS_ORIGINS" }
      }
      const token = presentedToken(request)
      const caller = token === undefined ? undefined : await app.identify(request)
      if (!caller) return refuse(request, reply, token !== undefined)
      request.identified = caller
      const { rateLimit } = app.settings
      if (rateLimit > 0 && (await app.limiter.takeOne(`calls:${caller.organizationId}`, rateLimit)) < 0)
        throw coreErrors.tooManyRequests({ headers: { "retry-after": "1" } })
      if (asksForStream(request.body)) return noStreams(request.body)
      const { sections } = request.query as { sections?: unknown }
      const response = await endpoint.handle(toWebRequest(request), request.body ?? undefined, {
        app,
        caller,
        headers: tokenHeaders(request),
        address: request.ip,
        sections:
          typeof sections === "string"
            ? new Set(sections.split(",").map((name) => name.trim().toLowerCase()))
            : undefined,
      })
      for (const [name, value] of response.headers) reply.header(name, value)
      return reply
        .code(response.status)
        .send(response.body ? Buffer.from(await response.arrayBuffer()) : null)
    },
  })
}

const loopbackHosts = ["localhost", "127.0.0.1", "[::1]"]

/**
 * A call by the page of another site. The protocol has servers refuse it, token or not: a name that leads to this
 * machine (DNS rebinding) would make it a page of ours.
 */
function isForeignPage({ headers, server }: FastifyRequest): boolean {
  const { origin } = headers
  if (origin === undefined) return false
  const { publicUrl, corsOrigins } = server.settings
  if (origin === new URL(publicUrl).origin || (corsOrigins !== "*" && corsOrigins.includes(origin)))
    return false
  return !URL.canParse(origin) || !loopbackHosts.includes(new URL(origin).hostname)
}

/** The tools of a process never change, so there is nothing to subscribe to and no stream to keep open. */
function asksForStream(body: unknown): body is { id?: unknown } {
  return (body as { method?: unknown } | null | undefined)?.method === "subscriptions/listen"
}

function noStreams({ id = null }: { id?: unknown }) {
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "This server has no subscriptions" } }
}

/** RFC 6750 and 9728: where a client learns which authorization server gives tokens for this address. */
function refuse(request: FastifyRequest, reply: FastifyReply, isBadToken: boolean) {
  const { settings } = request.server
  const metadata = `${settings.publicUrl}/.well-known/oauth-protected-resource/mcp`
  const problem = isBadToken ? ', error="invalid_token"' : ""
  reply.code(401).header("www-authenticate", `Bearer resource_metadata="${metadata}"${problem}`)
  return { error: isBadToken ? "invalid_token" : "unauthorized", message: "Send a valid token" }
}

function tokenHeaders({ headers }: FastifyRequest): Record<string, string> {
  const { authorization, "x-api-key": key } = headers
  if (authorization !== undefined) return { authorization }
  return typeof key === "string" ? { "x-api-key": key } : {}
}

function toWebRequest(request: FastifyRequest): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === "string" && name !== "content-length") headers.set(name, value)
  return new Request(new URL(request.originalUrl, request.server.settings.publicUrl), {
    method: request.method,
    headers,
    ...(request.method === "POST" && { body: JSON.stringify(request.body ?? null) }),
  })
}
