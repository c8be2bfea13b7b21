import { createWriteStream } from "node:fs"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { request } from "undici"
import { connectionsFor, PrivateTarget } from "./outbound-connections.ts"
import { OutboundError } from "./outbound-http.ts"

export interface Download {
  readonly url: string
  readonly path: string
  readonly maxBytes: number
  readonly timeoutMilliseconds: number
  readonly signal?: AbortSignal
}

/** Download sites name the newest file with a redirect. Each address is checked like the first. */
const maxRedirects = 5

/** Downloads a large file to disk. `allow` lists private targets that may be reached. */
export async function downloadOutbound(
  { url, path, maxBytes, timeoutMilliseconds, signal }: Download,
  allow: readonly string[],
  onProgress?: (share: number) => void,
): Promise<void> {
  const timeout = AbortSignal.timeout(timeoutMilliseconds)
  const stop = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    const { body, bytes } = await open(url, allow, stop)
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    let received = 0
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        received += chunk.length
        if (bytes > 0) onProgress?.(received / bytes)
        done(received > maxBytes ? tooLarge(maxBytes) : null, chunk)
      },
    })
    await pipeline(body, count, createWriteStream(path), { signal: stop })
  } catch (error) {
    if (error instanceof OutboundError) throw error
    if (error instanceof PrivateTarget)
      throw new OutboundError("target", `${error.message}, except those that WEBHOOK_ALLOW lists`, error)
    if (timeout.aborted) throw new OutboundError("time", "the download took too long", error)
    throw new OutboundError("failed", `the server could not be reached: ${(error as Error).message}`, error)
  }
}

const tooLarge = (maxBytes: number) => new OutboundError("size", `the file has more than ${maxBytes} bytes`)

async function open(url: string, allow: readonly string[], signal: AbortSignal) {
  const { agent } = connectionsFor(allow)
  let target = url
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (!/^https?:\/\//i.test(target) || !URL.canParse(target))
      throw new OutboundError("target", "the address must start with http:// or https://")
    const { statusCode, headers, body } = await request(target, {
      dispatcher: agent,
      signal,
      headers: { "user-agent": "Fieldway", "accept-encoding": "identity" },
    })
    if (statusCode === 200) return { body, bytes: Number(headers["content-length"] ?? 0) }
    await body.dump()
    const location = headers.location
    if (statusCode < 300 || statusCode >= 400 || typeof location !== "string")
      throw new OutboundError("failed", `the server responded with status ${statusCode}`)
    target = new URL(location, target).href
  }
  throw new OutboundError("failed", "the address redirects too often")
}
