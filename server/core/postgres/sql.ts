import type { Identifier, Parameter, RowsHelper } from "./query.ts"

/** A row whose type nobody stated. */
export type Row = Record<string, unknown>
export type RowList<T extends readonly unknown[]> = T & {
  /** Rows returned or changed. */
  readonly count: number
}

/** A statement that runs when it is awaited, or a part of a longer one. */
export interface PendingQuery<T extends readonly unknown[] = Row[]> extends Promise<RowList<T>> {
  /** Rows in batches of so many. */
  cursor(batchRows: number): AsyncIterableIterator<T>
  /**
   * Keeps one plan for all values. For statements of many calls whose best plan does not depend on the values: planning a
   * page of tasks each time took 0.8 of 1.3 ms.
   */
  reusePlan(): this
  /** Runs it now, before what is awaited later: statements of a transaction run in the order in which they are sent. */
  send(): this
}

export type Fragment = PendingQuery<readonly unknown[]> | Identifier

/** What may be in a statement's template. */
export type Value =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Uint8Array
  | Temporal.Instant
  | Parameter
  | Fragment
  | RowsHelper
  | readonly Value[]

/** A handle that runs statements: the pool, or one transaction. */
export interface Sql {
  /** A column or table; camelCase becomes snake_case. Names come from a closed list, never from a request. */
  (name: string): Identifier
  /** Rows after `insert into <table>`, or columns after `set`. */
  <R extends object>(rows: R extends TemplateStringsArray ? never : R): RowsHelper
  // The last one, so that ReturnType<Sql> is a query.
  <T extends readonly unknown[] = Row[]>(
    strings: TemplateStringsArray,
    ...values: readonly Value[]
  ): PendingQuery<T>
  /** Text as it is: several statements when there are no values. */
  unsafe<T extends readonly unknown[] = Row[]>(text: string, values?: readonly Value[]): PendingQuery<T>
  /** A value for a json or jsonb column. */
  json(value: unknown): Parameter
}

/** One open transaction. Functions that write in several steps ask for it by this type. */
export interface Tx extends Sql {
  savepoint<T>(work: (tx: Tx) => Promise<T> | T): Promise<T>
}

export interface ReservedSql extends Sql {
  release(): void
}

export interface Listening {
  unlisten(): Promise<void>
}

/** The pool itself. */
export interface Pool extends Sql {
  /** Where it connects to. */
  readonly options: { host: string; database: string }
  begin<T>(work: (tx: Tx) => Promise<T> | T): Promise<T>
  /** With words such as `isolation level repeatable read read only`. */
  begin<T>(mode: string, work: (tx: Tx) => Promise<T> | T): Promise<T>
  /** One connection, for several statements that must share it. */
  reserve(): Promise<ReservedSql>
  /**
   * Listens for NOTIFY on a connection of its own and reconnects whenever it is lost. `onListen` is called after each
   * reconnection, since notifications in between are lost.
   */
  listen(channel: string, onNotify: (payload: string) => void, onListen?: () => void): Promise<Listening>
  notify(channel: string, payload: string): Promise<void>
  /** Finishes running queries, then closes; queries that run longer than `timeout` seconds (default 30) are aborted. */
  end(options?: { timeout?: number }): Promise<void>
}
