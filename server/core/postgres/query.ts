import { inferType } from "./values.ts"

/** Rows of a statement; `count` is how many it returned or changed. */
export class Rows<T> extends Array<T> {
  // Private, so that comparisons of rows do not see it.
  #count = 0
  static get [Symbol.species](): ArrayConstructor {
    return Array
  }
  get count(): number {
    return this.#count
  }
  static counted<T>(rows: Rows<T>, count: number): Rows<T> {
    rows.#count = count
    return rows
  }
}

export class Identifier {
  readonly text: string
  constructor(name: string) {
    this.text = quoteIdentifier(name)
  }
}

/** A value with its type, which is sent to the server. */
export class Parameter {
  readonly value: unknown
  readonly type: number
  constructor(value: unknown, type: number) {
    this.value = value
    this.type = type
  }
}

/** An object, or several with the same keys, as `(columns) values (…)` of an insert or `column = …` of an update. */
export class RowsHelper {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  constructor(rows: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]) {
    this.rows = Array.isArray(rows)
      ? (rows as readonly Readonly<Record<string, unknown>>[])
      : [rows as Readonly<Record<string, unknown>>]
  }
}

/** A statement as the server gets it. */
export interface Built {
  text: string
  values: unknown[]
  /** The types that the values have by themselves; 0 where the server decides. */
  types: number[]
}

export interface QueryOptions {
  /** Several statements in one text, without parameters. */
  isSimple: boolean
  /** Keeps no prepared statement: its text will hardly come again. */
  isOnce: boolean
  /** Planned once for all values, instead of for each call whose plan PostgreSQL expects to depend on them. */
  reusesPlan: boolean
}

/** What a query is handed to for running. */
export interface Runner {
  run(query: Query): Promise<Rows<unknown>>
  cursor(query: Query, batchRows: number): AsyncIterableIterator<Rows<unknown>>
}

const origins = new WeakMap<readonly string[], string>()

/** One statement, or a part of another one: it runs when somebody waits for it. */
export class Query implements Promise<Rows<unknown>> {
  readonly [Symbol.toStringTag] = "Query"
  readonly strings: readonly string[]
  readonly args: readonly unknown[]
  options: QueryOptions
  readonly #runner: Runner
  #outcome: Promise<Rows<unknown>> | undefined

  constructor(runner: Runner, strings: readonly string[], args: readonly unknown[], options: QueryOptions) {
    this.#runner = runner
    this.strings = strings
    this.args = args
    this.options = options
    // Where each statement of the source stands is noted once: errors arrive on the driver's stack.
    if ("raw" in strings && !origins.has(strings)) origins.set(strings, stackHere())
  }

  get origin(): string {
    return origins.get(this.strings) ?? ""
  }

  #run(): Promise<Rows<unknown>> {
    this.#outcome ??= this.#runner.run(this)
    return this.#outcome
  }

  // biome-ignore lint/suspicious/noThenProperty: a query is a promise that starts when it is awaited.
  then<A = Rows<unknown>, B = never>(
    fulfilled?: ((rows: Rows<unknown>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#run().then(fulfilled, rejected)
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Rows<unknown> | B> {
    return this.#run().catch(rejected)
  }

  finally(done?: (() => void) | null): Promise<Rows<unknown>> {
    return this.#run().finally(done)
  }

  /** Rows in batches; the server makes the next one when it is asked for. */
  cursor(batchRows: number): AsyncIterableIterator<Rows<unknown>> {
    return this.#runner.cursor(this, batchRows)
  }

  send(): this {
    this.#run().catch(() => undefined)
    return this
  }

  reusePlan(): this {
    this.options = { ...this.options, reusesPlan: true }
    return this
  }

  build(): Built {
    const built: Built = { text: "", values: [], types: [] }
    if (!("raw" in this.strings)) {
      built.text = this.strings[0] ?? ""
      for (const value of this.args) addValue(built, value)
      return built
    }
    append(built, this)
    return built
  }
}

function stackHere(): string {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 5
  const { stack = "" } = new Error()
  Error.stackTraceLimit = limit
  return stack.split("\n").slice(4).join("\n")
}

function append(built: Built, { strings, args }: Query): void {
  built.text += strings[0]
  for (let index = 0; index < args.length; index += 1) {
    appendArgument(built, args[index])
    built.text += strings[index + 1]
  }
}

function appendArgument(built: Built, argument: unknown): void {
  if (argument instanceof Query) append(built, argument)
  else if (argument instanceof Identifier) built.text += argument.text
  else if (argument instanceof RowsHelper) appendRows(built, argument)
  else if (Array.isArray(argument) && argument[0] instanceof Query)
    for (const part of argument as Query[]) {
      built.text += " "
      append(built, part)
    }
  else built.text += addValue(built, argument)
}

/** Notes a value and returns its placeholder. */
function addValue(built: Built, argument: unknown): string {
  const isTyped = argument instanceof Parameter
  built.values.push(isTyped ? argument.value : argument)
  return `$${built.types.push(isTyped ? argument.type : inferType(argument))}`
}

function appendRows(built: Built, { rows }: RowsHelper): void {
  const columns = Object.keys(rows[0] ?? {})
  if (columns.length === 0) throw new Error("a statement got no columns to write")
  if (/\bset\s*$/i.test(built.text)) {
    for (const [index, column] of columns.entries()) {
      built.text += `${index > 0 ? ", " : ""}${quoteIdentifier(column)} = `
      appendArgument(built, rows[0]?.[column])
    }
    return
  }
  if (!/\binsert\s+into\b/i.test(built.text)) throw new Error("rows stand after `insert into` or `set` only")
  built.text += `(${columns.map(quoteIdentifier).join(", ")}) values `
  for (const [place, row] of rows.entries()) {
    built.text += place > 0 ? ", (" : "("
    for (const [index, column] of columns.entries()) {
      if (index > 0) built.text += ", "
      appendArgument(built, row[column])
    }
    built.text += ")"
  }
}

/** `createdTime` names the column created_time; a point separates a table from its column. */
function quoteIdentifier(name: string): string {
  const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return `"${column.replaceAll('"', '""').replaceAll(".", '"."')}"`
}
