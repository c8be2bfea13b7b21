import { type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { FastifyRequest } from "fastify"
import type { Config } from "../../config.ts"
import { AppError, errorEnvelope } from "../../errors.ts"
import type { App } from "../types.ts"
import { type BodyKind, bodyBytes } from "./body-kinds.ts"

/** Bodies up to this size arrive within the time of one; longer ones may take longer, at a minimum rate. */
const largestFixed = 2 * 1024 ** 2

/**
 * Ends requests whose body does not come: a small body has `bodyTimeoutSeconds` in all, a large one must bring
 * `minBytesPerSecond` on average in every such span, so that a large import over a bad line still arrives. Time
 * in which we are the ones who do not read does not count. Node bounds the time for headers itself.
 */
export function endSlowBodies(app: App, config: Config): void {
  const leastBytes = config.bodyTimeoutSeconds * config.uploadMinBytesPerSecond
  app.addHook("onRequest", (request, reply, done) => {
    const { raw } = request
    if (hasBody(request) && !raw.complete) {
      let received = raw.socket.bytesRead
      const check = () => {
        const arrived = raw.socket.bytesRead - received
        received = raw.socket.bytesRead
        const isHeldBack = raw.readableLength >= raw.readableHighWaterMark
        const isLarge = allowedBytes(request, config) > largestFixed
        if (raw.complete || isHeldBack || (isLarge && arrived >= leastBytes)) return
        clearInterval(timer)
        refuseUnread(raw, reply.raw, tooSlow)
      }
      // What came while the process was busy is read before it counts as missing.
      const timer = setInterval(() => setImmediate(check), config.bodyTimeoutSeconds * 1000).unref()
      const stop = () => clearInterval(timer)
      raw.once("end", stop).once("close", stop)
    }
    done()
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0
}

function allowedBytes({ routeOptions }: FastifyRequest, config: Config): number {
  const kind: BodyKind | undefined = routeOptions.config.body
  return kind === undefined ? 0 : bodyBytes(kind, config)
}

const tooSlow = new AppError(408, "sys-048", "The request was not received in time. Send it again")

/** How long what still comes is thrown away, so that a client which sends at full speed gets to read the response. */
const lingerMilliseconds = 1_000

/** Nothing reads on, so the response goes to the connection itself, unless one has begun. */
export function refuseUnread(
  request: FastifyRequest["raw"],
  response: ServerResponse,
  refusal: AppError,
): void {
  if (response.headersSent) {
    request.destroy()
    return
  }
  const { socket } = request
  socket.end(textOf(refusal))
  request.unpipe().resume()
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}

const largeHead = new AppError(431, "sys-040", "The address and headers are larger than the limit of 16 kB")
const notHttp = new AppError(400, "sys-003", "This is not a valid HTTP request")

/** Answers what Node's parser refused, which no route sees. */
export function refuseUnparsed(error: { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return
  const refusals: Record<string, AppError> = {
    ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
    HPE_HEADER_OVERFLOW: largeHead,
  }
  if (socket.writable) socket.write(textOf(refusals[error.code ?? ""] ?? notHttp))
  socket.destroy()
}

/** A whole response, for a connection on which nothing else follows. */
function textOf(refusal: AppError): string {
  const body = JSON.stringify(errorEnvelope(refusal))
  const head = [
    `HTTP/1.1 ${refusal.http} ${STATUS_CODES[refusal.http]}`,
    "connection: close",
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join("\r\n")}\r\n\r\n${body}`
}
