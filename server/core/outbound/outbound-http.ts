import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"
import { connectionsFor, PrivateTarget } from "./outbound-connections.ts"

/**
 * The one way out to addresses that users configure: webhooks, external data. The address is checked where
 * the connection is made, after names are resolved, so a name that changes its response gets nowhere.
 * Redirects are never followed: the response with its 3xx status is handed back.
 */
export interface OutboundRequest {
  url: string
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** In total: name resolution, connection and response. */
  timeoutMilliseconds: number
  /** Largest body that is read. */
  maxBytes: number
  signal?: AbortSignal
}

export interface OutboundResponse {
  statusCode: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** `target` is not allowed, `time` ran out, the body is over the `size`, or the exchange `failed`. */
export type OutboundFailure = "target" | "time" | "size" | "failed"

export class OutboundError extends Error {
  readonly failure: OutboundFailure
  constructor(failure: OutboundFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.failure = failure
  }
}

/** Sends one request. `allow` lists private targets that may be reached: host, host:port or CIDR. */
export async function sendOutbound(
  request: OutboundRequest,
  allow: readonly string[],
): Promise<OutboundResponse> {
  const target = readTarget(request.url)
  const ends = Date.now() + request.timeoutMilliseconds
  const { agent, alone, opened } = connectionsFor(allow)
  const openedBefore = opened(target.origin)
  const isKept = () => opened(target.origin) === openedBefore
  try {
    return await exchange(agent, target, request, ends)
  } catch (error) {
    if (!(error instanceof NoResponse && isKept())) throw toOutboundError(target, error)
  }
  // A kept connection that the other side closed just when it was used again: nothing came back.
  const client = alone(target.origin)
  try {
    return await exchange(client, target, request, ends)
  } catch (error) {
    throw toOutboundError(target, error)
  } finally {
    void client.destroy()
  }
}

/** The connection ended before anything of a response came. */
class NoResponse extends Error {}

function toOutboundError(target: URL, error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  if (error instanceof PrivateTarget) return new OutboundError("target", error.message, error)
  const { message, code } = error as NodeJS.ErrnoException
  return new OutboundError("failed", `${target.host} could not be reached: ${message || code}`, error)
}

function readTarget(url: string): URL {
  const target = URL.parse(url)
  if (!target) throw new OutboundError("target", "The address is not a valid URL")
  if (target.protocol !== "http:" && target.protocol !== "https:")
    throw new OutboundError("target", "The address must start with http:// or https://")
  return target
}

function outgoing(target: URL, headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    "user-agent": "Fieldway",
    ...(target.username || target.password ? { authorization: basicOf(target) } : {}),
    ...headers,
    "accept-encoding": "identity",
  }
}

/** A name and a password in the address are sent as every client does. */
function basicOf({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}`
}

function exchange(
  dispatcher: Dispatcher,
  target: URL,
  { method = "GET", headers, body, timeoutMilliseconds, maxBytes, signal }: OutboundRequest,
  ends: number,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    let response: Pick<OutboundResponse, "statusCode" | "headers"> | undefined
    let running: Dispatcher.DispatchController | undefined
    let broken: Error | undefined
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
    }
    const breakOff = (reason: Error) => {
      broken ??= reason
      end()
      reject(broken)
      running?.abort(broken)
    }
    const onAbort = () => breakOff(new Error("aborted", { cause: signal?.reason }))
    const timer = setTimeout(
      () => {
        const words = `${target.host} did not respond within ${timeoutMilliseconds / 1000} s`
        breakOff(new OutboundError("time", words))
      },
      Math.max(0, ends - Date.now()),
    )
    if (signal?.aborted) return onAbort()
    signal?.addEventListener("abort", onAbort)
    dispatcher.dispatch(
      {
        origin: target.origin,
        path: target.pathname + target.search,
        method,
        headers: outgoing(target, headers),
        body: body ?? null,
      },
      {
        onRequestStart(controller) {
          running = controller
          if (broken) controller.abort(broken)
        },
        onResponseStart(_controller, statusCode, received) {
          response = { statusCode, headers: received }
        },
        onResponseData(_controller, part) {
          size += part.length
          if (size <= maxBytes) parts.push(part)
          else breakOff(new OutboundError("size", `${target.host} returned more than ${maxBytes} bytes`))
        },
        onResponseEnd() {
          end()
          resolve({ statusCode: 0, headers: {}, ...response, body: Buffer.concat(parts) })
        },
        onResponseError(_controller, error: NodeJS.ErrnoException) {
          end()
          const isClosed = ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(error.code ?? "")
          reject(isClosed && !response ? new NoResponse(error.message, { cause: error }) : error)
        },
      },
    )
  })
}
