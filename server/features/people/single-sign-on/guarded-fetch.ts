import type { CustomFetch } from "openid-client"
import { OutboundError, sendOutbound } from "#core/outbound/outbound-http.ts"
import { SignInRefused } from "./refusal.ts"

const limits = { timeoutMilliseconds: 10_000, maxBytes: 512 * 1024 }

/** Calls of a provider go the one guarded way out: its address was typed in by somebody. */
export function guardedFetch(allow: readonly string[]): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    try {
      const response = await sendOutbound(
        {
          url,
          method: method === "POST" ? "POST" : "GET",
          headers,
          ...limits,
          ...(body === undefined || body === null ? {} : { body: textOf(body) }),
          ...(signal ? { signal } : {}),
        },
        allow,
      )
      const received = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, String(value)]],
      )
      const hasBody = ![204, 205, 304].includes(response.statusCode)
      const content = hasBody ? new Uint8Array(response.body) : null
      return new Response(content, { status: response.statusCode, headers: received })
    } catch (error) {
      if (error instanceof OutboundError) throw new SignInRefused("unreachable", error.message, error)
      throw error
    }
  }
}

function textOf(body: unknown): string | Buffer {
  if (body instanceof URLSearchParams || typeof body === "string") return body.toString()
  if (body instanceof Uint8Array) return Buffer.from(body)
  throw new TypeError("a request to a provider is a form")
}
