import type { Readable, Writable } from "node:stream"
import { CopyIn, CopyOut } from "./copy.ts"
import { ConnectionError } from "./errors.ts"
import { Listener } from "./listener.ts"
import { ConnectionPool, type PoolSettings } from "./pool.ts"
import { Identifier, Parameter, Query, type Rows, RowsHelper, type Runner } from "./query.ts"
import type { Session } from "./session.ts"
import type { Pool, ReservedSql, Sql, Tx } from "./sql.ts"
import type { CursorStatement } from "./statement.ts"

const jsonType = 3802
const kept = { isSimple: false, isOnce: false, reusesPlan: false }

const sessions = new WeakMap<object, Session>()

/** The function that templates are tagged with. */
function createSql(runner: Runner): Sql {
  const tag = (first: unknown, ...rest: unknown[]) => {
    if (Array.isArray(first) && "raw" in first) return new Query(runner, first as string[], rest, kept)
    if (typeof first === "string") return new Identifier(first)
    return new RowsHelper(first as Record<string, unknown>)
  }
  const extras = {
    unsafe: (text: string, values: readonly unknown[] = []) =>
      new Query(runner, [text], values, { isSimple: values.length === 0, isOnce: true, reusesPlan: false }),
    json: (value: unknown) => new Parameter(value, jsonType),
  }
  // The interface adds the types of rows, which exist in the source only.
  return Object.assign(tag, extras) as Sql
}

/**
 * Runs on one connection. The first error is kept: a transaction in which a statement failed never commits. Once it has
 * ended it takes no statement: those of work that nobody waits for any more would run outside of it, one by one.
 */
class SessionRunner implements Runner {
  failure: unknown
  readonly #session: Session
  readonly #outer: SessionRunner | undefined
  #ended: { reason: unknown } | undefined
  constructor(session: Session, outer?: SessionRunner) {
    this.#session = session
    this.#outer = outer
  }

  /** What is sent from here on is refused with `reason`. */
  end(reason: unknown): void {
    this.#ended ??= { reason }
  }

  get ended(): { reason: unknown } | undefined {
    return this.#ended ?? this.#outer?.ended
  }

  run(query: Query): Promise<Rows<unknown>> {
    if (this.ended) return Promise.reject(this.ended.reason)
    return new Promise((resolve, reject) => {
      this.#session.run({
        query,
        resolve,
        reject: (error) => {
          this.failure ??= error
          reject(error)
        },
      })
    })
  }

  cursor(query: Query, batchRows: number): AsyncIterableIterator<Rows<unknown>> {
    if (this.ended) throw this.ended.reason
    return iterate(this.#session, query, batchRows, () => undefined)
  }
}

/** Opens the cursor with the first batch that is asked for; `done` is called once, when its connection is free. */
async function* iterate(
  session: Session,
  query: Query,
  batchRows: number,
  done: () => void,
): AsyncGenerator<Rows<unknown>> {
  const opened = Promise.withResolvers<CursorStatement>()
  const over = Promise.withResolvers<void>()
  opened.promise.catch(() => undefined)
  session.openCursor(query, batchRows, opened.resolve, (error) => {
    if (error) opened.reject(error)
    over.resolve()
  })
  try {
    const cursor = await opened.promise
    try {
      for (;;) {
        const batch = await cursor.next()
        if (!batch) return
        yield batch
      }
    } finally {
      cursor.stop()
      await over.promise
    }
  } finally {
    done()
  }
}

function createTx(session: Session, runner: SessionRunner): Tx {
  const tx = createSql(runner) as Tx
  sessions.set(tx, session)
  tx.savepoint = (work) => inSavepoint(session, { sql: tx, runner }, work)
  return tx
}

let savepoints = 0

async function inSavepoint<T>(
  session: Session,
  outer: { sql: Sql; runner: SessionRunner },
  work: (tx: Tx) => Promise<T> | T,
): Promise<T> {
  savepoints += 1
  const name = `s${savepoints}`
  const runner = new SessionRunner(session, outer.runner)
  const inner = createTx(session, runner)
  await outer.sql.unsafe(`savepoint ${name}`)
  try {
    const outcome = await work(inner)
    if (runner.failure) throw runner.failure
    return outcome
  } catch (error) {
    runner.end(toFirst(error, runner))
    // On a connection of its own: that the outer transaction goes on is the caller's to decide.
    await createSql(new SessionRunner(session)).unsafe(`rollback to ${name}`)
    throw toFirst(error, runner)
  }
}

/** "The transaction is aborted" says less than what aborted it. */
function toFirst(error: unknown, runner: SessionRunner): unknown {
  const isFollowUp = (error as { code?: unknown }).code === "25P02"
  return isFollowUp ? (runner.failure ?? error) : error
}

async function begin<T>(
  pool: ConnectionPool,
  mode: string,
  work: (tx: Tx, runner: Runner) => Promise<T> | T,
): Promise<T> {
  const session = await pool.reserve()
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => undefined)
  const unsubscribe = session.onLost(lost.reject)
  let isUnfinished = false
  try {
    // Nobody waits for work on a connection that is gone.
    return await Promise.race([
      inTransaction(session, beginText(pool, mode), work, () => {
        isUnfinished = true
      }),
      lost.promise,
    ])
  } finally {
    unsubscribe()
    // Whether its transaction is over is not known: nobody else gets the connection.
    if (isUnfinished) session.destroy("CONNECTION_DESTROYED", "a transaction could not be ended")
    pool.release(session)
  }
}

function beginText({ settings }: ConnectionPool, mode: string): string {
  const text = mode ? `begin ${mode}` : "begin"
  const context = /read only/.test(mode) ? undefined : settings.transactionContext?.()
  return context === undefined ? text : `${text}; ${context}`
}

/** A write by itself needs a transaction where there is something that its triggers shall know. */
function needsContext({ settings }: ConnectionPool, { strings }: Query): boolean {
  if (settings.transactionContext?.() === undefined) return false
  let writes = writing.get(strings)
  if (writes === undefined) {
    writes = /\b(?:insert\s+into|delete\s+from|update\s+\w)/i.test(strings.join(" "))
    writing.set(strings, writes)
  }
  return writes
}

const writing = new WeakMap<readonly string[], boolean>()

async function inTransaction<T>(
  session: Session,
  text: string,
  work: (tx: Tx, runner: Runner) => Promise<T> | T,
  onUnfinished: () => void,
): Promise<T> {
  const control = createSql(new SessionRunner(session))
  const begun = new Promise((resolve, reject) => {
    session.begin(text, { resolve, reject })
  })
  begun.catch(() => undefined)
  const runner = new SessionRunner(session)
  let outcome: T
  try {
    outcome = await work(createTx(session, runner), runner)
    await begun
    if (runner.failure) throw runner.failure
  } catch (error) {
    const reason = toFirst(error, runner)
    runner.end(reason)
    await control.unsafe("rollback").catch(onUnfinished)
    throw reason
  }
  runner.end(new Error("the transaction has ended"))
  try {
    await control.unsafe("commit")
  } catch (error) {
    onUnfinished()
    throw error
  }
  return outcome
}

export function createPool(settings: PoolSettings): Pool {
  const pool = new ConnectionPool(settings)
  const listener = new Listener(settings)
  const sql = createSql({
    run: (query) =>
      needsContext(pool, query) ? begin(pool, "", (_tx, runner) => runner.run(query)) : pool.run(query),
    async *cursor(query, batchRows) {
      const session = await pool.reserve()
      yield* iterate(session, query, batchRows, () => pool.release(session))
    },
  })
  const { host = "localhost", database = "" } = settings.config
  const reserve = async (): Promise<ReservedSql> => {
    const session = await pool.reserve()
    const reserved = createSql(new SessionRunner(session)) as ReservedSql
    sessions.set(reserved, session)
    let isReleased = false
    reserved.release = () => {
      if (!isReleased) pool.release(session)
      isReleased = true
    }
    return reserved
  }
  return Object.assign(sql, {
    options: { host, database },
    begin: <T>(first: string | ((tx: Tx) => Promise<T> | T), second?: (tx: Tx) => Promise<T> | T) =>
      typeof first === "string" && second
        ? begin(pool, first, second)
        : begin(pool, "", first as (tx: Tx) => Promise<T> | T),
    reserve,
    listen: (channel: string, onNotify: (payload: string) => void, onListen?: () => void) =>
      listener.listen(channel, onNotify, onListen),
    notify: async (channel: string, payload: string) =>
      void (await sql`select pg_notify(${channel}, ${payload})`),
    end: async ({ timeout }: { timeout?: number } = {}) => {
      await Promise.all([listener.end(), pool.end(timeout)])
    },
  }) as Pool
}

/** The rows of `copy … to stdout`. Its transaction is lost when the stream is left before its end. */
export function copyOut(tx: Tx, text: string): Readable {
  const session = sessionOf(tx)
  const statement = new CopyOut(text, (reason) => session.destroy("CONNECTION_SILENT", reason.message))
  session.copy(statement, (error) => statement.stream.destroy(error))
  return statement.stream
}

/** Takes the rows of `copy … from stdin`; finished once the server has stored and checked them. */
export function copyInto(tx: Tx, text: string): Writable {
  const session = sessionOf(tx)
  const statement = new CopyIn(text, (reason) => session.destroy("CONNECTION_SILENT", reason.message))
  session.copy(statement, (error) => statement.stream.destroy(error))
  return statement.stream
}

function sessionOf(tx: Tx): Session {
  const session = sessions.get(tx)
  if (!session) throw new ConnectionError("CONNECTION_CLOSED", "a copy needs a transaction")
  return session
}
