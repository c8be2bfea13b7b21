import type { Duplex } from "node:stream"
import pg from "pg"
import { toConnectionError } from "./errors.ts"
import { type Built, Rows } from "./query.ts"
import { type Parser, parserOf, serialize } from "./values.ts"

/** The messages that a statement sends: pg's connection, whose published types ask for an argument that it ignores. */
export interface Wire {
  readonly stream: Duplex
  query(text: string): void
  parse(message: { name: string; text: string; types: number[] }): void
  bind(message: { statement: string; values: (string | Buffer | null)[] }): void
  describe(message: { type: "S" | "P"; name: string }): void
  execute(message: { rows?: number } | null): void
  close(message: { type: "S" | "P"; name: string }): void
  flush(): void
  sync(): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
  once(event: "parameterDescription", listener: (message: { dataTypeIDs: number[] }) => void): void
  removeListener(event: "parameterDescription", listener: (message: { dataTypeIDs: number[] }) => void): void
}

const gathering = new WeakSet<object>()

/** Lets what is written within one turn of the event loop leave together: a message by itself costs a system call. */
export function gather({ stream }: Wire): void {
  if (gathering.has(stream)) return
  gathering.add(stream)
  stream.cork()
  setImmediate(() => {
    gathering.delete(stream)
    stream.uncork()
  })
}

interface RowDescription {
  fields: readonly { name: string; dataTypeID: number }[]
}

/**
 * The methods with which pg passes the server's messages to a query. pg-cursor and pg-query-stream hook in at the same methods;
 * only classes made from `pg.Query` may be pipelined.
 */
export const WireQuery: new (config: { text: string }) => object = pg.Query

interface Column {
  name: string
  parse: Parser | undefined
}

/** A statement that a connection has prepared. */
export interface Prepared {
  name: string
  types: number[]
  columns: Column[]
}

export interface Outcome {
  resolve(rows: Rows<unknown>): void
  reject(error: Error): void
}

function columnsOf({ fields }: RowDescription): Column[] {
  return fields.map(({ name, dataTypeID }) => ({ name: toCamelCase(name), parse: parserOf(dataTypeID) }))
}

function toCamelCase(name: string): string {
  return name.replaceAll(/(?!^)_(.)/g, (_match, letter: string) => letter.toUpperCase())
}

/** Collects the rows of one statement, whichever protocol it runs in. */
export abstract class Reading extends WireQuery {
  columns: Column[] = []
  gathered = new Rows<unknown>()
  failure: Error | undefined
  readonly outcome: Outcome
  isSettled = false
  /** Set by the connection that it is sent on. */
  onSettled: (statement: object) => void = () => undefined

  constructor(text: string, outcome: Outcome) {
    super({ text })
    this.outcome = outcome
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.failure) return
    try {
      const row: Record<string, unknown> = {}
      const { columns } = this
      for (let index = 0; index < columns.length; index += 1) {
        const { name, parse } = columns[index] as Column
        const text = fields[index] as string | null
        row[name] = text === null || parse === undefined ? text : parse(text)
      }
      this.gathered.push(row)
    } catch (error) {
      this.failure = error as Error
    }
  }

  /** `INSERT 0 3`, `SELECT 20`, `COMMIT` */
  handleCommandComplete({ text }: { text: string }, _wire?: Wire): void {
    const count = Number(text.slice(text.lastIndexOf(" ") + 1))
    this.gathered = Rows.counted(this.gathered, Number.isNaN(count) ? 0 : count)
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(_wire: Wire): void {}
  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail("copies run by core/postgres/copy.ts")
  }
  handleCopyData(): void {}

  handleError(error: unknown, wire: Wire): void {
    this.settle(toConnectionError(error), wire)
  }

  handleReadyForQuery(wire: Wire): void {
    this.settle(this.failure, wire)
  }

  settle(error: Error | undefined, _wire: Wire): void {
    if (this.isSettled) return
    this.isSettled = true
    if (error) this.outcome.reject(error)
    else this.outcome.resolve(this.gathered)
    this.onSettled(this)
  }
}

/** Text without parameters, maybe of several statements; the rows are those of the last one that has any. */
export class SimpleStatement extends Reading {
  readonly #text: string
  constructor(text: string, outcome: Outcome) {
    super(text, outcome)
    this.#text = text
  }
  submit(wire: Wire): void {
    gather(wire)
    wire.query(this.#text)
  }
  handleRowDescription(message: RowDescription): void {
    this.columns = columnsOf(message)
    this.gathered = new Rows()
  }
}

export interface PreparedOptions {
  built: Built
  /** Known from an earlier run on this connection. */
  prepared: Prepared | undefined
  /** Empty for a statement that is not kept. */
  name: string
  outcome: Outcome
  /** Called once the server has accepted a new statement. */
  onPrepared: (prepared: Prepared) => void
}

/**
 * Parse, Bind, Execute, Sync. A new statement waits for the server's opinion of its parameters before it sends their
 * values, so nothing else may be sent on its connection until then.
 */
export class PreparedStatement extends Reading {
  readonly #options: PreparedOptions
  readonly #prepared: Prepared
  readonly #values: (string | Buffer | null)[] | undefined
  /** Whether the server still waits for the Sync that ends the exchange, also after an error. */
  #owesSync = false
  #describing: ((message: { dataTypeIDs: number[] }) => void) | undefined

  constructor(options: PreparedOptions) {
    super(options.built.text, options.outcome)
    this.#options = options
    const { built, prepared } = options
    this.#prepared = prepared ?? { name: options.name, types: built.types, columns: [] }
    if (!prepared) return
    this.columns = prepared.columns
    this.#values = toTexts(built.values, prepared.types)
  }

  submit(wire: Wire): void {
    gather(wire)
    this.#owesSync = true
    if (this.#values) {
      this.#bind(wire, this.#values)
      return
    }
    const { text, types } = this.#options.built
    wire.parse({ name: this.#prepared.name, text, types })
    if (types.length === 0) {
      // A portal has no parameters to describe, which a statement behind this one would take for its own.
      wire.bind({ statement: this.#prepared.name, values: [] })
      wire.describe({ type: "P", name: "" })
      this.execute(wire)
      return
    }
    wire.describe({ type: "S", name: this.#prepared.name })
    this.#describing = ({ dataTypeIDs }) => {
      gather(wire)
      this.#prepared.types = dataTypeIDs
      try {
        this.#bind(wire, toTexts(this.#options.built.values, dataTypeIDs))
      } catch (error) {
        this.failure = error as Error
        this.sync(wire)
      }
    }
    wire.once("parameterDescription", this.#describing)
    wire.flush()
  }

  #bind(wire: Wire, values: (string | Buffer | null)[]): void {
    wire.bind({ statement: this.#prepared.name, values })
    this.execute(wire)
  }

  protected execute(wire: Wire): void {
    wire.execute(null)
    this.sync(wire)
  }

  protected sync(wire: Wire): void {
    if (!this.#owesSync) return
    this.#owesSync = false
    wire.sync()
  }

  handleRowDescription(message: RowDescription): void {
    this.columns = columnsOf(message)
    this.#prepared.columns = this.columns
  }

  override handleReadyForQuery(wire: Wire): void {
    if (!this.#options.prepared && this.#options.name) this.#options.onPrepared(this.#prepared)
    super.handleReadyForQuery(wire)
  }

  override handleError(error: unknown, wire: Wire): void {
    if (this.#describing) wire.removeListener("parameterDescription", this.#describing)
    if (error instanceof pg.DatabaseError) this.sync(wire)
    super.handleError(error, wire)
  }
}

function toTexts(values: readonly unknown[], types: readonly number[]): (string | Buffer | null)[] {
  return values.map((value, index) => serialize(value, types[index] ?? 0))
}

/** Gives its rows in batches. The server waits with the next batch until `next` is called. */
export class CursorStatement extends PreparedStatement {
  readonly #batchRows: number
  #waiting: PromiseWithResolvers<Rows<unknown> | undefined> | undefined
  #suspended: Wire | undefined
  #isStopped = false

  constructor(options: PreparedOptions, batchRows: number) {
    super(options)
    this.#batchRows = batchRows
  }

  /** Whether it is the server's turn. */
  get isWaiting(): boolean {
    return this.#suspended === undefined
  }

  /** The next batch; undefined after the last one. Not to be called before the last call is answered. */
  next(): Promise<Rows<unknown> | undefined> {
    this.#waiting = Promise.withResolvers()
    const { promise } = this.#waiting
    const wire = this.#suspended
    this.#suspended = undefined
    if (wire) {
      gather(wire)
      wire.execute({ rows: this.#batchRows })
      wire.flush()
    } else if (this.isSettled) this.#give(this.gathered)
    return promise
  }

  /** Lets go of the rows that nobody wants any more. */
  stop(): void {
    this.#isStopped = true
    const wire = this.#suspended
    this.#suspended = undefined
    if (!wire) return
    wire.close({ type: "P", name: "" })
    this.sync(wire)
  }

  protected override execute(wire: Wire): void {
    wire.execute({ rows: this.#batchRows })
    wire.flush()
  }

  override handlePortalSuspended(wire: Wire): void {
    this.#suspended = wire
    if (this.failure || this.#isStopped) this.stop()
    else this.#give(this.gathered)
  }

  override handleCommandComplete(message: { text: string }, wire: Wire): void {
    super.handleCommandComplete(message)
    this.sync(wire)
  }

  #give(rows: Rows<unknown>): void {
    const waiting = this.#waiting
    if (!waiting) return
    this.#waiting = undefined
    this.gathered = new Rows()
    if (this.outcomeError) waiting.reject(this.outcomeError)
    else waiting.resolve(rows.length > 0 ? Rows.counted(rows, rows.length) : undefined)
  }

  protected outcomeError: Error | undefined

  override settle(error: Error | undefined, wire: Wire): void {
    if (this.isSettled) return
    this.outcomeError = error
    super.settle(error, wire)
    this.#give(this.gathered)
  }
}
