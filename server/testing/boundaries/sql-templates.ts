/** The SQL of one tagged template; `${…}` is replaced by `$`, and templates inside it are listed on their own. */
export interface SqlTemplate {
  text: string
  line: number
}

/** Every `sql`- or `tx`-tagged template of a source file. */
export function sqlTemplates(source: string): SqlTemplate[] {
  const found: SqlTemplate[] = []
  readCode(source, 0, found)
  return found
}

const sqlTag = /\b(?:sql|tx|pool|db|database)(?:<[^`;]*>)?\s*$/
const startsRegularExpression = /(?:^|[(,=:[!&|?{};\n])\s*$/

/** Reads code up to the brace that closes it, or to the end; returns the position after it. */
function readCode(source: string, start: number, found: SqlTemplate[]): number {
  let depth = 0
  for (let at = start; at < source.length; ) {
    const character = source[at]
    if (character === "`") at = readTemplate(source, at, found)
    else if (character === '"' || character === "'") at = skipQuoted(source, at)
    else if (character === "/") at = skipSlash(source, at)
    else {
      if (character === "{") depth += 1
      if (character === "}" && --depth < 0) return at + 1
      at += 1
    }
  }
  return source.length
}

function readTemplate(source: string, start: number, found: SqlTemplate[]): number {
  const isSql = sqlTag.test(source.slice(Math.max(0, start - 400), start))
  const template = { text: "", line: source.slice(0, start).split("\n").length }
  if (isSql) found.push(template)
  let at = start + 1
  while (at < source.length && source[at] !== "`") {
    if (source.startsWith("${", at)) {
      template.text += "$"
      at = readCode(source, at + 2, found)
      continue
    }
    if (source[at] === "\\") at += 1
    template.text += source[at] ?? ""
    at += 1
  }
  return at + 1
}

function skipQuoted(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && source[at] !== source[start]) at += source[at] === "\\" ? 2 : 1
  return at + 1
}

/** Skips a comment or a regular expression; a division is one character. */
function skipSlash(source: string, start: number): number {
  if (source[start + 1] === "/") return endOf(source, "\n", start)
  if (source[start + 1] === "*") return endOf(source, "*/", start + 2)
  if (!startsRegularExpression.test(source.slice(Math.max(0, start - 40), start))) return start + 1
  let isInClass = false
  for (let at = start + 1; at < source.length && source[at] !== "\n"; at++) {
    if (source[at] === "\\") at += 1
    else if (source[at] === "[") isInClass = true
    else if (source[at] === "]") isInClass = false
    else if (source[at] === "/" && !isInClass) return at + 1
  }
  return start + 1
}

function endOf(source: string, text: string, from: number): number {
  const at = source.indexOf(text, from)
  return at < 0 ? source.length : at + text.length
}

export interface TableUse {
  table: string
  isWrite: boolean
}

/** The tables that a statement or a part of one names, out of those known. */
export function tablesOf(statement: string, tables: ReadonlySet<string>): TableUse[] {
  const text = statement
    .toLowerCase()
    .replaceAll(/--[^\n]*/g, " ")
    .replaceAll(/'[^']*'/g, "''")
  const named = new Set(
    [...text.matchAll(/\b([a-z_]+)(?:\s*\([^()]*\))?\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/g)].map(
      ([, name]) => name,
    ),
  )
  const writes = namesAfter(
    text,
    /\b(?:insert\s+into|merge\s+into|delete\s+from|truncate|copy|(?<!\b(?:for|do|on|no\s+key)\s+)update)\s+(?:only\s+)?([a-z_]+)/g,
  )
  const reads = namesAfter(
    text,
    /(?<!\bdelete\s+)\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?([a-z_]+)\b(?![.(])/g,
  )
  for (const [, list = ""] of text.matchAll(
    /\b(?:from|using)\s+([a-z_]+(?:\s+(?:as\s+)?[a-z_]+)?(?:\s*,\s*[a-z_]+(?:\s+(?:as\s+)?[a-z_]+)?)+)/g,
  ))
    reads.push(...list.split(",").map((part) => part.trim().split(/\s/)[0] ?? ""))
  const isTable = (name: string) => tables.has(name) && !named.has(name)
  return [
    ...writes.filter((name) => tables.has(name)).map((table) => ({ table, isWrite: true })),
    ...reads.filter(isTable).map((table) => ({ table, isWrite: false })),
  ]
}

function namesAfter(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name)
}
