export interface RetryOptions {
  /** Tries after the first; default 4. */
  retries?: number
  /** A server that asks to wait longer than this is not waited for: its response comes back. Default 60. */
  maxWaitSeconds?: number
  /** What sends; default the platform's `fetch`. */
  fetch?: typeof fetch
}

type Address = string | URL | Request

/** Without Retry-After: 0.5 s, doubled each time. */
const firstWaitSeconds = 0.5

/**
 * A `fetch` that tries again what the server did not do:
 * - 429 and 503 with `Retry-After`, any method, after the time that the server asks for;
 * - 503 without it, and connections that break, only where a second call does no second harm: GET, HEAD,
 *   PUT, and whatever carries an `Idempotency-Key`, which the server processes once.
 */
export function retryingFetch(options: RetryOptions = {}): typeof fetch {
  const { retries = 4, maxWaitSeconds = 60, fetch: send = fetch } = options
  return async (input, init) => {
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries
      const isSafe = mayRepeat(input, init)
      // A Request can be read once: what is left of it serves the next try.
      const request = input instanceof Request && !isLast ? input.clone() : input
      let response: Response
      try {
        response = await send(request, init)
      } catch (error) {
        if (isLast || !isSafe || isAborted(input, init)) throw error
        await pause(firstWaitSeconds * 2 ** attempt, signalOf(input, init))
        continue
      }
      if (isLast || (response.status !== 429 && response.status !== 503)) return response
      const asked = retryAfterSeconds(response.headers.get("retry-after"), Date.now())
      if (asked === undefined && response.status === 503 && !isSafe) return response
      const seconds = asked ?? firstWaitSeconds * 2 ** attempt
      if (seconds > maxWaitSeconds) return response
      await response.body?.cancel()
      await pause(seconds, signalOf(input, init))
    }
  }
}

/** Seconds to wait by a Retry-After header, which holds seconds or a date. Undefined when it holds neither. */
function retryAfterSeconds(header: string | null, nowMilliseconds: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header.trim())) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - nowMilliseconds) / 1000)
}

function mayRepeat(input: Address, init: RequestInit | undefined): boolean {
  const request = input instanceof Request ? input : undefined
  const method = (init?.method ?? request?.method ?? "GET").toUpperCase()
  const headers = new Headers(init?.headers ?? request?.headers)
  return ["GET", "HEAD", "PUT"].includes(method) || headers.has("idempotency-key")
}

function signalOf(input: Address, init: RequestInit | undefined): AbortSignal | undefined {
  return init?.signal ?? (input instanceof Request ? input.signal : undefined)
}

function isAborted(input: Address, init: RequestInit | undefined): boolean {
  return signalOf(input, init)?.aborted ?? false
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) giveUp()
    else signal?.addEventListener("abort", giveUp, { once: true })
  })
}
