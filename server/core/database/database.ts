import pg from "pg"
import { originStatement } from "../audit-trail/origin.ts"
import { connectionConfig } from "../postgres/connection-config.ts"
import { ConnectionError } from "../postgres/errors.ts"
import { createPool } from "../postgres/handle.ts"
import type { Parameter } from "../postgres/query.ts"
import type { Fragment, Pool, Sql, Tx } from "../postgres/sql.ts"

export { copyInto, copyOut } from "../postgres/handle.ts"
export type { Fragment, Pool, Sql, Tx }

export interface ConnectOptions {
  max?: number
  /** Seconds after which an unused connection closes; 0 keeps it. */
  idleSeconds?: number
  applicationName?: string
  /** Milliseconds after which PostgreSQL ends a statement; 0 is no limit. */
  statementTimeoutMilliseconds?: number
  /** Called with the id of the server's process for each new connection. */
  onConnect?(processId: number): void
}

/** How much longer than the server's own limit a statement is waited for before its connection counts as lost. */
const patienceMilliseconds = 15_000

/**
 * A pool. Columns arrive in camelCase, `timestamptz` as Temporal.Instant, `date` and `time` as text,
 * `bigint` as number (counts and positions in files stay below 2^53), `undefined` is written as null.
 */
export function connect(url: string, options: ConnectOptions = {}): Pool {
  const timeout = options.statementTimeoutMilliseconds ?? 30_000
  return createPool({
    config: connectionConfig(url, {
      applicationName: options.applicationName ?? "fieldway",
      statementTimeoutMilliseconds: timeout,
      idleInTransactionMilliseconds: 120_000,
    }),
    max: options.max ?? 10,
    idleMilliseconds: (options.idleSeconds ?? 60) * 1000,
    patienceMilliseconds: timeout === 0 ? 0 : timeout + patienceMilliseconds,
    onConnect: options.onConnect,
    transactionContext: originStatement,
  })
}

/** Rejects when the database does not respond. */
export async function ping(sql: Sql): Promise<void> {
  await sql`select 1`
}

/** A value for a json or jsonb column: anything that JSON.stringify takes. */
export function json(sql: Sql, value: unknown): Parameter {
  return sql.json(value)
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

const pools = new WeakMap<object, Pool>()

/** The pool of a handle, also of a transaction that `inTransaction` began. */
export function poolOf(sql: Sql): Pool {
  return pools.get(sql) ?? (sql as Pool)
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
    pools.set(tx, poolOf(sql))
    return work(tx)
  }
  if (isTransaction(sql)) {
    const outcome = await sql.savepoint(run)
    for (const hook of hooks) afterCommit(sql, hook)
    return outcome
  }
  const outcome = await (sql as Pool).begin(run)
  for (const hook of hooks) hook()
  return outcome
}

/** Runs `work` as `inTransaction` does, rolls back everything that it wrote and returns its result. */
export async function withRollback<T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> {
  const rollback = new Error("rollback")
  const results: T[] = []
  await inTransaction(sql, async (tx) => {
    results.push(await work(tx))
    throw rollback
  }).catch((error: unknown) => {
    if (error !== rollback) throw error
  })
  return results[0] as T
}

/** Whether each statement of the handle runs by itself, outside any transaction. */
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
  if (!(error instanceof pg.DatabaseError)) return undefined
  return { code: codeOf(error), constraint: error.constraint, detail: error.detail }
}

/** When a worker of Citus refuses rows that are copied to it, the error has the worker's message under a code for any fault. */
function codeOf({ code = "", message }: pg.DatabaseError): string {
  if (code !== "XX000") return code
  if (message.startsWith("duplicate key value violates")) return "23505"
  return message.startsWith("no partition of relation") ? "23514" : code
}

/**
 * Citus lost a worker in a transaction, or a shard moved under a prepared statement; it gives these no code of their own. Or
 * a replica ended a read to keep up with its primary, with the code of a conflict between writers.
 */
const awayOfSeveral =
  /^(?:failure on connection marked as essential|could not find valid entry for shard|canceling statement due to conflict with recovery)/

/** True when a statement took too long or conflicted with a concurrent one: nothing is wrong with it, and later it works. */
export function isTransient(error: unknown): boolean {
  return ["57014", "55P03", "40001", "40P01"].includes(databaseErrorOf(error)?.code ?? "")
}

/** True when the database could not be reached or is going down: worth a 503 and another try. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  if (!(error instanceof Error)) return false
  if (awayOfSeveral.test(error.message)) return true
  const code = (error as { code?: unknown }).code
  return (
    typeof code === "string" &&
    /^(ECONN|ENOENT$|EPIPE|CONNECTION_|CONNECT_TIMEOUT|08|57P0|53[1-3]00|25006)/.test(code)
  )
}

/**
 * For a loop in which one failure must not stop the others: notes the error, unless the database is away, which the
 * others would wait for in vain.
 */
export function unlessAway(note: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (isDatabaseAway(error)) throw error
    note(error)
  }
}
