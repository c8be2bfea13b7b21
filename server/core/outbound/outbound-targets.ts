import { BlockList, isIP } from "node:net"

/**
 * Addresses that are not of the public internet: this host, private and shared networks, link-local,
 * documentation, multicast, reserved, and IPv6 forms that carry an IPv4 address past such a check
 * (IANA special-purpose address registries).
 */
const ipv4Networks = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const
const ipv6Networks = [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const

// Two lists: in one, the IPv6 network of mapped IPv4 addresses would match every IPv4 address.
const privateNetworks = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, prefix] of ipv4Networks) privateNetworks.ipv4.addSubnet(network, prefix, "ipv4")
for (const [network, prefix] of ipv6Networks) privateNetworks.ipv6.addSubnet(network, prefix, "ipv6")

/** True for everything that is not a public address, text that is no address included. */
export function isPrivateAddress(address: string): boolean {
  // A zone such as fe80::1%eth0 is no part of the address.
  const plain = address.split("%")[0] ?? ""
  const family = isIP(plain)
  if (family === 0) return true
  const kind = family === 6 ? "ipv6" : "ipv4"
  return privateNetworks[kind].check(plain, kind)
}

export interface AllowList {
  hasHost(host: string, port: string): boolean
  hasAddress(address: string): boolean
}

/** Reads entries `host`, `host:port`, `address` and `network/prefix`. What is none of them allows nothing. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>()
  const networks = new BlockList()
  for (const entry of entries) {
    const [network = "", prefix, ...rest] = entry.split("/")
    const family = isIP(network)
    if (family > 0 && prefix !== undefined && rest.length === 0) {
      const bits = Number(prefix)
      const isPrefix = /^\d{1,3}$/.test(prefix) && bits <= (family === 6 ? 128 : 32)
      if (isPrefix) networks.addSubnet(network, bits, family === 6 ? "ipv6" : "ipv4")
    } else {
      hosts.add(entry.toLowerCase().replace(/[[\]]/g, ""))
    }
  }
  return {
    hasHost: (host, port) => hosts.has(host.toLowerCase()) || hosts.has(`${host.toLowerCase()}:${port}`),
    hasAddress: (address) => {
      const family = isIP(address)
      return hosts.has(address) || (family > 0 && networks.check(address, family === 6 ? "ipv6" : "ipv4"))
    },
  }
}
