import type { IncomingHttpHeaders } from "node:http"
import cookie from "@fastify/cookie"
import cors from "@fastify/cors"
import multipart from "@fastify/multipart"
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox"
import fastify, { type FastifyRequest, LogController } from "fastify"
import { type AccessOptions, identify, installAccess } from "../access/access.ts"
import type { Authenticate } from "../access/authenticate.ts"
import type { Caller } from "../access/caller.ts"
import type { Narrowing } from "../access/narrowing.ts"
import { originOf } from "../audit-trail/origin.ts"
import type { Clock } from "../clock.ts"
import type { Config } from "../config.ts"
import type { Pool } from "../database/database.ts"
import type { ReadReplica } from "../database/read-replica.ts"
import { guardObjects, guardPool } from "../dry-run.ts"
import { coreErrors, type ErrorTable, notFoundMessages } from "../errors.ts"
import type { LiveEvents } from "../events/live-events.ts"
import type { RateLimiter } from "../fairness/rate-limit.ts"
import { installIdempotency } from "../idempotency.ts"
import { newId } from "../ids.ts"
import type { Objects } from "../objects/objects.ts"
import type { SignedLinks } from "../objects/signed-links.ts"
import type { Log } from "../telemetry/log.ts"
import type { Metrics } from "../telemetry/metrics.ts"
import { beginTrace, runInTrace } from "../telemetry/trace-context.ts"
import type { Span } from "../telemetry/tracing.ts"
import { installDryRun } from "./dry-run-calls.ts"
import { sendBadAddress, sendError, sendUnknownRoute } from "./errors.ts"
import { installIgnoredParameters } from "./ignored-parameters.ts"
import { readJsonBody } from "./json-body.ts"
import { installAdmission } from "./limits/admission.ts"
import { bodyBytes, takesBody } from "./limits/body-kinds.ts"
import { closeConnectionsWhileDraining, type Readiness } from "./limits/drain.ts"
import type { HeavyRequests } from "./limits/heavy-requests.ts"
import { installLargeLists } from "./limits/large-lists.ts"
import { checkMultipart } from "./limits/multipart-bodies.ts"
import { endSlowBodies, refuseUnparsed } from "./limits/slow-clients.ts"
import { installDeprecation } from "./openapi/deprecation.ts"
import { describeRoute } from "./openapi/openapi-operations.ts"
import { createRouteTable } from "./route-table.ts"
import { compileSerializer } from "./serialization.ts"
import { type App, inScope } from "./types.ts"
import { compileValidator } from "./validation.ts"

export interface Dependencies {
  config: Config
  log: Log
  sql: Pool
  /** For statements that take no time: see the routes' `quick`. */
  quickSql: Pool
  /** For the routes that say so; absent where there is none. */
  replica?: ReadReplica
  clock: Clock
  objects: Objects
  links: SignedLinks
  live: LiveEvents
  authenticate: Authenticate
  limiter: RateLimiter
  metrics: Metrics
  recordSpan?(span: Span): void
  /** Set while the process is stopping; absent where nothing stops. */
  readiness?: Readiness
  /** Handles heavy requests elsewhere; absent where they are handled here. */
  heavy?: HeavyRequests
  /** The id of a request that was forwarded; absent where requests get ids of their own. */
  requestIdOf?(headers: IncomingHttpHeaders): string
}

/** A connection on which nothing moves for so long is closed: longer than any response takes to begin. */
const idleConnectionMilliseconds = 300_000

/** An HTTP server with everything that every route has, and no route yet. */
export function createServer(dependencies: Dependencies, errorTables: readonly ErrorTable[]): App {
  const { config, log, sql, clock, objects, live, metrics } = dependencies
  const app: App = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: ({ headers }) => dependencies.requestIdOf?.(headers) ?? newId(),
    requestIdHeader: false,
    trustProxy: config.trustProxy || false,
    bodyLimit: bodyBytes("account", config),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 12_000 },
    exposeHeadRoutes: true,
    frameworkErrors: sendBadAddress,
    clientErrorHandler: refuseUnparsed,
    forceCloseConnections: "idle",
    // What still arrives on an open connection while the process stops is answered, with "connection: close".
    return503OnClosing: false,
    keepAliveTimeout: 72_000,
    // Bodies have limits of their own: see slow-clients.ts.
    requestTimeout: 0,
    connectionTimeout: idleConnectionMilliseconds,
    http: {
      headersTimeout: config.headersTimeoutSeconds * 1000,
      connectionsCheckingInterval: Math.min(config.headersTimeoutSeconds * 500, 10_000),
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorate("sql", guardPool(sql))
  app.decorate("clock", clock)
  app.decorate("settings", config)
  app.decorate("objects", guardObjects(objects))
  app.decorate("notFoundMessages", notFoundMessages(errorTables))
  app.decorate("links", dependencies.links)
  app.decorate("live", live)
  app.decorate("routeTable", createRouteTable())
  app.decorate("limiter", dependencies.limiter)
  app.decorate("internalCalls", new Map())
  app.decorate("identify", (request) => identify(request, dependencies))
  app.decorateRequest("identified", undefined)
  app.decorateRequest("transaction", undefined)
  app.decorateRequest("replicaSql", undefined)
  app.decorateRequest("isInternal", false)
  app.decorateRequest("trace")
  app.decorateRequest("sql", {
    getter(this: FastifyRequest) {
      return (
        this.transaction ?? this.replicaSql ?? (this.routeOptions.config.quick ? dependencies.quickSql : sql)
      )
    },
  })
  app.decorateRequest("caller", {
    getter(this: { identified: Caller | undefined }) {
      if (!this.identified) throw coreErrors.unauthenticated()
      return this.identified
    },
  })
  app.decorateRequest("address", {
    getter(this: { protocol: string; host: string; originalUrl: string }) {
      // Two slashes at the beginning would name another host.
      const path = this.originalUrl.replace(/^\/+/, "/")
      return new URL(path, config.isPublicUrlGiven ? config.publicUrl : (baseOf(this) ?? config.publicUrl))
    },
  })

  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(compileSerializer)
  app.setErrorHandler(sendError)
  // A text body would pass as a wrong shape; it is a wrong media type.
  app.removeContentTypeParser(["application/json", "text/plain"])
  app.addContentTypeParser(/^application\/([\w.-]+\+)?json/, { parseAs: "buffer" }, readJsonBody)

  app.server.maxConnections = config.maxConnections
  endSlowBodies(app, config)
  if (dependencies.readiness) closeConnectionsWhileDraining(app, dependencies.readiness)
  app.addHook("onRequest", async (request, reply) => {
    request.trace = beginTrace(request.id, request.headers.traceparent?.toString())
    reply.header("x-request-id", request.id)
    reply.header("x-content-type-options", "nosniff")
  })
  // Here and not earlier: reading the body leaves the context that the request began in.
  app.addHook("preHandler", (request, reply, done) => {
    const origin = request.isInternal ? undefined : originOf(request)
    if (origin) {
      request.trace.origin = origin
      reply.header("x-action-id", origin.entry)
    }
    runInTrace(request.trace, done)
  })
  const { replica } = dependencies
  if (replica)
    app.addHook("preHandler", async (request) => {
      if (request.routeOptions.config.reads === "replica") request.replicaSql = await replica.caughtUp()
    })
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
    dependencies.recordSpan?.({
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
  inScope(
    app,
    async (api) => {
      const { config } = dependencies
      await api.register(cors, {
        origin: config.corsOrigins === "*" ? "*" : config.corsOrigins,
        methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
        exposedHeaders: [
          ...["x-request-id", "etag", "retry-after", "content-disposition", "x-ignored-parameters"],
          ...["ratelimit", "ratelimit-policy", "deprecation", "sunset", "link"],
          ...["idempotency-replayed", "preference-applied", "x-action-id"],
        ],
        credentials: false,
        maxAge: 86_400,
        strictPreflight: false,
      })
      const access: AccessOptions = { ...dependencies, ...(narrowing && { narrowing }) }
      installAccess(api, access)
      installAdmission(api, dependencies.heavy)
      installLargeLists(api)
      installIgnoredParameters(api)
      installDeprecation(api)
      installIdempotency(api)
      installDryRun(api)
      api.addHook("onRoute", (route) => app.routeTable.add(route))
      api.addHook("onRoute", describeRoute)
      api.addHook("onSend", (_request, reply, payload, done) => {
        const isJson = String(reply.getHeader("content-type")).startsWith("application/json")
        if (isJson && !reply.hasHeader("cache-control")) reply.header("cache-control", "no-store")
        done(null, payload)
      })
      api.addHook("preParsing", async (request, reply) => checkMultipart(request, reply))
      api.addHook("onReady", async () => requireBodyLimits(app))
      api.setNotFoundHandler(sendUnknownRoute)
      features(api)
    },
    { prefix: "/api/v3" },
  )
}

/** The address that the caller used, where its host has the form of one. */
function baseOf({ protocol, host }: { protocol: string; host: string }): string | undefined {
  const isWellFormed = host.length <= 260 && /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.test(host)
  const base = `${protocol}://${host}`
  return isWellFormed && URL.canParse(base) ? base : undefined
}

/** The process does not start with a route whose body has no limit of its own. */
function requireBodyLimits(app: App): void {
  for (const { method, url, bodyLimit } of app.routeTable.routes())
    if (takesBody(method) && bodyLimit === undefined)
      throw new Error(`${method} ${url} has no limit for its body`)
}
