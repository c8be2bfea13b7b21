import { readFileSync } from "node:fs"
import type { ConnectionOptions } from "node:tls"
import type pg from "pg"

export interface ServerOptions {
  applicationName: string
  /** Milliseconds after which PostgreSQL ends a statement; 0 is no limit. */
  statementTimeoutMilliseconds?: number
  idleInTransactionMilliseconds?: number
  /** A commit does not wait for the disk: a crash of the database may lose what was committed in its last second. */
  asynchronousCommit?: true
}

const connectMilliseconds = 10_000
const keepAliveMilliseconds = 30_000

/**
 * `DATABASE_URL` as pg's options. `postgres:///name?host=/folder` names a socket folder. `sslmode` is that of
 * psql from `require` on: `require` encrypts, and checks the certificate's issuer where `sslrootcert` names it; `verify-ca`
 * always checks the issuer, `verify-full` the host name too. Otherwise nothing is encrypted: unlike psql, `allow` and
 * `prefer` do not try TLS, as nobody could rely on it.
 */
export function connectionConfig(url: string, options: ServerOptions): pg.ClientConfig {
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(url)
  if (!/^postgres(ql)?:$/.test(protocol)) throw new Error("the database's address starts with postgres://")
  const ssl = tlsOf(searchParams)
  const config: pg.ClientConfig = {
    host: searchParams.get("host") ?? (decodeURIComponent(hostname) || "localhost"),
    port: Number(searchParams.get("port") ?? (port || 5432)),
    ...present({
      database: decodeURIComponent(pathname.slice(1)),
      user: searchParams.get("user") ?? decodeURIComponent(username),
      password: searchParams.get("password") ?? decodeURIComponent(password),
    }),
    ssl,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectMilliseconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMilliseconds,
    // Settings that pg has no option for. Instants are read and written in UTC.
    options: [
      searchParams.get("options"),
      "-c TimeZone=UTC",
      options.asynchronousCommit && "-c synchronous_commit=off",
    ]
      .filter(Boolean)
      .join(" "),
  }
  if (options.statementTimeoutMilliseconds) config.statement_timeout = options.statementTimeoutMilliseconds
  if (options.idleInTransactionMilliseconds)
    config.idle_in_transaction_session_timeout = options.idleInTransactionMilliseconds
  return config
}

/** What is empty is left to pg, which asks the environment. */
function present<T extends Record<string, string>>(parts: T): Partial<T> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== "")) as Partial<T>
}

function tlsOf(parameters: URLSearchParams): boolean | ConnectionOptions {
  const mode = parameters.get("sslmode") ?? (parameters.get("ssl") === "true" ? "require" : "disable")
  if (mode === "disable" || mode === "allow" || mode === "prefer") return false
  const issuer = parameters.get("sslrootcert")
  const authority = issuer && issuer !== "system" ? { ca: readFileSync(issuer, "utf8") } : {}
  if (mode === "require") return { rejectUnauthorized: Boolean(authority.ca), ...authority }
  if (mode === "verify-ca") return { ...authority, checkServerIdentity: () => undefined }
  if (mode === "verify-full") return authority
  throw new Error(`the database's address has an unknown sslmode: ${mode}`)
}
