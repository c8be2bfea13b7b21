import { isIPv6 } from "node:net"

const seconds = 1000
const minutes = 60 * seconds

/** What a listener allows. Mobile networks put many devices behind one address, hence the large numbers per address. */
export interface ListenerLimits {
  maxConnections: number
  connectionsPerAddress: number
  newConnectionsPerAddress: { perSecond: number; burst: number }
  connectionsPerDevice: number
  messagesPerDevice: { perSecond: number; burst: number }
  datagramsPerAddress: { perSecond: number; burst: number }
  /** Datagrams that are being stored; further ones are dropped, and sent again by their devices. */
  maxDatagrams: number
  /** Until a registered device has been recognized. */
  loginMilliseconds: number
  /** Until an incomplete frame is complete. */
  frameMilliseconds: number
  idleMilliseconds: number
  /** Unreadable frames of a connection before it is closed. */
  maxUnreadable: number
}

export const defaultLimits: Omit<ListenerLimits, "maxConnections"> = {
  connectionsPerAddress: 1_000,
  newConnectionsPerAddress: { perSecond: 50, burst: 500 },
  connectionsPerDevice: 3,
  messagesPerDevice: { perSecond: 20, burst: 200 },
  datagramsPerAddress: { perSecond: 200, burst: 1_000 },
  maxDatagrams: 500,
  loginMilliseconds: 30 * seconds,
  frameMilliseconds: 60 * seconds,
  idleMilliseconds: 30 * minutes,
  maxUnreadable: 20,
}

/** IPv4 as it is; of IPv6 the network of one customer. */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:/i, "")
  if (!isIPv6(plain)) return plain
  const [head = "", tail = ""] = plain.split("::", 2)
  const groups = head.split(":").filter(Boolean)
  const last = tail.split(":").filter(Boolean)
  const missing = plain.includes("::") ? Math.max(0, 8 - groups.length - last.length) : 0
  return [...groups, ...Array<string>(missing).fill("0"), ...last].slice(0, 4).join(":")
}
