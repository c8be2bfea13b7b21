import { setTimeout } from "node:timers/promises"
import { OutboundError, sendOutbound } from "#core/outbound/outbound-http.ts"
import { otherSystemErrors } from "./errors.ts"

/** What is asked for, checked. */
interface ReadOptions {
  address: string
  token: string
  /** Dates such as 2031-05-04, of collections that need them. */
  from: string
  to: string
}

/** One column per key, in the order in which they first occur. */
export type OtherRow = Readonly<Record<string, string>>

/** Reads a list, page by page. */
export type ReadCollection = (ask: Ask, options: ReadOptions) => AsyncGenerator<readonly OtherRow[]>

export type Ask = (
  path: string,
  options?: { headers?: Readonly<Record<string, string>>; body?: unknown },
) => Promise<unknown>

const maxBytes = 20 * 1024 ** 2
const maxRequests = 1_000
const totalMilliseconds = 90_000
const maxWaitMilliseconds = 5_000

/** Sends requests to the other system, as far as time and number allow. Addresses in private networks are refused. */
export function asker(address: string, allow: readonly string[], signal: AbortSignal): Ask {
  const ends = Date.now() + totalMilliseconds
  let count = 0
  return async function ask(path, { headers = {}, body } = {}) {
    for (;;) {
      const left = ends - Date.now()
      if (++count > maxRequests || left <= 0)
        throw otherSystemErrors.unusable({
          message: "Reading takes too long. Choose a shorter range of dates",
        })
      const request = {
        url: address.replace(/\/$/, "") + path,
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { method: "POST" as const, body: JSON.stringify(body) }),
        timeoutMilliseconds: Math.min(left, 30_000),
        maxBytes,
        signal,
      }
      const response = await sendOutbound(request, allow).catch((error: unknown) => {
        if (!(error instanceof OutboundError)) throw error
        throw otherSystemErrors.unusable({ message: error.message, cause: error })
      })
      if (response.statusCode === 429) {
        const seconds = Number(response.headers["retry-after"] ?? 1)
        const wait = Number.isFinite(seconds) ? Math.max(0, seconds) * 1_000 : 1_000
        await setTimeout(Math.min(maxWaitMilliseconds, wait), undefined, { signal })
        continue
      }
      return readBody(response.statusCode, response.body)
    }
  }
}

function readBody(status: number, body: Buffer): unknown {
  if (status === 401 || status === 403)
    throw otherSystemErrors.unusable({ message: "The other system does not accept this key" })
  if (status !== 200)
    throw otherSystemErrors.unusable({ message: `The other system responded with status ${status}` })
  try {
    return JSON.parse(body.toString("utf8"))
  } catch (error) {
    throw otherSystemErrors.unusable({
      message: "The other system did not respond with JSON. Check the address",
      cause: error,
    })
  }
}
