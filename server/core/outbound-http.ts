import { lookup as resolveName } from "node:dns"
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http"
import { Agent as PlainAgent, request as requestPlain } from "node:http"
import { request as requestSecure, Agent as SecureAgent } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import { isPrivateAddress, parseAllowList } from "./outbound-targets.ts"

/**
 * The one way out to addresses that users configure: webhooks, external data. The address is checked where
 * the connection is made, after names are resolved, so a name that changes its answer gets nowhere.
 * Redirects are never followed: the answer with its 3xx status is handed back.
 */
export interface OutboundRequest {
  url: string
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** For everything: name, connection, answer. */
  timeoutMilliseconds: number
  /** Largest body that is read. */
  maxBytes: number
  signal?: AbortSignal
  /** Keeps the connection for further requests to the same host. Its address was checked when it was made. */
  reuseConnections?: boolean
}

export interface OutboundAnswer {
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
  {
    url,
    method = "GET",
    headers = {},
    body,
    timeoutMilliseconds,
    maxBytes,
    signal,
    reuseConnections = false,
  }: OutboundRequest,
  allow: readonly string[],
): Promise<OutboundAnswer> {
  const target = readTarget(url)
  const limit = AbortSignal.timeout(timeoutMilliseconds)
  const stop = signal ? AbortSignal.any([limit, signal]) : limit
  try {
    const lookup = guardedLookup(target, allow)
    const options = { method, headers: outgoing(headers, body), lookup, signal: stop }
    if (!reuseConnections) return await exchange(target, { ...options, agent: false }, body, maxBytes)
    const agents = agentsOf(allow)
    const agent = target.protocol === "https:" ? agents.secure : agents.plain
    try {
      return await exchange(target, { ...options, agent }, body, maxBytes)
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error
      return await exchange(target, { ...options, agent: false }, body, maxBytes)
    }
  } catch (error) {
    if (error instanceof OutboundError) throw error
    if (limit.aborted)
      throw new OutboundError(
        "time",
        `${target.host} did not answer within ${timeoutMilliseconds / 1000} s`,
        error,
      )
    throw new OutboundError(
      "failed",
      `${target.host} could not be reached: ${(error as Error).message}`,
      error,
    )
  }
}

/** A kept connection that the other side closed just when it was used again: nothing came back. */
class StaleConnection extends Error {}

/** A kept connection stands for one check of its address, hence for one list of what is allowed. */
const agentsByList = new WeakMap<readonly string[], { plain: PlainAgent; secure: SecureAgent }>()
/** Kept to one host while nothing is sent, and for how long. */
const keptConnections = 50
const keptMilliseconds = 15_000

function agentsOf(allow: readonly string[]) {
  const known = agentsByList.get(allow)
  if (known) return known
  const options = { keepAlive: true, maxFreeSockets: keptConnections, timeout: keptMilliseconds }
  const agents = { plain: new PlainAgent(options), secure: new SecureAgent(options) }
  agentsByList.set(allow, agents)
  return agents
}

function readTarget(url: string): URL {
  if (!URL.canParse(url)) throw new OutboundError("target", "The address is not a URL")
  const target = new URL(url)
  if (target.protocol !== "http:" && target.protocol !== "https:")
    throw new OutboundError("target", "The address must start with http:// or https://")
  return target
}

function outgoing(
  headers: Readonly<Record<string, string>>,
  body: string | Buffer | undefined,
): OutgoingHttpHeaders {
  return {
    "user-agent": "Fieldway",
    ...headers,
    "accept-encoding": "identity",
    ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
  }
}

/** Resolves like the system does and hands on only addresses that may be reached. */
function guardedLookup(target: URL, allow: readonly string[]): LookupFunction {
  const allowed = parseAllowList(allow)
  const host = target.hostname.replace(/^\[|\]$/g, "")
  const port = target.port || (target.protocol === "https:" ? "443" : "80")
  const isGood = (address: string) =>
    !isPrivateAddress(address) || allowed.hasHost(host, port) || allowed.hasAddress(address)
  const refusal = () => new OutboundError("target", `${target.host} is a private address: it is not called`)
  // An address instead of a name is never looked up.
  if (isIP(host) && !isGood(host)) throw refusal()
  return (hostname, options, done) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, "")
      const good = addresses.filter(({ address }) => isGood(address))
      const [first] = good
      if (!first) return done(refusal() as NodeJS.ErrnoException, "")
      if (options.all) done(null, good)
      else done(null, first.address, first.family)
    })
  }
}

interface Exchange {
  method: string
  headers: OutgoingHttpHeaders
  lookup: LookupFunction
  signal: AbortSignal
  agent: PlainAgent | SecureAgent | false
}

function exchange(
  target: URL,
  options: Exchange,
  body: string | Buffer | undefined,
  maxBytes: number,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    const start = target.protocol === "https:" ? requestSecure : requestPlain
    let hasAnswer = false
    const request = start(target, options, (answer) => {
      hasAnswer = true
      const parts: Buffer[] = []
      let size = 0
      answer.on("data", (part: Buffer) => {
        size += part.length
        if (size > maxBytes)
          answer.destroy(
            new OutboundError("size", `${target.host} answered with more than ${maxBytes} bytes`),
          )
        else parts.push(part)
      })
      answer.on("error", reject)
      answer.on("end", () =>
        resolve({ statusCode: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      )
    })
    request.on("error", (error: NodeJS.ErrnoException) => {
      const isStale = request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")
      reject(isStale && !hasAnswer ? new StaleConnection(error.message, { cause: error }) : error)
    })
    request.end(body)
  })
}
