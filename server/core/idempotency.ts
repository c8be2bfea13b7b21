import { createHash } from "node:crypto"
import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify"
import type { Caller } from "./access/caller.ts"
import { inTransaction } from "./database/database.ts"
import { AppError } from "./errors.ts"
import type { App } from "./http/types.ts"
import { type Sealing, seal, unseal } from "./security/sealing.ts"

const keyPattern = /^[\x21-\x7e]{1,255}$/

/** Routes that accept only forms take part if they set `idempotent`: their handlers call `onceForForm`. */
export function takesIdempotencyKey({ method, config, schema }: RouteOptions): boolean {
  const isForm = schema?.consumes?.every((type) => type === "multipart/form-data") === true
  const isWanted = config?.idempotent ?? ([method].flat().includes("POST") && !isForm)
  return isWanted && !config?.public
}

/**
 * `Idempotency-Key` on every POST of a signed-in caller, and where a route asks for it. The handler then runs inside one transaction that
 * also stores its response, so a repeated call, after any kind of failure, either finds the stored answer or
 * finds nothing done at all. Two calls with one key at the same time wait for each other on the key's row.
 * Kept for 24 hours.
 */
export function installIdempotency(app: App): void {
  app.addHook("onRoute", (route: RouteOptions) => {
    if (!takesIdempotencyKey(route)) return
    const { handler } = route
    route.handler = async function (request, reply) {
      const key = readKey(request)
      if (key === undefined || request.isMultipart()) return handler.call(this, request, reply)
      return respondOnce(request, reply, { key, body: request.body }, () =>
        Promise.resolve(handler.call(this, request, reply)),
      )
    }
  })
}

/**
 * What a handler does once it has read a form, for routes with `idempotent: true`: no transaction is open while the
 * form arrives. Calls with equal `form` are the same call.
 */
export async function onceForForm<Body>(
  request: FastifyRequest,
  reply: FastifyReply,
  form: unknown,
  handle: () => Promise<Body>,
): Promise<Body> {
  const key = readKey(request)
  // A form's fields may come as JSON, whose key is honoured before the handler runs.
  if (key === undefined || !request.isMultipart()) return handle()
  return (await respondOnce(request, reply, { key, body: form }, handle)) as Body
}

function readKey({ headers }: FastifyRequest): string | undefined {
  const key = headers["idempotency-key"]
  if (key === undefined || (typeof key === "string" && keyPattern.test(key))) return key
  throw new AppError(400, "sys-003", "Idempotency-Key must be 1 to 255 visible ASCII characters")
}

interface StoredResponse {
  requestHash: string
  statusCode: number
  etag: string | null
  answer: unknown
}

async function respondOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  { key, body: sent }: { key: string; body: unknown },
  handle: () => Promise<unknown>,
) {
  const requestHash = createHash("sha256")
    .update(`${request.method} ${request.url}\n${JSON.stringify(sent) ?? ""}`)
    .digest("hex")
  try {
    return await inTransaction(request.sql, async (tx) => {
      request.transaction = tx
      const sealing = { sql: tx, config: request.server.settings }
      const stored = await claimKey(sealing, request, key, requestHash)
      if (stored) return replay(stored, requestHash, reply)
      const body = await handle()
      const etag = reply.getHeader("etag")?.toString() ?? null
      await storeResponse(sealing, request, key, {
        requestHash,
        statusCode: reply.statusCode,
        etag,
        answer: body,
      })
      return body
    })
  } finally {
    request.transaction = undefined
  }
}

/** A response may hold a new key of a device or of signatures: what is kept of it is sealed. */
const purposeOf = ({ organizationId, userId }: Caller, key: string) =>
  `replay:${organizationId}:${userId}:${key}`

async function claimKey(sealing: Sealing, request: FastifyRequest, key: string, requestHash: string) {
  const { organizationId, userId } = request.caller
  const { sql: tx } = sealing
  await tx`
    delete from idempotency_keys
    where organization_id = ${organizationId} and user_id = ${userId} and key = ${key}
      and created_at < now() - interval '24 hours'`
  const claimed = await tx`
    insert into idempotency_keys (organization_id, user_id, key, request_hash)
    values (${organizationId}, ${userId}, ${key}, ${requestHash})
    on conflict do nothing returning key`
  if (claimed.length > 0) return undefined
  const rows = await tx<(StoredResponse & { sealedAnswer: Buffer | null })[]>`
    select request_hash, status_code, etag, answer, sealed_answer from idempotency_keys
    where organization_id = ${organizationId} and user_id = ${userId} and key = ${key}`
  const stored = rows[0]
  if (!stored?.sealedAnswer) return stored
  const opened = await unseal(sealing, purposeOf(request.caller, key), stored.sealedAnswer)
  return { ...stored, answer: JSON.parse(opened) as unknown }
}

function replay(stored: StoredResponse, requestHash: string, reply: FastifyReply): unknown {
  if (stored.requestHash !== requestHash)
    throw new AppError(
      409,
      "sys-031",
      "This Idempotency-Key was already used for a different request. Use a new key",
    )
  reply.code(stored.statusCode).header("idempotency-replayed", "true")
  if (stored.etag !== null) reply.header("etag", stored.etag)
  return stored.answer
}

async function storeResponse(
  sealing: Sealing,
  request: FastifyRequest,
  key: string,
  stored: StoredResponse,
): Promise<void> {
  const { organizationId, userId } = request.caller
  const sealed = await seal(sealing, purposeOf(request.caller, key), JSON.stringify(stored.answer ?? null))
  await sealing.sql`
    update idempotency_keys set status_code = ${stored.statusCode}, etag = ${stored.etag}, sealed_answer = ${sealed}
    where organization_id = ${organizationId} and user_id = ${userId} and key = ${key}`
}
