import type { FastifyRequest } from "fastify"
import type { Caller } from "../access/caller.ts"
import type { Tx } from "../database/database.ts"
import { newId } from "../ids.ts"
import { currentTrace } from "../telemetry/trace-context.ts"

/** Who acts, how and from where: what the audit trail keeps of a request or job besides what changed. */
export interface Origin {
  /** The id of the entry that all changes of this request or job belong to. */
  entry: string
  /** What the entry calls the action; without it, the first change says. */
  action?: string
  kind: "person" | "token" | "device" | "automation" | "system" | "operator"
  via: "console" | "phone" | "api" | "job" | "command"
  email?: string | null
  /** The id of the member. */
  id?: string
  name?: string
  address?: string
  /** The operation of the API description, or the name of a job or command. */
  operation?: string
  request?: string | null
  details?: Readonly<Record<string, string>>
  /** A step of an operation that names its entry itself. */
  isPartOf?: true
}

/** The origin of what a request writes; undefined for reads and for positions, which are not audited. */
export function originOf(request: FastifyRequest): Origin | undefined {
  if (request.method === "GET" || request.method === "HEAD") return undefined
  const { config, schema } = request.routeOptions
  if (config.rateBucket === "positions") return undefined
  const caller = request.identified
  const operation = schema?.operationId
  return {
    entry: newId(),
    kind: isToken(caller) ? "token" : "person",
    via: viaOf(request, caller),
    ...(caller && personOf(caller)),
    address: request.ip,
    ...(operation === undefined ? {} : { operation }),
    request: request.id,
    ...(config.auditAction === undefined ? {} : { action: config.auditAction }),
    ...(isToken(caller) && { details: { tokenId: caller.tokenId, agent: caller.tokenName ?? "" } }),
  }
}

/** A program that acts for the person: the entry names it. */
function isToken(caller: Caller | undefined): caller is Caller {
  return caller !== undefined && caller.tokenKind !== "session"
}

function personOf({ email, userId, name }: Caller): Pick<Origin, "email" | "id" | "name"> {
  return { email, id: userId, name }
}

function viaOf(request: FastifyRequest, caller: Caller | undefined): Origin["via"] {
  if (isToken(caller) || request.headers["sec-fetch-site"] !== "same-origin") return "api"
  return /\/field(\/|$)/.test(request.headers.referer ?? "") ? "phone" : "console"
}

/** The origin of the work of a job. What a request set off belongs to the request's entry; the rest is the system's. */
export function originOfJob(job: string, cause: Origin | undefined): Origin {
  if (!cause) return { entry: newId(), kind: "system", via: "job", operation: job }
  return cause.kind === "system" ? { ...cause, entry: newId(), operation: job } : cause
}

/** What is written in the rest of this transaction is the work of something else, such as an automation: another entry. */
export async function setOrigin(tx: Tx, origin: Omit<Origin, "entry">): Promise<void> {
  const next = { entry: newId(), ...origin }
  const trace = currentTrace()
  if (trace) trace.origin = next
  await tx`select set_config('fieldway.origin', ${JSON.stringify(next)}, true)`
}

/** The origin of an operator's command. */
export function originOfCommand(command: string): Origin {
  return { entry: newId(), kind: "operator", via: "command", operation: command }
}

/** A statement that gives the origin to the triggers of this transaction; undefined when nothing is known of it. */
export function originStatement(): string | undefined {
  const origin = currentTrace()?.origin
  if (!origin) return undefined
  const text = JSON.stringify(origin).replaceAll("\\u0000", "").replaceAll("'", "''")
  return `set local fieldway.origin = '${text}'`
}
