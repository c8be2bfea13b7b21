import { Readable } from "node:stream"
import { setImmediate as yieldEventLoop } from "node:timers/promises"
import type { FastifyReply, FastifyRequest } from "fastify"
import { AppError } from "../../errors.ts"
import { bodyTooLarge, takesBody } from "./body-kinds.ts"

export interface ForwardedRequest {
  /** The id of the request in logs and responses. */
  id: string
  traceparent: string
  method: string
  url: string
  headers: Record<string, string | string[] | undefined>
  remoteAddress: string
  body: Uint8Array | undefined
}

export interface ForwardedResponse {
  status: number
  headers: Record<string, string | string[]>
  body: Uint8Array
}

/** Handles heavy requests outside of the request thread. */
export interface HeavyRequests {
  /** Aborted: the client left. */
  handle(request: ForwardedRequest, signal: AbortSignal): Promise<ForwardedResponse>
}

/** No fault of the server, so not logged as one. */
export const clientLeft = () =>
  new AppError(400, "sys-003", "The client left before the response was complete")

/** Aborted when the client leaves: long work for it ends. */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  reply.raw.once("close", () => left.abort(clientLeft()))
  return left.signal
}

/** Headers of one connection, which are not copied to the response. */
const ofConnection = new Set(["connection", "keep-alive", "transfer-encoding", "date"])

/** Known before the body is read, which `request.isMultipart()` is not. */
export const isForm = ({ headers }: FastifyRequest) => /^multipart\//i.test(headers["content-type"] ?? "")

/** Forms are parsed as they arrive, on the request thread. A body of unknown length is classified once it has begun to arrive. */
export function canForward(request: FastifyRequest): boolean {
  const { method, headers, routeOptions } = request
  if (method === "HEAD" || isForm(request)) return false
  if (!takesBody(method)) return true
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers
  return encoding === undefined && Number(length) <= (routeOptions.bodyLimit ?? 0)
}

/** What has been read of a body. */
interface BodyPart {
  chunks: Buffer[]
  isWhole: boolean
}

/** Reads a body until it is longer than `bytes` or complete, and leaves the rest. */
export async function readUntil(raw: Readable, bytes: number): Promise<BodyPart> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk)
    length += chunk.length
    if (length > bytes) return { chunks, isWhole: false }
  }
  return { chunks, isWhole: true }
}

/** `begun`: what was read of the body already. */
export async function forward(
  heavy: HeavyRequests,
  request: FastifyRequest,
  reply: FastifyReply,
  begun: readonly Buffer[] = [],
): Promise<FastifyReply> {
  const left = whileConnected(reply)
  const handled = heavy.handle(
    {
      id: request.id,
      traceparent: request.trace.traceparent,
      method: request.method,
      url: request.originalUrl,
      headers: request.headers,
      remoteAddress: request.socket.remoteAddress ?? "127.0.0.1",
      body: takesBody(request.method) ? await readBody(request, reply, begun) : undefined,
    },
    left,
  )
  const response = await handled.catch((error: unknown) => {
    if (left.aborted) throw clientLeft()
    throw error
  })
  for (const [name, value] of Object.entries(response.headers))
    if (!ofConnection.has(name)) reply.header(name, value)
  return reply.code(response.status).send(Readable.from(slicesOf(response.body), { objectMode: false }))
}

async function readBody(
  { raw, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  begun: readonly Buffer[],
): Promise<Uint8Array | undefined> {
  const { bodyLimit = 0, config } = routeOptions
  const rest = bodyLimit - begun.reduce((sum, chunk) => sum + chunk.length, 0)
  const { chunks, isWhole } = await readUntil(raw, rest)
  if (!isWhole) {
    // Nobody reads the rest.
    reply.header("connection", "close")
    throw bodyTooLarge(config.module ?? "sys", bodyLimit)
  }
  const all = [...begun, ...chunks]
  return all.length === 0 ? undefined : join(all)
}

/** In memory of its own, which can be moved to another thread. */
export function join(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let end = 0
  for (const chunk of chunks) {
    joined.set(chunk, end)
    end += chunk.length
  }
  return joined
}

/** What is written to a connection at a time: writing 10 MB at once takes 50 ms. */
const sliceBytes = 128 * 1024

async function* slicesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += sliceBytes) {
    if (start > 0) await yieldEventLoop()
    yield body.subarray(start, start + sliceBytes)
  }
}
