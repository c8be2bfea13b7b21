import { OutboundError, sendOutbound } from "#core/outbound/outbound-http.ts"
import { ReadingError } from "./problem.ts"

/** What is asked for, checked. */
export interface ReadOptions {
  address: string
  token: string
  /** Dates such as 2031-05-04, of collections that need them. */
  from: string
  to: string
}

/** One column per key, in the order in which they first occur. */
export type OtherRow = Readonly<Record<string, string>>

/** Reads a list, page by page. Everything it gets comes from `ask`, so the same answers give the same rows. */
export type ReadCollection = (ask: Ask, options: ReadOptions) => AsyncGenerator<readonly OtherRow[]>

export type Ask = (path: string, question?: Question) => Promise<unknown>

export interface Question {
  headers?: Readonly<Record<string, string>>
  body?: unknown
}

/** An answer, or how long to wait before the question is asked again and what is wrong if that does not help. */
export type Exchange =
  | { kind: "response"; body: Buffer }
  | { kind: "busy"; waitMilliseconds: number }
  | { kind: "failed"; error: ReadingError }

const maxBytes = 32 * 1024 ** 2
const oneRequestMilliseconds = 60_000

/** Sends one question. Addresses in private networks are refused. Throws a ReadingError where repeating is of no use. */
export async function exchange(
  address: string,
  path: string,
  { headers = {}, body }: Question,
  rules: { allow: readonly string[]; signal: AbortSignal; milliseconds?: number },
): Promise<Exchange> {
  const request = {
    url: address.replace(/\/$/, "") + path,
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { method: "POST" as const, body: JSON.stringify(body) }),
    timeoutMilliseconds: Math.min(rules.milliseconds ?? oneRequestMilliseconds, oneRequestMilliseconds),
    maxBytes,
    signal: rules.signal,
  }
  try {
    const response = await sendOutbound(request, rules.allow)
    const { statusCode } = response
    if (statusCode === 200) return { kind: "response", body: response.body }
    const wait = waitOf(response.headers["retry-after"])
    if (statusCode === 429 || (statusCode === 503 && wait !== undefined))
      return { kind: "busy", waitMilliseconds: wait ?? 1_000 }
    if (statusCode === 401 || statusCode === 403)
      throw new ReadingError("wrong-key", "The other system does not accept this key", {
        httpStatus: statusCode,
      })
    const error = new ReadingError("http-status", `The other system responded with status ${statusCode}`, {
      httpStatus: statusCode,
    })
    if (statusCode < 500 && statusCode !== 408) throw error
    return { kind: "failed", error }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.failure === "target")
      throw new ReadingError("forbidden-address", error.message, { cause: error })
    if (error.failure === "size")
      throw new ReadingError("too-large", "One response of the other system is larger than 32 MB", {
        cause: error,
      })
    return { kind: "failed", error: new ReadingError("unreachable", error.message, { cause: error }) }
  }
}

/** `Retry-After` in seconds or as a date; undefined where it is missing or makes no sense. */
function waitOf(text: string | string[] | undefined): number | undefined {
  if (typeof text !== "string" || text.trim() === "") return undefined
  const seconds = Number(text)
  const milliseconds = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - Date.now()
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}

export function parseResponse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch (error) {
    throw new ReadingError("not-json", "The other system did not respond with JSON. Check the address", {
      cause: error,
    })
  }
}
