import { DumpError } from "./dump-error.ts"
import { createTokens, type Token, unescaped } from "./tokens.ts"

export interface DumpRow {
  /** Lower case, without the schema. */
  table: string
  /** By column, in lower case. */
  values: ReadonlyMap<string, string | null>
}

const startCharacters = 20_000
const maxColumns = 500
const maxHeadTokens = 5_000
const maxLineCharacters = 2 * 1024 * 1024
const maxValueCharacters = 1024 * 1024

/**
 * Rows of some tables of an SQL dump as mysqldump, pg_dump (`COPY` or `--inserts`) and H2's `SCRIPT` write it, in the order of
 * the file. Memory holds one piece and one row. Throws a DumpError for text that cannot be such a dump.
 */
export async function* readDump(
  pieces: AsyncIterable<string> | Iterable<string>,
  tables: ReadonlySet<string>,
): AsyncGenerator<DumpRow[]> {
  const dump = createDump(tables)
  let start: string | undefined = ""
  for await (const piece of pieces) {
    // The first lines say which system wrote it.
    if (start !== undefined) start += piece
    if (start !== undefined && start.length < startCharacters) continue
    dump.push(start ?? piece)
    start = undefined
    const rows = dump.take()
    if (rows.length > 0) yield rows
  }
  dump.push(start ?? "")
  dump.end()
  const rows = dump.take()
  if (rows.length > 0) yield rows
}

type Mode =
  | { kind: "head"; tokens: Token[] }
  | { kind: "skip" }
  | { kind: "values"; table: string; columns: readonly string[] }
  | { kind: "copy"; table: string | undefined; columns: readonly string[]; line: string; isCut: boolean }

function createDump(wanted: ReadonlySet<string>) {
  const columnsOf = new Map<string, string[]>()
  const lexing = { isMySql: false }
  let rows: DumpRow[] = []
  let mode: Mode = { kind: "head", tokens: [] }
  let row: (string | null)[] | undefined
  let value: Token[] = []
  let depth = 0
  let isFirst = true
  let lineNumber = 1

  const refuse = (reason: string) => new DumpError(`${reason} (near line ${lineNumber})`)

  const tokens = createTokens(
    lexing,
    () => mode.kind === "skip",
    (token) => {
      if (mode.kind === "skip") {
        if (isMark(token, ";")) mode = { kind: "head", tokens: [] }
      } else if (mode.kind === "values") inValues(token, mode.table, mode.columns)
      else if (mode.kind === "head") return inHead(token, mode.tokens)
      return false
    },
  )

  function inHead(token: Token, head: Token[]): boolean {
    if (isMark(token, ";")) {
      mode = { kind: "head", tokens: [] }
      const copied = copyOf(head)
      if (copied) {
        const table = wanted.has(copied.table) ? copied.table : undefined
        const columns = copied.columns.length > 0 ? copied.columns : (columnsOf.get(copied.table) ?? [])
        mode = { kind: "copy", table, columns, line: "", isCut: false }
        return true
      }
      const created = createdTable(head)
      if (created) columnsOf.set(created.table, created.columns)
      return false
    }
    head.push(token)
    const kind = head[0]?.kind === "word" ? head[0].text.toUpperCase() : ""
    if (!["INSERT", "REPLACE", "COPY", "CREATE"].includes(kind)) mode = { kind: "skip" }
    else if (kind === "CREATE") {
      const named = tableIn(head, "TABLE")
      const isTable = head.slice(0, 6).some((part) => isWord(part, "TABLE"))
      if ((head.length > 6 && !isTable) || (named && !wanted.has(named.table))) mode = { kind: "skip" }
    } else if (kind !== "COPY") {
      const named = tableIn(head, "INTO")
      if (named && !wanted.has(named.table)) mode = { kind: "skip" }
      else if (named && isWord(token, "VALUES")) {
        const listed = namesIn(head.slice(named.end, -1))
        const columns = listed.length > 0 ? listed : columnsOf.get(named.table)
        if (!columns)
          throw refuse(`the columns of ${named.table} are not in the dump: export it with CREATE TABLE`)
        mode = { kind: "values", table: named.table, columns }
      }
    }
    if (head.length > maxHeadTokens) throw refuse("a statement is too long")
    return false
  }

  function inValues(token: Token, table: string, columns: readonly string[]): void {
    if (!row) {
      if (isMark(token, "(")) row = []
      else if (isMark(token, ";")) mode = { kind: "head", tokens: [] }
      else if (!isMark(token, ",")) mode = { kind: "skip" }
      return
    }
    const isEnd = isMark(token, ")") && depth === 0
    if (isEnd || (isMark(token, ",") && depth === 0)) {
      row.push(literalOf(value))
      value = []
      if (row.length > maxColumns) throw refuse("a row has more than 500 values, or a quote is missing")
      if (!isEnd) return
      emit(table, columns, row)
      row = undefined
      return
    }
    if (isMark(token, "(")) depth++
    if (isMark(token, ")")) depth--
    value.push(token)
    if (value.length > 100 || token.text.length > maxValueCharacters)
      throw refuse("a value is too long, or a quote is missing")
  }

  function emit(table: string, columns: readonly string[], values: readonly (string | null)[]): void {
    if (values.length !== columns.length)
      throw refuse(`a row of ${table} has ${values.length} values for ${columns.length} columns`)
    rows.push({ table, values: new Map(columns.map((column, index) => [column, values[index] ?? null])) })
  }

  /** The lines of a COPY, up to `\.`; returns what follows. */
  function copyLines(piece: string, copy: Extract<Mode, { kind: "copy" }>): string | undefined {
    const { table, columns } = copy
    const text = copy.line + piece
    let from = 0
    for (;;) {
      const end = text.indexOf("\n", from)
      if (end === -1) {
        copy.line = text.slice(from)
        if (copy.line.length > maxLineCharacters) {
          if (table) throw refuse("a line is longer than 2 MB")
          copy.line = ""
          copy.isCut = true
        }
        return undefined
      }
      const line = text.slice(from, end).replace(/\r$/, "")
      from = end + 1
      if (line === "\\." && !copy.isCut) {
        mode = { kind: "head", tokens: [] }
        return text.slice(from)
      }
      copy.isCut = false
      if (table && line !== "") emit(table, columns, line.split("\t").map(copyValue))
    }
  }

  return {
    push(piece: string, isLast = false): void {
      if (isFirst && piece !== "") {
        isFirst = false
        lexing.isMySql = looksLikeMySql(piece)
      }
      let rest: string | undefined = piece
      while (rest !== undefined) {
        rest = mode.kind === "copy" ? copyLines(rest, mode) : tokens.push(rest, isLast)
        // The line of a COPY statement ends before its lines begin.
        if (rest !== undefined && mode.kind === "copy") rest = rest.replace(/^[ \t]*\r?\n/, "")
      }
      for (let at = piece.indexOf("\n"); at !== -1; at = piece.indexOf("\n", at + 1)) lineNumber++
    },
    end(): void {
      this.push("", true)
      const isInside = mode.kind === "head" ? mode.tokens.length > 0 : mode.kind !== "skip"
      const isOpen = tokens.isOpen() || isInside
      if (isOpen)
        throw refuse("the dump ends in the middle of a statement: it is cut off, or a quote is missing")
    },
    take(): DumpRow[] {
      const taken = rows
      rows = []
      return taken
    },
  }
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === "mark" && token.text === text
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === "word" && token.text.toUpperCase() === text
}

/** Names before a comma, a bracket or a word that ends them; `a.b` may be one word or several tokens. */
function tableIn(head: readonly Token[], after: string): { table: string; end: number } | undefined {
  let at = head.findIndex((token) => isWord(token, after)) + 1
  if (at === 0) return undefined
  while (["IF", "NOT", "EXISTS", "ONLY"].some((known) => isWord(head[at], known))) at++
  let name = ""
  for (; at < head.length; at++) {
    const token = head[at]
    if (!token || isMark(token, "(") || (name !== "" && token.kind === "word" && !token.text.startsWith(".")))
      break
    const isPart = token.kind === "name" || token.kind === "word" || isMark(token, ".")
    if (!isPart) break
    name = token.kind === "mark" || token.text === "." ? "" : (token.text.split(".").at(-1) ?? "")
  }
  if (name === "" || at >= head.length) return undefined
  return { table: name.toLowerCase(), end: at }
}

/** `(a, "b", c)` */
function namesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ kind, text }) => (kind === "word" || kind === "name" ? [text.toLowerCase()] : []))
}

function copyOf(head: readonly Token[]): { table: string; columns: string[] } | undefined {
  if (!isWord(head[0], "COPY") || !head.some((token) => isWord(token, "STDIN"))) return undefined
  const named = tableIn([{ kind: "word", text: "INTO" }, ...head.slice(1)], "INTO")
  if (!named) return undefined
  const from = head.findIndex((token) => isWord(token, "FROM"))
  return { table: named.table, columns: namesIn(head.slice(named.end, from)) }
}

const constraints = [
  "PRIMARY",
  "KEY",
  "UNIQUE",
  "CONSTRAINT",
  "INDEX",
  "FOREIGN",
  "CHECK",
  "FULLTEXT",
  "SPATIAL",
]

/** The columns of a CREATE TABLE: the first name of each entry that is no constraint. */
function createdTable(head: readonly Token[]): { table: string; columns: string[] } | undefined {
  if (!isWord(head[0], "CREATE")) return undefined
  const named = tableIn(head, "TABLE")
  if (!named) return undefined
  const columns: string[] = []
  let depth = 0
  let isStart = false
  for (const token of head.slice(named.end)) {
    if (
      isStart &&
      (token.kind === "name" || (token.kind === "word" && !constraints.includes(token.text.toUpperCase())))
    )
      columns.push(token.text.toLowerCase())
    isStart = false
    if (isMark(token, "(")) isStart = ++depth === 1
    else if (isMark(token, ")")) {
      depth--
      if (depth === 0) break
    } else if (isMark(token, ",")) isStart = depth === 1
  }
  return columns.length > 0 ? { table: named.table, columns } : undefined
}

/** A literal: `NULL`, `12`, `TRUE`, `'text'`, `U&'\00e9'`, `TIMESTAMP '…'`, `STRINGDECODE('\u00e9')`, `'x'::text`. */
function literalOf(tokens: readonly Token[]): string | null {
  const [first] = tokens
  if (!first || (tokens.length === 1 && isWord(first, "NULL"))) return null
  const text = tokens.find(({ kind }) => kind === "string")
  if (!text) return tokens.map((token) => token.text).join("")
  if (isWord(first, "STRINGDECODE")) return decodeJava(text.text)
  if (isWord(first, "U&")) return text.text.replace(/\\([0-9a-f]{4})/gi, (_, code: string) => unit(code))
  return isWord(first, "X") ? null : text.text
}

function decodeJava(text: string): string {
  return unescaped(text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => unit(code)))
}

function unit(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}

function copyValue(text: string): string | null {
  return text === "\\N" ? null : unescaped(text)
}

function looksLikeMySql(start: string): boolean {
  const head = start.slice(0, startCharacters)
  if (/PostgreSQL database dump/i.test(head)) return false
  return /(MySQL|MariaDB) dump|phpMyAdmin|ENGINE=InnoDB|(INSERT INTO|CREATE TABLE|DROP TABLE IF EXISTS) `/i.test(
    head,
  )
}
