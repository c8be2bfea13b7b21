import { isIP } from "node:net"
import { resolve } from "node:path"
import { trimEndOf } from "#packages/text/trim-characters.ts"
import { protocolNames } from "#packages/tracker-protocols/index.ts"
import type { ExtraMapLayer } from "#shared/map-layers.ts"
import {
  parseAddresses,
  parseBytes,
  parseCount,
  parseHeaders,
  parseIds,
  parseInteger,
  parseMapLayers,
  parseOrigins,
  parseRole,
  parseSecretsKey,
  parseTargets,
  parseTrackerPorts,
  parseUrl,
  type Role,
  type TrackerPort,
} from "./config-values.ts"
import type { OtlpSettings } from "./telemetry/otlp.ts"

export type { Role }

export interface Config {
  host: string
  port: number
  /** Base of links in mails and files; never taken from a request. No trailing slash. */
  publicUrl: string
  /** False: nobody configured it, so links of a list may use the address that the caller used. */
  isPublicUrlGiven: boolean
  trustProxy: string[] | false
  corsOrigins: "*" | string[]
  dataDir: string
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined
  /** A streaming replica for lists, exports and reports; undefined: everything reads the primary. */
  databaseReplicaUrl: string | undefined
  role: Role
  owner: { email: string | undefined; password: string | undefined; organizationName: string | undefined }
  objectsUrl: string
  importMaxBytes: number
  bodyMaxBytes: number
  /** Time in which the headers of a request, and the body of a small one, must have arrived. */
  headersTimeoutSeconds: number
  bodyTimeoutSeconds: number
  /** The least that a larger body must bring on average in each span of `bodyTimeoutSeconds`. */
  uploadMinBytesPerSecond: number
  /** More are closed as they come. */
  maxConnections: number
  mailUrl: string | undefined
  redisUrl: string | undefined
  /** Requests per second and organization; 0 switches this limit and that of positions off. */
  rateLimit: number
  /** The same of requests and tracker messages with positions. */
  positionRateLimit: number
  /** Event streams open at a time on this node; 0 switches the limit off. */
  streamsPerUser: number
  streamsPerOrganization: number
  mapStyleUrl: string | undefined
  /** Further origins from which that style loads tiles, fonts and images. */
  mapOrigins: readonly string[]
  /** Layers of pictures that the map's layer switcher offers. */
  mapLayers: readonly ExtraMapLayer[]
  /** Organizations that may manage maps; undefined: the first one. */
  mapsAdmin: readonly string[] | undefined
  /** Where GPS trackers connect, one port per protocol. */
  trackerHost: string
  trackerPorts: readonly TrackerPort[]
  routingUrl: string | undefined
  geocoderUrl: string | undefined
  /** Whether OAuth clients may register themselves. */
  isClientRegistrationOpen: boolean
  /** Private targets (host, host:port or CIDR) that webhooks may call. */
  webhookAllow: string[]
  /** Beside the database's own key, for the secrets that are stored sealed. */
  secretsKey: string | undefined
  /** The previous key: decrypts values until the next start has encrypted them again. */
  secretsKeyOld: string | undefined
  /** Seconds that a stopping node says "not ready" and goes on serving, for balancers to notice. */
  drainSeconds: number
  logLevel: string
  /** The OpenTelemetry collector; undefined: nothing is sent. */
  otlp: OtlpSettings | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join("\n"))
    this.problems = problems
  }
}

/** The exit code for a configuration that cannot work (EX_CONFIG of sysexits.h). */
export const configExitCode = 78

/** Reads the whole environment once. Throws a ConfigError that lists every problem, one line each. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const text = (name: string): string | undefined => {
    const value = environment[name]?.trim()
    return value === "" ? undefined : value
  }
  const check = <T>(name: string, value: T | undefined, wanted: string, fallback: T): T => {
    if (value !== undefined) return value
    problems.push(`${name}: "${environment[name]}" is not ${wanted}`)
    return fallback
  }
  const given: Given = (name, fallback, wanted, parse) => {
    const raw = text(name)
    return raw === undefined ? fallback : check(name, parse(raw), wanted, fallback)
  }
  const optionalUrl = (name: string, protocols: readonly string[]): string | undefined =>
    given<string | undefined>(name, undefined, `a URL that starts with ${protocols.join(" or ")}//`, (raw) =>
      parseUrl(raw, protocols),
    )

  const host = text("HOST") ?? "127.0.0.1"
  const port = given("PORT", 8080, "a port number from 0 to 65535", (raw) => parseInteger(raw, 0, 65535))
  const dataDir = resolve(text("DATA_DIR") ?? "data")
  const role = given<Role>("ROLE", "all", "one of all, api, worker, tracker", parseRole)
  const databaseUrl = optionalUrl("DATABASE_URL", ["postgres:", "postgresql:"])
  if (role !== "all" && !databaseUrl && !text("DATABASE_URL"))
    problems.push(`ROLE: "${role}" shares a database with other processes: set DATABASE_URL`)
  if (text("DATABASE_REPLICA_URL") && !text("DATABASE_URL"))
    problems.push("DATABASE_REPLICA_URL: a replica needs its primary: set DATABASE_URL")
  const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"]

  const config: Config = {
    host,
    port,
    publicUrl: trimEndOf(optionalUrl("PUBLIC_URL", ["http:", "https:"]) ?? defaultPublicUrl(host, port), "/"),
    isPublicUrlGiven: text("PUBLIC_URL") !== undefined,
    trustProxy: given<string[] | false>(
      "TRUST_PROXY",
      false,
      "a list of addresses or networks",
      parseAddresses,
    ),
    corsOrigins: given<"*" | string[]>("CORS_ORIGINS", "*", "* or a list of origins", parseOrigins),
    dataDir,
    databaseUrl,
    databaseReplicaUrl: optionalUrl("DATABASE_REPLICA_URL", ["postgres:", "postgresql:"]),
    role,
    owner: {
      email: given<string | undefined>("OWNER_EMAIL", undefined, "an e-mail address", (raw) =>
        /^[^\s@]+@[^\s@]+$/.test(raw) ? raw : undefined,
      ),
      password: given<string | undefined>(
        "OWNER_PASSWORD",
        undefined,
        "a password of 8 characters or more",
        (raw) => (raw.length >= 8 ? raw : undefined),
      ),
      organizationName: text("ORGANIZATION_NAME"),
    },
    objectsUrl: optionalUrl("OBJECTS_URL", ["file:", "s3:"]) ?? `file://${dataDir}/objects`,
    importMaxBytes: given("IMPORT_MAX_BYTES", 512 * 1024 ** 2, "a number of bytes", parseBytes),
    bodyMaxBytes: given("BODY_MAX_BYTES", 16 * 1024 ** 2, "a number of bytes", parseBytes),
    headersTimeoutSeconds: given("HEADERS_TIMEOUT_SECONDS", 20, "a number of seconds from 1 to 600", (raw) =>
      parseInteger(raw, 1, 600),
    ),
    bodyTimeoutSeconds: given("BODY_TIMEOUT_SECONDS", 60, "a number of seconds from 1 to 3600", (raw) =>
      parseInteger(raw, 1, 3600),
    ),
    uploadMinBytesPerSecond: given("UPLOAD_MIN_BYTES_PER_SECOND", 500, "a number of bytes", (raw) =>
      parseInteger(raw, 0, 1e9),
    ),
    maxConnections: given("MAX_CONNECTIONS", 20_000, "a number of connections", (raw) =>
      parseInteger(raw, 1, 1e7),
    ),
    mailUrl: optionalUrl("MAIL_URL", ["smtp:", "smtps:"]),
    redisUrl: optionalUrl("REDIS_URL", ["redis:", "rediss:"]),
    rateLimit: given("RATE_LIMIT", 100, "a number of requests per second, or 0", (raw) =>
      parseInteger(raw, 0, 1e9),
    ),
    positionRateLimit: given("POSITION_RATE_LIMIT", 12_000, "a number of requests per second, or 0", (raw) =>
      parseInteger(raw, 0, 1e9),
    ),
    streamsPerUser: given("STREAMS_PER_USER", 20, "a number of streams, or 0", parseCount),
    streamsPerOrganization: given("STREAMS_PER_ORGANIZATION", 1_000, "a number of streams, or 0", parseCount),
    mapStyleUrl: optionalUrl("MAP_STYLE_URL", ["http:", "https:"]),
    mapOrigins: given<readonly string[]>("MAP_ORIGINS", [], "a list of origins", (raw) => {
      const origins = parseOrigins(raw)
      return origins === "*" ? undefined : origins
    }),
    mapLayers: given<readonly ExtraMapLayer[]>(
      "MAP_LAYERS",
      [],
      'a JSON list of {"title", "tiles", "attribution"?, "maxZoom"?, "tileSize"?} with https tiles',
      parseMapLayers,
    ),
    mapsAdmin: given<string[] | undefined>("MAPS_ADMIN", undefined, "a list of organization ids", parseIds),
    trackerHost: text("TRACKER_HOST") ?? "0.0.0.0",
    trackerPorts: given<readonly TrackerPort[]>(
      "TRACKER_PORTS",
      [],
      `a list such as teltonika=5027,gt06=5023 of ${protocolNames.join(", ")}, each once and with a port of its own from 1 to 65535`,
      parseTrackerPorts,
    ),
    routingUrl: optionalUrl("ROUTING_URL", ["http:", "https:"]),
    geocoderUrl: optionalUrl("GEOCODER_URL", ["http:", "https:"]),
    isClientRegistrationOpen: given("OAUTH_REGISTRATION", false, "open or closed", (raw) =>
      raw === "open" || raw === "closed" ? raw === "open" : undefined,
    ),
    webhookAllow: given<string[]>("WEBHOOK_ALLOW", [], "a list of host, host:port or network", parseTargets),
    secretsKey: given<string | undefined>("SECRETS_KEY", undefined, "32 characters or more", parseSecretsKey),
    secretsKeyOld: given<string | undefined>(
      "SECRETS_KEY_OLD",
      undefined,
      "32 characters or more",
      parseSecretsKey,
    ),
    otlp: readOtlp(given, optionalUrl("OTEL_EXPORTER_OTLP_ENDPOINT", ["http:", "https:"])),
    drainSeconds: given("DRAIN_SECONDS", 0, "a number of seconds from 0 to 60", (raw) =>
      parseInteger(raw, 0, 60),
    ),
    logLevel: given("LOG_LEVEL", "info", `one of ${logLevels.join(", ")}`, (raw) =>
      logLevels.includes(raw) ? raw : undefined,
    ),
  }
  if (role === "tracker" && !text("TRACKER_PORTS"))
    problems.push('ROLE: "tracker" listens for GPS trackers: set TRACKER_PORTS')
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Reads a variable with its fallback; a value that cannot be parsed is a problem of the configuration. */
type Given = <T>(name: string, fallback: T, wanted: string, parse: (raw: string) => T | undefined) => T

function readOtlp(given: Given, url: string | undefined): OtlpSettings | undefined {
  const headers = given("OTEL_EXPORTER_OTLP_HEADERS", {}, "a list such as api-key=secret", parseHeaders)
  const signals = (["traces", "metrics", "logs"] as const).filter((signal) =>
    given(`OTEL_${signal.toUpperCase()}_EXPORTER`, true, "otlp or none", (raw) =>
      raw === "otlp" || raw === "none" ? raw === "otlp" : undefined,
    ),
  )
  const metricMilliseconds = given(
    "OTEL_METRIC_EXPORT_INTERVAL",
    60_000,
    "a number of milliseconds from 1000 to 3600000",
    (raw) => parseInteger(raw, 1_000, 3_600_000),
  )
  return url === undefined ? undefined : { url, headers, signals, metricMilliseconds }
}

function defaultPublicUrl(host: string, port: number): string {
  const shown = host === "0.0.0.0" || host === "::" ? "localhost" : isIP(host) === 6 ? `[${host}]` : host
  return `http://${shown}:${port}`
}
