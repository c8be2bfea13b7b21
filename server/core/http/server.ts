import cookie from "@fastify/cookie"
import cors from "@fastify/cors"
import multipart from "@fastify/multipart"
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox"
import fastify, { type FastifyRequest, LogController } from "fastify"
import { type AccessOptions, identify, installAccess } from "../access/access.ts"
import type { Authenticate } from "../access/authenticate.ts"
import type { Caller } from "../access/caller.ts"
import type { Narrowing } from "../access/narrowing.ts"
import type { Clock } from "../clock.ts"
import type { Config } from "../config.ts"
import type { Pool } from "../database.ts"
import { coreErrors } from "../errors.ts"
import type { LiveEvents } from "../events/live-events.ts"
import { installIdempotency } from "../idempotency.ts"
import { newId } from "../ids.ts"
import type { Log } from "../log.ts"
import type { Metrics } from "../metrics.ts"
import type { Objects } from "../objects/objects.ts"
import type { SignedLinks } from "../objects/signed-links.ts"
import type { RateLimiter } from "../rate-limit.ts"
import { beginTrace, runInTrace, type Trace } from "../trace-context.ts"
import type { Tracing } from "../tracing.ts"
import { bodyBytes, checkMultipart, takesBody } from "./body-kinds.ts"
import { answerBadAddress, answerError, answerUnknownRoute } from "./errors.ts"
import { readJsonBody } from "./json-body.ts"
import { describeRoute } from "./openapi-operations.ts"
import { createRouteTable } from "./route-table.ts"
import { compileSerializer } from "./serialization.ts"
import type { App } from "./types.ts"
import { compileValidator } from "./validation.ts"

export interface Dependencies {
  config: Config
  log: Log
  sql: Pool
  /** For statements that take no time: see the routes' `quick`. */
  quickSql: Pool
  clock: Clock
  objects: Objects
  links: SignedLinks
  live: LiveEvents
  authenticate: Authenticate
  limiter: RateLimiter
  metrics: Metrics
  tracing?: Tracing
  /** Set while the process is stopping; absent where nothing stops. */
  readiness?: { isDraining: boolean }
}

/** An HTTP server with everything that every route has, and no route yet. */
export function createServer(dependencies: Dependencies): App {
  const { config, log, sql, clock, objects, live, metrics } = dependencies
  const app: App = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: () => newId(),
    requestIdHeader: false,
    trustProxy: config.trustProxy || false,
    bodyLimit: bodyBytes("account", config),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 2048 },
    exposeHeadRoutes: true,
    frameworkErrors: answerBadAddress,
    forceCloseConnections: "idle",
    // What still arrives on an open connection while the process stops is answered, with "connection: close".
    return503OnClosing: false,
    keepAliveTimeout: 72_000,
    requestTimeout: 0,
  }).withTypeProvider<TypeBoxTypeProvider>() as unknown as App

  app.decorate("sql", sql)
  app.decorate("clock", clock)
  app.decorate("settings", config)
  app.decorate("objects", objects)
  app.decorate("links", dependencies.links)
  app.decorate("live", live)
  app.decorate("routeTable", createRouteTable())
  app.decorate("limiter", dependencies.limiter)
  app.decorate("identify", (request) => identify(request, dependencies))
  app.decorateRequest("identified", undefined)
  app.decorateRequest("transaction", undefined)
  app.decorateRequest("trace", undefined as unknown as Trace)
  app.decorateRequest("sql", {
    getter(this: FastifyRequest) {
      return this.transaction ?? (this.routeOptions.config.quick ? dependencies.quickSql : sql)
    },
  } as never)
  app.decorateRequest("caller", {
    getter(this: { identified: Caller | undefined }) {
      if (!this.identified) throw coreErrors.unauthenticated()
      return this.identified
    },
  } as never)
  app.decorateRequest("address", {
    getter(this: { protocol: string; host: string; originalUrl: string }) {
      const isRequestTrusted = config.trustProxy !== false || !config.isPublicUrlGiven
      const base = isRequestTrusted ? `${this.protocol}://${this.host}` : config.publicUrl
      return new URL(this.originalUrl, base)
    },
  } as never)

  app.setValidatorCompiler(compileValidator as never)
  app.setSerializerCompiler(compileSerializer as never)
  app.setErrorHandler(answerError)
  // A text body would pass as a wrong shape; it is a wrong media type.
  app.removeContentTypeParser(["application/json", "text/plain"])
  app.addContentTypeParser(/^application\/([\w.-]+\+)?json/, { parseAs: "buffer" }, readJsonBody)

  app.addHook("onRequest", async (request, reply) => {
    request.trace = beginTrace(request.id, request.headers.traceparent?.toString())
    reply.header("x-request-id", request.id)
    reply.header("x-content-type-options", "nosniff")
  })
  // Here and not earlier: reading the body leaves the context that the request began in.
  app.addHook("preHandler", (request, _reply, done) => runInTrace(request.trace, done))
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "unknown"
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
    const fields = {
      method: request.method,
      route,
      statusCode: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime),
      organizationId: request.identified?.organizationId,
      userId: request.identified?.userId,
    }
    request.log.debug(fields, "request")
    dependencies.tracing?.record({
      name: `${request.method} ${route}`,
      kind: 2,
      startedAt: Date.now() - reply.elapsedTime,
      milliseconds: reply.elapsedTime,
      isFailed: reply.statusCode >= 500,
      parent: request.headers.traceparent?.toString(),
      own: request.trace.traceparent,
      attributes: {
        "http.request.method": request.method,
        "http.route": route,
        "http.response.status_code": reply.statusCode,
        "fieldway.request_id": request.id,
        "fieldway.organization_id": request.identified?.organizationId,
      },
    })
  })

  app.register(cookie)
  app.register(multipart, {
    throwFileSizeLimit: true,
    limits: {
      files: 5,
      fields: 100,
      fieldSize: 1024 * 1024,
      fileSize: config.importMaxBytes,
      headerPairs: 200,
    },
  })
  return app
}

/** The part of the server under /api/v3: access rules, cross-origin calls, idempotency, error envelope. */
export function registerApi(
  app: App,
  dependencies: Dependencies,
  features: (api: App) => void,
  narrowing?: Narrowing,
): void {
  app.register(
    async (scope) => {
      const api = scope as unknown as App
      const { config } = dependencies
      await api.register(cors, {
        origin: config.corsOrigins === "*" ? "*" : config.corsOrigins,
        methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
        exposedHeaders: ["x-request-id", "etag", "retry-after", "content-disposition"],
        credentials: false,
        maxAge: 86_400,
        strictPreflight: false,
      })
      const access: AccessOptions = { ...dependencies, ...(narrowing && { narrowing }) }
      installAccess(api as never, access)
      installIdempotency(api)
      api.addHook("onRoute", (route) => app.routeTable.add(route))
      api.addHook("onRoute", describeRoute)
      api.addHook("preParsing", async (request) => checkMultipart(request))
      api.addHook("onReady", async () => requireBodyLimits(app))
      api.setNotFoundHandler(answerUnknownRoute)
      features(api)
    },
    { prefix: "/api/v3" },
  )
}

/** The process does not start with a route whose body has no limit of its own. */
function requireBodyLimits(app: App): void {
  for (const { method, url, bodyLimit } of app.routeTable.routes())
    if (takesBody(method) && bodyLimit === undefined)
      throw new Error(`${method} ${url} has no limit for its body`)
}
