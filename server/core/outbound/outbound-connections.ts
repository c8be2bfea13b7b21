import { lookup as resolveName } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import { Agent, buildConnector, Client } from "undici"
import { refuseInDryRun } from "../dry-run.ts"
import { isPrivateAddress, parseAllowList } from "./outbound-targets.ts"

/** Thrown where a connection would go to a private address that is not allowed. */
export class PrivateTarget extends Error {}

/** Connections that are kept for further requests; their addresses were checked when they were made. */
export interface Connections {
  agent: Agent
  /** A connection of its own to one origin. Destroy it after use. */
  alone(origin: string): Client
  /** How many connections to the origin were opened so far. */
  opened(origin: string): number
}

/** How long a connection is kept while nothing is sent; less where the other side says so. */
const keptMilliseconds = 15_000
/** Time limits are the caller's, for everything together. */
const options = {
  pipelining: 1,
  allowH2: false,
  keepAliveTimeout: keptMilliseconds,
  keepAliveMaxTimeout: keptMilliseconds,
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

/** A kept connection stands for one check of its address, hence for one list of what is allowed. */
const connectionsByList = new WeakMap<readonly string[], Connections>()

export function connectionsFor(allow: readonly string[]): Connections {
  refuseInDryRun()
  const known = connectionsByList.get(allow)
  if (known) return known
  const allowed = parseAllowList(allow)
  // A number for each origin that was ever called identifies the meaning of a kept connection.
  const opened = new Map<string, number>()
  const connect: buildConnector.connector = (target, done) => {
    const { protocol, port, hostname } = target
    const host = hostname.replace(/^\[|\]$/g, "")
    const isGood = (address: string) =>
      !isPrivateAddress(address) ||
      allowed.hasAddress(address) ||
      allowed.hasHost(host, port || (protocol === "https:" ? "443" : "80"))
    const refusal = () =>
      new PrivateTarget(
        `${target.host ?? host} is a private address. Requests to private addresses are blocked`,
      )
    // An address instead of a name is never looked up.
    if (isIP(host) && !isGood(host)) return done(refusal(), null)
    const origin = `${protocol}//${target.host}`
    opened.set(origin, (opened.get(origin) ?? 0) + 1)
    buildConnector({ allowH2: false, timeout: 0, lookup: guardedLookup(isGood, refusal) })(target, done)
  }
  const connections: Connections = {
    agent: new Agent({ ...options, connect }),
    alone: (origin) => new Client(origin, { ...options, connect }),
    opened: (origin) => opened.get(origin) ?? 0,
  }
  connectionsByList.set(allow, connections)
  return connections
}

/** Resolves like the system does and hands on only addresses that may be reached. */
function guardedLookup(isGood: (address: string) => boolean, refusal: () => Error): LookupFunction {
  return (hostname, query, done) => {
    resolveName(hostname, { ...query, all: true }, (error, addresses) => {
      if (error) return done(error, "")
      const good = addresses.filter(({ address }) => isGood(address))
      const [first] = good
      if (!first) return done(refusal(), "")
      if (query.all) done(null, good)
      else done(null, first.address, first.family)
    })
  }
}
