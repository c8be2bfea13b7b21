import type { FastifyRequest } from "fastify"
import { limits } from "./discovery.ts"
import { type Context, run, type ScimReply } from "./operations.ts"
import { errorBody, scimRefusal, toScimRefusal } from "./refusals.ts"

interface BulkOperation {
  method?: unknown
  path?: unknown
  bulkId?: unknown
  version?: unknown
  data?: unknown
}

/** RFC 7644, section 3.7. Operations run in order, each in a transaction of its own. */
export async function runBulk(context: Context, request: FastifyRequest) {
  const { Operations: given, failOnErrors } = (request.body ?? {}) as {
    Operations?: unknown
    failOnErrors?: unknown
  }
  if (!Array.isArray(given)) throw scimRefusal(400, "Operations must be a list", "invalidSyntax")
  if (given.length > limits.bulkOperations)
    throw scimRefusal(413, `A bulk request can have at most ${limits.bulkOperations} operations`, "tooMany")
  const operations = given.map((each: unknown) => (isMembers(each) ? each : {})) as BulkOperation[]
  const ids = new Map<string, string>()
  const results = new Map<BulkOperation, unknown>()
  let errors = 0
  for (const operation of inOrder(operations)) {
    if (typeof failOnErrors === "number" && failOnErrors > 0 && errors >= failOnErrors) break
    const reply = await runOne(context, operation, ids).catch((error: unknown): ScimReply => {
      const refusal = toScimRefusal(error, request)
      return { status: refusal.status, body: errorBody(refusal) }
    })
    if (reply.status >= 400) errors += 1
    results.set(operation, {
      method: operation.method,
      ...(operation.bulkId !== undefined && { bulkId: operation.bulkId }),
      ...(reply.location !== undefined && { location: reply.location }),
      ...(reply.version !== undefined && { version: reply.version }),
      status: String(reply.status),
      ...(reply.status >= 400 && { response: reply.body }),
    })
  }
  const Operations = operations.flatMap((operation) => results.get(operation) ?? [])
  return { schemas: ["urn:ietf:params:scim:api:messages:2.0:BulkResponse"], Operations }
}

/** An operation that refers to what a later one creates follows that one (RFC 7644, section 3.7.1). */
function inOrder(operations: readonly BulkOperation[]): BulkOperation[] {
  const texts = new Map(
    operations.map((operation) => [operation, JSON.stringify([operation.path, operation.data])]),
  )
  const creators = new Map(operations.map((operation) => [operation.bulkId, operation]))
  const ordered = new Set<BulkOperation>()
  const started = new Set<BulkOperation>()
  const add = (operation: BulkOperation) => {
    if (started.has(operation)) return
    started.add(operation)
    for (const [, name] of (texts.get(operation) ?? "").matchAll(reference)) {
      const creator = creators.get(name)
      if (creator) add(creator)
    }
    ordered.add(operation)
  }
  for (const operation of operations) add(operation)
  return [...ordered]
}

const isMembers = (value: unknown) => typeof value === "object" && value !== null

const reference = /bulkId:([\w-]{1,100})/g

async function runOne(
  context: Context,
  operation: BulkOperation,
  ids: Map<string, string>,
): Promise<ScimReply> {
  const method = String(operation.method ?? "").toUpperCase()
  const path = resolveIds(String(operation.path ?? ""), ids)
  const [, kind, id] = /^\/(Users|Groups)(?:\/([\w-]+))?$/.exec(path) ?? []
  if (!kind || !["POST", "PUT", "PATCH", "DELETE"].includes(method))
    throw scimRefusal(400, `${method} ${path} is no operation`, "invalidPath")
  const text = JSON.stringify(operation.data ?? null)
  const reply = await run(context, {
    method,
    kind: kind as "Users" | "Groups",
    id,
    query: {},
    body: JSON.parse(resolveIds(text, ids)) as unknown,
    ifMatch: typeof operation.version === "string" ? operation.version : undefined,
  })
  const made = (reply.body as { id?: unknown } | undefined)?.id
  if (typeof operation.bulkId === "string" && typeof made === "string") ids.set(operation.bulkId, made)
  return reply
}

/** References to what an earlier operation created. */
function resolveIds(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(reference, (_match, name: string) => {
    const id = ids.get(name)
    if (id === undefined) throw scimRefusal(409, `No earlier operation created ${name}`, "invalidValue")
    return id
  })
}
