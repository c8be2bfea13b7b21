import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox"
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify"
import type { TSchema } from "typebox"
import type { AccessDeclaration } from "../access/access.ts"
import type { Caller } from "../access/caller.ts"
import type { Clock } from "../clock.ts"
import type { Config } from "../config.ts"
import type { Pool, Sql, Tx } from "../database/database.ts"
import type { LiveEvents } from "../events/live-events.ts"
import type { RateLimiter } from "../fairness/rate-limit.ts"
import type { Objects } from "../objects/objects.ts"
import type { SignedLinks } from "../objects/signed-links.ts"
import type { Trace } from "../telemetry/trace-context.ts"
import type { InternalCall } from "./internal-calls.ts"
import type { Admission } from "./limits/admission.ts"
import type { BodyKind } from "./limits/body-kinds.ts"
import type { Deprecated } from "./openapi/deprecation.ts"
import type { RouteTable } from "./route-table.ts"

/** The instance that features register their routes on. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Registers routes with hooks and parsers of their own. */
export function inScope(
  app: App,
  register: (scope: App) => void | Promise<void>,
  options: { prefix?: string } = {},
): void {
  app.register(async (scope) => register(scope.withTypeProvider<TypeBoxTypeProvider>()), options)
}

declare module "fastify" {
  interface FastifyInstance {
    sql: Pool
    clock: Clock
    settings: Config
    objects: Objects
    links: SignedLinks
    /** By failed code. */
    notFoundMessages: ReadonlyMap<string, string>
    live: LiveEvents
    routeTable: RouteTable
    limiter: RateLimiter
    /** Calls of routes by operations that run, by their keys: see internal-calls.ts. */
    internalCalls: Map<string, InternalCall>
    /** Who presents the token of a request, on a public route too; undefined without a good one. */
    identify(request: FastifyRequest): Promise<Caller | undefined>
  }
  interface FastifyRequest {
    /** Set by the access hook; `caller` is the same for routes that need one. */
    identified: Caller | undefined
    /** The caller of a route that is not public. */
    readonly caller: Caller
    /** The pool, or the transaction that an Idempotency-Key put around this request. */
    readonly sql: Sql
    transaction: Tx | undefined
    /** Chosen before the handler of a route that may read the replica. */
    replicaSql: Pool | undefined
    /** Called by an operation of this process, within its transaction: see internal-calls.ts. */
    isInternal: boolean
    /** What follows from this request carries it: jobs, automations, webhooks. */
    trace: Trace
    /** The class in which this request holds a slot. */
    admitted: Exclude<Admission, "free"> | undefined
    /** The absolute address of this request, for links in the response. */
    readonly address: URL
  }
  interface FastifySchema {
    /** Parts of a multipart form, for the description: the handler reads and checks them. `FilePart` is a file. */
    form?: TSchema
  }
  interface FastifyContextConfig extends AccessDeclaration {
    /** The wire's module code, prefix of its failed codes. Set per feature in app.ts. */
    module?: string
    /** Failed code of a malformed path id, where it is not `<module>-033`. */
    notFoundCode?: string
    /** The one code of every bad value, where the wire has it for a call instead of the code of its kind. */
    valueCode?: string
    /** Errors of this route carry an empty `data` too, as a few areas of the wire have it; `values`: but 401 and 403. */
    errorData?: boolean | "values"
    /** `positions` is the wider bucket of devices, `none` is never limited. */
    rateBucket?: "positions" | "none"
    /** How large the body may be: a kind of the table in body-kinds.ts. */
    body?: BodyKind
    /** On a public route: calls per hour and address, counted under a name before the body is read. */
    throttle?: { name: string; perHour: number }
    /** `other`: the response is not JSON, so Accept is not checked. */
    produces?: "other"
    /**
     * Reads a few rows by their keys and nothing else: `sql` is then the pool of few connections on which such
     * statements follow each other without waiting, several in one write to the database.
     */
    quick?: true
    /** Reads nothing but what may come from a replica, and writes nothing: see read-replica.ts. */
    reads?: "replica"
    /** Reads return an ETag, and writes refuse an If-Match that names another version. */
    versioned?: true
    /** How much of the process a call may take, where its size does not determine it. */
    admission?: Admission
    /** Query parameters beyond the schema's, such as filters by field. */
    knownQuery?: RegExp
    /** What entries of the audit trail call what this route does, where its first change does not say. */
    auditAction?: string
    /** Responses carry `Deprecation` and `Sunset`, and the description marks the operation. */
    deprecated?: Deprecated
    /** False for POSTs whose response is not worth repeating; true for other methods and forms that create something. */
    idempotent?: boolean
  }
}
