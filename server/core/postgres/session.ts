import pg from "pg"
import type { CopyIn, CopyOut } from "./copy.ts"
import { ConnectionError, type ConnectionProblem, toConnectionError } from "./errors.ts"
import type { Built, Query, Rows } from "./query.ts"
import { CursorStatement, type Prepared, PreparedStatement, Reading, SimpleStatement } from "./statement.ts"

declare module "pg" {
  interface ClientBase {
    /** Of the server's process; null where it reports none. */
    processID: number | null
    query(statement: Statement): void
  }
}

export interface SessionOptions {
  config: pg.ClientConfig
  /** How long the server may be silent on a statement before its connection counts as lost; 0 waits. */
  patienceMilliseconds: number
  /** A statement ended, or the connection did. */
  onChange(session: Session): void
  onNotification?: (channel: string, payload: string) => void
}

/** Receives the results of a statement and the errors of its connection. */
interface Job {
  query: Query
  resolve(rows: Rows<unknown>): void
  reject(error: unknown): void
}

type Statement = SimpleStatement | PreparedStatement | CopyIn | CopyOut

/** With more texts than these a connection is replaced when it is idle: each costs the server memory. */
const maxPrepared = 2_000

/** One connection. Statements are pipelined: each is sent at once, and the server processes them in order. */
export class Session {
  /** Given to one transaction or caller; the pool gives it nothing else. */
  isReserved = false
  readonly bornAt = performance.now()
  idleSince = performance.now()
  readonly #client: pg.Client
  readonly #options: SessionOptions
  readonly #prepared = new Map<string, Prepared>()
  #names = 0
  #inFlight = 0
  #exclusive: Statement | undefined
  #beginning: Statement | undefined
  #held: (() => void)[] = []
  #heardAt = 0
  /** Undefined when a rollback may have changed it. */
  #reusesPlans: boolean | undefined = false
  #planModeError: Error | undefined
  /** The mode of plans that are kept, once the server has named it. */
  #keptPlanMode: string | undefined
  #lost: Error | undefined
  readonly #onLost = new Set<(error: Error) => void>()

  private constructor(client: pg.Client, options: SessionOptions) {
    this.#client = client
    this.#options = options
  }

  static async open(options: SessionOptions): Promise<Session> {
    const client = new pg.Client({ ...options.config, pipeline: true })
    const session = new Session(client, options)
    client.on("error", (error) => session.#lose(toConnectionError(error)))
    client.on("end", () =>
      session.#lose(new ConnectionError("CONNECTION_CLOSED", "the database closed the connection")),
    )
    client.on("notification", ({ channel, payload }) => options.onNotification?.(channel, payload ?? ""))
    await client.connect()
    return session
  }

  get processId(): number | null {
    return this.#client.processID
  }
  get isLost(): boolean {
    return this.#lost !== undefined
  }
  get inFlight(): number {
    return this.#inFlight + this.#held.length
  }
  /** Whether a further statement may be sent now. */
  get isOpen(): boolean {
    return !this.#lost && !this.#exclusive && this.#held.length === 0
  }
  get isWorn(): boolean {
    return this.#prepared.size > maxPrepared
  }

  /** Calls `listener` if the connection is lost before the returned function is called. */
  onLost(listener: (error: Error) => void): () => void {
    if (this.#lost) listener(this.#lost)
    else this.#onLost.add(listener)
    return () => this.#onLost.delete(listener)
  }

  run(job: Job): void {
    this.#whenOpen(() => this.#start(job), job.reject, this.#isBehindBegin(job.query))
  }

  /**
   * Begins a transaction. Reads follow in the same packet; whatever writes waits until the server has begun it, and a
   * connection on which it could not is closed.
   */
  begin(text: string, { resolve, reject }: Omit<Job, "query">): void {
    const refused = (error: unknown) => {
      reject(error)
      this.destroy("CONNECTION_DESTROYED", "a transaction could not be begun")
    }
    this.#whenOpen(() => {
      this.#beginning = new SimpleStatement(text, { resolve, reject: refused })
      this.#send(this.#beginning, true)
    }, reject)
  }

  #isBehindBegin({ strings }: Query): boolean {
    if (!this.#exclusive || this.#exclusive !== this.#beginning || this.#held.length > 0) return false
    return /^\s*select\b/.test(strings[0] ?? "")
  }

  /** Opens a cursor; what it returns is usable once `started` was called. */
  openCursor(
    query: Query,
    batchRows: number,
    started: (cursor: CursorStatement) => void,
    ended: (error?: Error) => void,
  ): void {
    const start = () => {
      this.#setPlanMode(query.options.reusesPlan)
      const built = query.build()
      const cursor: CursorStatement = new CursorStatement(
        {
          built,
          prepared: this.#prepared.get(keyOf(built)),
          name: "",
          onPrepared: () => undefined,
          outcome: {
            resolve: () => ended(),
            reject: (error) => ended(withOrigin(error, query)),
          },
        },
        batchRows,
      )
      this.#send(cursor, true, started)
    }
    this.#whenOpen(start, ended)
  }

  /** Runs a COPY, after which nothing is sent until it has ended. */
  copy(statement: CopyIn | CopyOut, ended: (error: Error) => void): void {
    this.#whenOpen(() => this.#send(statement, true), ended)
  }

  /** Called by whatever `send` was given once its exchange is over. */
  readonly onSettled = (statement: object): void => {
    this.#inFlight -= 1
    this.#heardAt = performance.now()
    if (this.#exclusive === statement) this.#exclusive = undefined
    while (this.isHeldOpen()) this.#held.shift()?.()
    if (this.#inFlight === 0) this.idleSince = this.#heardAt
    this.#options.onChange(this)
  }

  /** Ends after what is on its way. */
  async end(): Promise<void> {
    if (!this.#lost) await this.#client.end()
  }

  /** Ends now, whatever is on its way. */
  destroy(code: ConnectionProblem, reason: string): void {
    const error = new ConnectionError(code, reason)
    this.#client.connection.stream.destroy(error)
    this.#lose(error)
  }

  /** Gives up a connection whose server has been silent for too long. */
  checkPatience(now: number): void {
    const { patienceMilliseconds } = this.#options
    if (patienceMilliseconds === 0 || this.#inFlight === 0 || this.#lost) return
    const isCopying = this.#exclusive && !(this.#exclusive instanceof Reading)
    if (isCopying) return
    if (this.#exclusive instanceof CursorStatement && !this.#exclusive.isWaiting) return
    if (now - this.#heardAt > patienceMilliseconds)
      this.destroy("CONNECTION_SILENT", "the database did not respond in time")
  }

  isHeldOpen(): boolean {
    return this.#held.length > 0 && !this.#exclusive
  }

  #whenOpen(start: () => void, failed: (error: Error) => void, isAllowed = false): void {
    const guarded = () => {
      if (this.#lost) return failed(this.#lost)
      try {
        start()
      } catch (error) {
        failed(error as Error)
      }
    }
    if (!isAllowed && (this.#exclusive || this.#held.length > 0)) this.#held.push(guarded)
    else guarded()
  }

  #start(job: Job): void {
    const { query, resolve, reject } = job
    const failed = (error: Error) => reject(withOrigin(this.#firstError(error), query))
    if (query.options.isSimple) {
      const { text } = query.build()
      if (/^rollback/.test(text)) this.#reusesPlans = undefined
      this.#send(new SimpleStatement(text, { resolve, reject: failed }), false)
      return
    }
    this.#setPlanMode(query.options.reusesPlan)
    const built = query.build()
    const key = keyOf(built)
    const prepared = this.#prepared.get(key)
    const name = query.options.isOnce ? "" : `s${++this.#names}`
    const statement = new PreparedStatement({
      built,
      prepared,
      name,
      onPrepared: (fresh) => this.#prepared.set(key, fresh),
      outcome: {
        resolve,
        reject: (error) => {
          if (!prepared || !isOutdated(error)) return failed(error)
          this.#prepared.delete(key)
          // An error ends a transaction; alone, the statement has not run.
          if (this.isReserved) failed(error)
          else this.run(job)
        },
      },
    })
    this.#send(statement, !prepared && built.values.length > 0)
  }

  /** What ended the transaction, where that was the setting before the statement. */
  #firstError(error: Error): Error {
    const isAborted = (error as { code?: string }).code === "25P02"
    return (isAborted ? this.#planModeError : undefined) ?? error
  }

  /** Leaves in one write with the statement that follows, and is not sent again for others of the same kind. */
  #setPlanMode(reusesPlans: boolean): void {
    if (this.#reusesPlans === reusesPlans || this.#keptPlanMode === "auto") return
    this.#reusesPlans = reusesPlans
    const known = reusesPlans ? this.#keptPlanMode : "auto"
    const text = known ? `set plan_cache_mode = ${known}` : keepPlans
    const resolve = (rows: Rows<unknown>) => {
      this.#planModeError = undefined
      if (!known) this.#keptPlanMode = (rows[0] as { mode: string } | undefined)?.mode
    }
    const reject = (error: Error) => {
      this.#reusesPlans = undefined
      this.#planModeError = this.#firstError(error)
    }
    this.#send(new SimpleStatement(text, { resolve, reject }), false)
  }

  #send<S extends Statement>(statement: S, isExclusive: boolean, started?: (statement: S) => void): void {
    statement.onSettled = this.onSettled
    if (this.#inFlight === 0) this.#heardAt = performance.now()
    this.#inFlight += 1
    if (isExclusive) this.#exclusive = statement
    this.#client.query(statement)
    started?.(statement)
  }

  #lose(error: Error): void {
    if (this.#lost) return
    this.#lost = error
    // A server that said goodbye on an idle connection leaves the closing to us.
    this.#client.connection.stream.destroy()
    for (const held of this.#held.splice(0)) held()
    for (const listener of this.#onLost) listener(error)
    this.#onLost.clear()
    this.#options.onChange(this)
  }
}

/** Citus finds the machine of a statement by its values: it has no plan for all of them. */
const keepPlans = `select set_config('plan_cache_mode',
  case when to_regclass('pg_catalog.pg_dist_partition') is null then 'force_generic_plan' else 'auto' end, false) as mode`

/** The server evicted a prepared statement, or the tables under it changed their columns. */
function isOutdated(error: Error): boolean {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === "26000" || (code === "0A000" && routine === "RevalidateCachedQuery")
}

function keyOf({ text, types }: Built): string {
  return types.some((type) => type > 0) ? `${types.join()}:${text}` : text
}

function withOrigin(error: Error, query: Query): Error {
  if (query.origin && error.stack && !error.stack.includes(query.origin)) error.stack += `\n${query.origin}`
  return error
}
