import type { FastifyReply, FastifyRequest } from "fastify"
import type { App } from "#core/http/types.ts"
import type { PersonHooks } from "../../people/users/index.ts"
import { runBulk } from "./bulk.ts"
import { limits, resourceTypes, schemaResources, serviceProviderConfig } from "./discovery.ts"
import type { Kind, Query } from "./list.ts"
import { type Context, namesVersion, run } from "./operations.ts"
import { errorBody, notFound, scimRefusal, toScimRefusal } from "./refusals.ts"
import { findDirectory } from "./tokens.ts"

export const scimPrefix = "/scim/v2"

/** SCIM 2.0 below its prefix, for company directories: errors and tokens of its own. */
export function protocolRoutes(app: App, hooks: (app: App) => PersonHooks): void {
  const baseUrl = `${app.settings.publicUrl}${scimPrefix}`
  const personHooks = hooks(app)
  app.setErrorHandler((error, request, reply) => {
    const sent = toScimRefusal(error, request)
    if (sent.status === 401) reply.header("www-authenticate", 'Bearer realm="scim"')
    void reply
      .code(sent.status)
      .type("application/scim+json; charset=utf-8")
      .send(JSON.stringify(errorBody(sent)))
  })
  app.setNotFoundHandler(() => {
    throw scimRefusal(404, "There is nothing at this address")
  })
  app.addHook("onSend", async (_request, reply) => {
    if (String(reply.getHeader("content-type")).startsWith("application/json"))
      reply.type("application/scim+json; charset=utf-8")
    reply.header("cache-control", "no-store")
  })

  const context = async (request: FastifyRequest): Promise<Context> => {
    const directory = await findDirectory(app.sql, request)
    if (!directory) throw scimRefusal(401, "Send the token of a directory")
    await limit(app, directory.caller.organizationId)
    const { sql, live } = app
    return {
      ...directory,
      sql,
      live,
      baseUrl,
      address: request.ip,
      publicUrl: app.settings.publicUrl,
      hooks: personHooks,
    }
  }
  const hide = { schema: { hide: true }, bodyLimit: limits.bulkBytes } as const

  /** Discovery is the same for everybody who may sign in (RFC 7644, section 4). */
  const discover = (path: string, make: (id: string) => unknown) =>
    app.get(`/${path}`, {
      ...hide,
      async handler(request) {
        const caller = (await app.identify(request)) ?? (await findDirectory(app.sql, request))?.caller
        if (!caller) throw scimRefusal(401, "Send a valid token")
        await limit(app, caller.organizationId)
        if ((request.query as Query).filter !== undefined) throw scimRefusal(403, "Discovery has no filters")
        const { id = "" } = request.params as { id?: string }
        const made = make(id)
        if (made === undefined) throw notFound(id)
        return made
      },
    })
  const listOf = (resources: readonly unknown[]) => ({
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  })
  discover("ServiceProviderConfig", () => serviceProviderConfig(baseUrl))
  discover("ResourceTypes", () => listOf(resourceTypes(baseUrl)))
  discover("ResourceTypes/:id", (id) => resourceTypes(baseUrl).find((each) => each.id === id))
  discover("Schemas", () => listOf(schemaResources(baseUrl)))
  discover("Schemas/:id", (id) => schemaResources(baseUrl).find((each) => each.id === id))

  for (const kind of ["Users", "Groups"] as const) {
    const handle = async (request: FastifyRequest, reply: FastifyReply) =>
      respond(reply, request, await run(await context(request), callOf(request, kind)))
    app.route({ method: ["GET", "POST"], url: `/${kind}`, ...hide, handler: handle })
    app.route({
      method: ["GET", "PUT", "PATCH", "DELETE"],
      url: `/${kind}/:id`,
      ...hide,
      handler: handle,
    })
  }
  for (const kind of [undefined, "Users", "Groups"] as const)
    app.post(kind ? `/${kind}/.search` : "/.search", {
      ...hide,
      async handler(request, reply) {
        const query = (request.body ?? {}) as Query
        const call = { ...callOf(request, kind), method: "GET", id: undefined, query }
        return respond(reply, request, await run(await context(request), call))
      },
    })
  app.all("/Me", {
    ...hide,
    async handler(request) {
      await context(request)
      throw scimRefusal(501, "The token is a directory's, not a person's")
    },
  })
  app.post("/Bulk", {
    ...hide,
    handler: async (request) => runBulk(await context(request), request),
  })
}

async function limit(app: App, organizationId: string): Promise<void> {
  const { rateLimit } = app.settings
  if (rateLimit > 0 && (await app.limiter.takeOne(`calls:${organizationId}`, rateLimit)) < 0)
    throw scimRefusal(429, "Rate limit exceeded. Retry after one second")
}

function callOf(request: FastifyRequest, kind: Kind | undefined) {
  const { id } = request.params as { id?: string }
  const query = (request.query ?? {}) as Query
  return { method: request.method, kind, id, query, body: request.body, ifMatch: request.headers["if-match"] }
}

function respond(reply: FastifyReply, request: FastifyRequest, made: Awaited<ReturnType<typeof run>>) {
  if (made.version !== undefined) reply.header("etag", made.version)
  if (made.location !== undefined && made.status === 201) reply.header("location", made.location)
  if (
    request.method === "GET" &&
    made.version !== undefined &&
    namesVersion(request.headers["if-none-match"] ?? "", made.version)
  )
    return reply.code(304).send()
  return reply.code(made.status).send(made.body)
}
