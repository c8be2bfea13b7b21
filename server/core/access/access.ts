import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify"
import type { Config } from "../config.ts"
import type { Pool } from "../database/database.ts"
import { AppError, coreErrors } from "../errors.ts"
import type { RateLimiter } from "../fairness/rate-limit.ts"
import { sendUnknownRoute } from "../http/errors.ts"
import { type InternalCall, internalCallOf } from "../http/internal-calls.ts"
import type { Permission } from "../permissions.ts"
import type { Log } from "../telemetry/log.ts"
import type { Authenticate } from "./authenticate.ts"
import type { Caller } from "./caller.ts"
import { type Narrowing, narrow, narrowedTo } from "./narrowing.ts"
import { readSessionCookie } from "./session-cookie.ts"
import { tokenUseNotes } from "./token-use.ts"

/** What a route declares about who may call it. Exactly one of the four; without it the process does not start. */
export interface AccessDeclaration {
  permission?: Permission
  anyOf?: readonly Permission[]
  signedIn?: true
  public?: true
  /**
   * Whether a scoped token may call a `signedIn` route, which no permission covers: `refused`, `accepted` where
   * the handler shows nothing that a scope could name, or the permissions one of which its scopes must name.
   */
  scopedToken?: "refused" | "accepted" | readonly Permission[]
}

const declarations = ["permission", "anyOf", "signedIn", "public"] as const

/** Refuses routes under the API that do not say who may call them. */
export function requireDeclaration(route: RouteOptions): void {
  if (route.method === "OPTIONS" || route.method === "HEAD") return
  const config = (route.config ?? {}) as AccessDeclaration
  const declared = declarations.filter((name) => config[name] !== undefined)
  if (declared.length !== 1)
    throw new Error(`${String(route.method)} ${route.url} must declare one of ${declarations.join(", ")}`)
  if ((config.scopedToken !== undefined) !== (config.signedIn === true))
    throw new Error(
      `${String(route.method)} ${route.url} must declare scopedToken exactly when it is signedIn`,
    )
}

export interface AccessOptions {
  config: Config
  authenticate: Authenticate
  limiter: RateLimiter
  sql: Pool
  log: Log
  narrowing?: Narrowing
}

/**
 * The first steps of every request to the API, in the order of the contract: Accept (406), token (401),
 * rate limit (429), then, for a known route, permission (403). Body and parameters are only read after.
 */
export function installAccess(api: FastifyInstance, options: AccessOptions): void {
  api.addHook("onRoute", requireDeclaration)
  const noteUse = tokenUseNotes(options.sql, options.log)
  api.addHook("onRequest", async (request, reply) => {
    checkAccept(request)
    const internal = internalCallOf(request)
    if (internal) return enterInternally(request, reply, internal)
    const declared = request.routeOptions.config as AccessDeclaration
    const known = !request.is404
    const { narrowing } = options
    const name = narrowedTo(request, narrowing)
    if (known && declared.public) {
      if (narrowing && name !== undefined) throw narrowing.refusal("This address is not available to plugins")
      await limitAddress(request, reply, options)
      return
    }
    const person = await identify(request, options)
    if (!person) throw coreErrors.unauthenticated()
    const caller =
      narrowing && name !== undefined ? await narrow(request, person, { narrowing, name }) : person
    checkUser(request, caller)
    request.identified = caller
    if (caller.tokenKind !== "session") noteUse(caller, request.ip)
    await limitOrganization(request, reply, caller, options)
    // Whatever body comes with it is not read.
    if (!known) sendUnknownRoute(request, reply)
    checkPermission(caller, declared, request.routeOptions.config.module)
  })
}

function enterInternally(
  request: FastifyRequest,
  reply: FastifyReply,
  { caller, tx, origin }: InternalCall,
): void {
  if (request.is404) return void sendUnknownRoute(request, reply)
  const { config } = request.routeOptions
  request.identified = caller
  request.transaction = tx
  request.isInternal = true
  if (origin) request.trace.origin = { ...origin, isPartOf: true }
  checkPermission(caller, config, config.module)
}

function checkAccept(request: FastifyRequest): void {
  if (request.routeOptions.config.produces === "other") return
  const accept = request.headers.accept
  if (!accept) return
  const ranges = accept.split(",").map((range) => (range.split(";")[0] ?? "").trim().toLowerCase())
  const takesJson = ranges.some(
    (range) => range === "*/*" || range === "application/*" || /^application\/([\w.-]+\+)?json$/.test(range),
  )
  if (!takesJson) throw coreErrors.notAcceptable()
}

/**
 * Phones are shared: one person's work may still be on its way when the next person signs in. Such a request names its sender and
 * is refused for anybody else.
 */
function checkUser({ headers }: FastifyRequest, { userId }: Caller): void {
  const sender = headers["x-fieldway-user"]
  if (sender !== undefined && sender !== userId) throw coreErrors.otherUser()
}

/** A bearer header or an x-api-key wins over the console's cookie. */
export async function identify(request: FastifyRequest, options: AccessOptions): Promise<Caller | undefined> {
  const token = presentedToken(request) ?? readSessionCookie(request, options.config)
  return token === undefined ? undefined : options.authenticate(token)
}

export function presentedToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  if (header !== undefined) return /^Bearer +(\S+)$/i.exec(header.trim())?.[1] ?? ""
  const key = request.headers["x-api-key"]
  return typeof key === "string" ? key : undefined
}

async function limitOrganization(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller,
  options: AccessOptions,
): Promise<void> {
  const bucket = request.routeOptions.config.rateBucket ?? "calls"
  const limit = limitOf(bucket, options.config)
  if (limit === 0) return
  const left = await options.limiter.takeOne(`${bucket}:${caller.organizationId}`, limit)
  setRateLimitHeaders(reply, bucket === "positions" ? "positions" : "organization", limit, left)
}

/** Requests per second; 0 is no limit. */
function limitOf(bucket: "calls" | "positions" | "none", config: AccessOptions["config"]): number {
  const { rateLimit, positionRateLimit } = config
  if (rateLimit === 0 || bucket === "none") return 0
  return bucket === "positions" ? positionRateLimit : rateLimit
}

async function limitAddress(
  request: FastifyRequest,
  reply: FastifyReply,
  options: AccessOptions,
): Promise<void> {
  const { rateBucket: bucket = "calls", throttle } = request.routeOptions.config
  if (throttle && !(await options.limiter.take(`${throttle.name}:${request.ip}`, throttle.perHour, 3600)))
    throw coreErrors.tooManyRequests({ headers: { "retry-after": "3600" } })
  // Many phones share an address of their mobile network.
  const limit = limitOf(bucket, options.config)
  if (limit === 0) return
  const key = bucket === "positions" ? "positions-address" : "address"
  const left = await options.limiter.takeOne(`${key}:${request.ip}`, limit)
  setRateLimitHeaders(reply, key, limit, left)
}

/**
 * `RateLimit` and `RateLimit-Policy` as structured fields (draft-ietf-httpapi-ratelimit-headers): `q` calls in a window of
 * `w` seconds, of which `r` are left until it ends in `t` seconds. Throws when this call was one too many.
 */
function setRateLimitHeaders(reply: FastifyReply, policy: string, limit: number, left: number): void {
  reply.header("ratelimit-policy", `"${policy}";q=${limit};w=1`)
  reply.header("ratelimit", `"${policy}";r=${Math.max(0, left)};t=1`)
  if (left < 0) throw coreErrors.tooManyRequests({ headers: { "retry-after": "1" } })
}

export function checkPermission(
  caller: Caller,
  declared: AccessDeclaration,
  module: string | undefined,
): void {
  const isScoped = caller.tokenScopes !== null
  if (declared.signedIn && isScoped) {
    const { scopedToken = "refused" } = declared
    if (scopedToken === "accepted") return
    if (scopedToken !== "refused" && scopedToken.some((name) => caller.permissions.has(name))) return
    const needed = scopedToken === "refused" ? "" : `: it needs the scope ${scopedToken.join(" or ")}`
    throw new AppError(403, `${module ?? "auth"}-035`, `A token with scopes cannot do this${needed}`)
  }
  const wanted = declared.permission ? [declared.permission] : declared.anyOf
  if (!wanted || wanted.some((name) => caller.permissions.has(name))) return
  const message = `Your ${isScoped ? "role or the scopes of your token lack" : "role lacks"} the permission ${wanted.join(" or ")}`
  throw module === "import"
    ? new AppError(403, "auth-003", message)
    : new AppError(403, `${module ?? "auth"}-035`, message)
}

/** For what only a signed-in person may do: tokens that programs hold are refused. */
export function refusePersonalToken(caller: Caller, module: string): void {
  if (caller.tokenKind !== "session")
    throw new AppError(403, `${module}-035`, "A personal access token cannot do this. Sign in instead")
}

/** For what goes on with all rights of the caller after the token has ended: a scoped one would give more than it has. */
export function refuseScopedToken(caller: Caller, module: string): void {
  if (caller.tokenScopes !== null)
    throw new AppError(403, `${module}-035`, "A token with scopes cannot do this")
}
