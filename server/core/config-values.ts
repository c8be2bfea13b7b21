import { isIP } from "node:net"
import { type ProtocolName, protocolNames } from "#packages/tracker-protocols/index.ts"
import type { ExtraMapLayer } from "#shared/map-layers.ts"

/** Readers of configuration values: each returns undefined for text that is not such a value. */

export const roles = ["all", "api", "worker", "tracker"] as const
export type Role = (typeof roles)[number]

export interface TrackerPort {
  protocol: ProtocolName
  port: number
}

/** `api-key=secret,other=value`, percent-encoded where needed. */
export function parseHeaders(raw: string): Record<string, string> | undefined {
  try {
    const headers = new Headers()
    for (const entry of commaList(raw)) {
      const [name = "", ...value] = entry.split("=")
      headers.append(name.trim(), decodeURIComponent(value.join("=").trim()))
    }
    return Object.fromEntries(headers)
  } catch {
    return undefined
  }
}

export function parseRole(raw: string): Role | undefined {
  return roles.find((role) => role === raw)
}

export function parseSecretsKey(raw: string): string | undefined {
  return raw.length >= 32 ? raw : undefined
}

export function parseInteger(raw: string, min: number, max: number): number | undefined {
  const value = /^\d+$/.test(raw) ? Number(raw) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

export function parseCount(raw: string): number | undefined {
  return parseInteger(raw, 0, 1e6)
}

/** `1048576`, `16 MB`, `512MB`, `1GB`; the units are powers of 1024. */
export function parseBytes(raw: string): number | undefined {
  const match = /^(\d+)\s*(B|kB|KB|MB|GB)?$/.exec(raw)
  if (!match) return undefined
  const factor = { B: 1, kB: 1024, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }[match[2] ?? "B"] ?? 1
  const bytes = Number(match[1]) * factor
  return bytes > 0 ? bytes : undefined
}

export function parseUrl(raw: string, protocols: readonly string[]): string | undefined {
  return URL.canParse(raw) && protocols.includes(new URL(raw).protocol) ? raw : undefined
}

function commaList(raw: string): string[] {
  return raw
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)
}

export function parseAddresses(raw: string): string[] | undefined {
  const addresses = commaList(raw)
  return addresses.every(isAddressOrNetwork) ? addresses : undefined
}

export function parseMapLayers(raw: string): ExtraMapLayer[] | undefined {
  let list: unknown
  try {
    list = JSON.parse(raw)
  } catch {
    return undefined
  }
  if (!Array.isArray(list)) return undefined
  const layers = list.map(toMapLayer)
  return layers.every((layer) => layer !== undefined) ? layers : undefined
}

function toMapLayer(entry: Partial<Record<keyof ExtraMapLayer, unknown>> | null): ExtraMapLayer | undefined {
  const { title, tiles, attribution = "", maxZoom = 19, tileSize = 256 } = entry ?? {}
  if (typeof title !== "string" || title === "" || typeof tiles !== "string") return undefined
  if (parseUrl(tiles, ["http:", "https:"]) === undefined || !/\{(z|bbox-epsg-3857)\}/.test(tiles))
    return undefined
  if (typeof attribution !== "string" || typeof maxZoom !== "number" || typeof tileSize !== "number")
    return undefined
  return { title, tiles, attribution, maxZoom, tileSize }
}

export function parseIds(raw: string): string[] | undefined {
  const ids = commaList(raw)
  return ids.length > 0 && ids.every((id) => /^[0-9a-f]{24}$/.test(id)) ? ids : undefined
}

/** `teltonika=5027,gt06=5023` */
export function parseTrackerPorts(raw: string): readonly TrackerPort[] | undefined {
  const entries = commaList(raw).map((entry) => {
    const [name, port = "", ...rest] = entry.split("=").map((part) => part.trim())
    const protocol = protocolNames.find((known) => known === name)
    const number = parseInteger(port, 1, 65_535)
    return protocol && number !== undefined && rest.length === 0 ? { protocol, port: number } : undefined
  })
  const ports = entries.filter((entry) => entry !== undefined)
  const isDistinct = (values: readonly unknown[]) => new Set(values).size === values.length
  const isValid = ports.length === entries.length && ports.length > 0
  return isValid &&
    isDistinct(ports.map(({ protocol }) => protocol)) &&
    isDistinct(ports.map(({ port }) => port))
    ? ports
    : undefined
}

/** Hosts, host:port and networks; what cannot be one of them would allow nothing, or all. */
export function parseTargets(raw: string): string[] | undefined {
  const targets = commaList(raw)
  return targets.every(isTarget) ? targets : undefined
}

function isAddressOrNetwork(text: string): boolean {
  const [address = "", prefix = "0", ...rest] = text.split("/")
  const version = isIP(address)
  return version > 0 && rest.length === 0 && parseInteger(prefix, 0, version === 6 ? 128 : 32) !== undefined
}

function isTarget(target: string): boolean {
  if (target.includes("/") || isIP(target) > 0) return isAddressOrNetwork(target)
  const [, host = "", port = "1"] = /^(\[[0-9a-fA-F:.]+\]|[^:\s]+)(?::(\d+))?$/.exec(target) ?? []
  const isName = host.length <= 253 && /^[a-z0-9_*](?:[a-z0-9_.*-]*[a-z0-9_])?\.?$/i.test(host)
  return (isName || isIP(host.slice(1, -1)) === 6) && parseInteger(port, 1, 65_535) !== undefined
}

export function parseOrigins(raw: string): "*" | string[] | undefined {
  if (raw === "*") return "*"
  const origins = commaList(raw)
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)
    ? origins
    : undefined
}
