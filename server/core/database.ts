import type postgres from "postgres"
import { postgres as driver } from "./postgres-driver.ts"

interface Types extends Record<string, postgres.PostgresType> {
  instant: {
    to: 1184
    from: [1184]
    serialize: (value: Temporal.Instant | string) => string
    parse: (raw: string) => Temporal.Instant
  }
}

type Parsed = { instant: Temporal.Instant }

/** A handle that runs statements: the pool, or one transaction. */
export type Sql = postgres.ISql<Parsed>
/** The pool itself. */
export type Pool = postgres.Sql<Parsed>
/** One open transaction. Functions that write in several steps ask for it by this type. */
export type Tx = postgres.TransactionSql<Parsed>
export type Fragment = postgres.PendingQuery<postgres.Row[]> | postgres.Helper<string, []>

export interface ConnectOptions {
  max?: number
  /** Seconds after which an unused connection closes; 0 keeps it. */
  idleSeconds?: number
  applicationName?: string
  /** Milliseconds after which PostgreSQL ends a statement; 0 is no limit. */
  statementTimeoutMilliseconds?: number
}

/**
 * A pool. Columns arrive in camelCase, `timestamptz` as Temporal.Instant, `date` and `time` as text,
 * `bigint` as number (counts and positions in files stay below 2^53), `undefined` is written as null.
 */
export function connect(url: string, options: ConnectOptions = {}): Pool {
  const { host, query } = socketOf(url)
  return driver(query, {
    ...(host ? { host } : {}),
    max: options.max ?? 10,
    idle_timeout: options.idleSeconds ?? 60,
    connect_timeout: 10,
    backoff: (attempt: number) => Math.min(0.1 * 2 ** attempt, 2),
    onnotice: () => undefined,
    connection: {
      application_name: options.applicationName ?? "fieldway",
      statement_timeout: options.statementTimeoutMilliseconds ?? 30_000,
      idle_in_transaction_session_timeout: 120_000,
      TimeZone: "UTC",
    },
    transform: { undefined: null, column: { from: driver.toCamel, to: driver.fromCamel } },
    types: {
      date: textType(1082, [1082, 1083, 1114]),
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
      instant: { to: 1184, from: [1184], serialize: String, parse: parseInstant },
    } as unknown as Types,
  }) as unknown as Pool
}

function textType(to: number, from: number[]) {
  return { to, from, serialize: String, parse: (raw: string) => raw }
}

/** PostgreSQL writes `2031-05-04 03:02:01.123+00` for an instant while the session is in UTC. */
function parseInstant(raw: string): Temporal.Instant {
  return Temporal.Instant.from(raw)
}

/** `postgres:///name?host=/folder` names a socket folder, which the driver takes as an option only. */
function socketOf(url: string): { host: string | undefined; query: string } {
  const parsed = new URL(url)
  const host = parsed.searchParams.get("host") ?? undefined
  if (!host) return { host: undefined, query: url }
  parsed.searchParams.delete("host")
  return { host, query: parsed.toString() }
}

/** A value for a json or jsonb column. The cast stands here once: anything that JSON.stringify takes is fine. */
export function json(sql: Sql, value: unknown): postgres.Parameter {
  return sql.json(value as postgres.JSONValue)
}

const separator = "\u001f"

/**
 * JSON texts as an array, for `unnest`. One text with separators, which JSON never holds unescaped: the
 * driver and the server take it apart several times faster than an array whose elements are quoted.
 */
export function jsonTexts(sql: Sql, texts: readonly string[]): Fragment {
  return sql`string_to_array(${texts.join(separator)}::text, chr(31))`
}

/** Ids, or null, as an array for `unnest`, at the same price. */
export function idTexts(sql: Sql, ids: readonly (string | null)[]): Fragment {
  return sql`string_to_array(${ids.map((id) => id ?? "").join(",")}::text, ',', '')`
}

const commitHooks = new WeakMap<object, (() => void)[]>()

/** Runs `hook` once the transaction has committed; never when it rolls back. */
export function afterCommit(tx: Sql, hook: () => void): void {
  const hooks = commitHooks.get(tx)
  if (!hooks) throw new Error("afterCommit needs a handle from inTransaction")
  hooks.push(hook)
}

/**
 * Runs `work` in one transaction: begins one on the pool, or a savepoint inside an open one (then the
 * outer transaction's commit decides). Use it instead of `begin`, so that a caller may widen the
 * transaction, as the idempotency key does.
 */
export async function inTransaction<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  const hooks: (() => void)[] = []
  const run = (tx: Tx) => {
    commitHooks.set(tx, hooks)
    return work(tx)
  }
  if (isTransaction(sql)) {
    const outcome = (await sql.savepoint(run)) as T
    for (const hook of hooks) afterCommit(sql, hook)
    return outcome
  }
  const outcome = (await (sql as Pool).begin(run)) as T
  for (const hook of hooks) hook()
  return outcome
}

/** Whether statements of the handle run each by itself, outside any transaction. */
export function isPool(sql: Sql): sql is Pool {
  return !isTransaction(sql)
}

function isTransaction(sql: Sql): sql is Tx {
  return "savepoint" in sql
}

/** PostgreSQL's error code (SQLSTATE) and constraint, when the error is the server's. */
export function databaseErrorOf(
  error: unknown,
): { code: string; constraint: string | undefined; detail: string | undefined } | undefined {
  if (!(error instanceof driver.PostgresError)) return undefined
  return { code: error.code, constraint: error.constraint_name, detail: error.detail }
}

/** True when the database could not be reached or is going down: worth a 503 and another try. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  return (
    typeof code === "string" &&
    /^(ECONN|ENOENT$|EPIPE|CONNECTION_|CONNECT_TIMEOUT|08|57P0|53[1-3]00|25006)/.test(code)
  )
}
