import { scimRefusal } from "./refusals.ts"

/** A filter of RFC 7644, section 3.4.2.2. */
export type Filter =
  | { op: "and" | "or"; filters: Filter[] }
  | { op: "not"; filter: Filter }
  | { op: "pr"; path: string }
  | { op: "has"; path: string; filter: Filter }
  | { op: Comparison; path: string; value: string | number | boolean | null }

type Comparison = (typeof comparisons)[number]
const comparisons = ["eq", "ne", "co", "sw", "ew", "gt", "lt", "ge", "le"] as const
const limits = { characters: 4_000, terms: 60, depth: 12 }

const token = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y

interface Reader {
  words: string[]
  place: number
  terms: number
}

export function parseFilter(text: string): Filter {
  if (text.length > limits.characters) throw badFilter("the filter is too long")
  const words: string[] = []
  token.lastIndex = 0
  for (let at = 0; text.slice(at).trim() !== ""; at = token.lastIndex) {
    const found = token.exec(text)
    if (!found) throw badFilter(`unexpected characters at ${at}`)
    words.push(found[1] ?? found[2] ?? found[3] ?? "")
  }
  const reader: Reader = { words, place: 0, terms: 0 }
  const filter = readOr(reader, 0)
  if (reader.place < words.length) throw badFilter(`unexpected ${words[reader.place]}`)
  return filter
}

const badFilter = (detail: string) => scimRefusal(400, detail, "invalidFilter")
const isWord = (reader: Reader, word: string) => reader.words[reader.place]?.toLowerCase() === word

function readOr(reader: Reader, depth: number): Filter {
  return readList(reader, "or", () => readList(reader, "and", () => readTerm(reader, depth)))
}

function readList(reader: Reader, op: "and" | "or", read: () => Filter): Filter {
  const first = read()
  const filters = [first]
  while (isWord(reader, op)) {
    reader.place += 1
    filters.push(read())
  }
  return filters.length === 1 ? first : { op, filters }
}

function readTerm(reader: Reader, depth: number): Filter {
  reader.terms += 1
  if (reader.terms > limits.terms || depth > limits.depth) throw badFilter("the filter is too complex")
  if (isWord(reader, "not")) {
    reader.place += 1
    if (!isWord(reader, "(")) throw badFilter("not must be followed by (")
    return { op: "not", filter: readTerm(reader, depth + 1) }
  }
  if (isWord(reader, "(")) return readEnclosed(reader, ")", depth)
  const path = reader.words[reader.place] ?? ""
  if (!/^[a-z][\w.:$-]*$/i.test(path)) throw badFilter(`${path || "the end"} is no attribute`)
  reader.place += 1
  if (isWord(reader, "[")) return readElements(reader, path, depth)
  return readComparison(reader, path)
}

/** `emails[type eq "work"]`; Entra ID also sends `emails[type eq "work"].value eq "ana@company.example"`. */
function readElements(reader: Reader, path: string, depth: number): Filter {
  const filter = readEnclosed(reader, "]", depth)
  const [, name] = /^\.(\w+)$/.exec(reader.words[reader.place] ?? "") ?? []
  if (!name) return { op: "has", path, filter }
  reader.place += 1
  return { op: "has", path, filter: { op: "and", filters: [filter, readComparison(reader, name)] } }
}

function readComparison(reader: Reader, path: string): Filter {
  const op = reader.words[reader.place]?.toLowerCase()
  reader.place += 1
  if (op === "pr") return { op, path }
  const comparison = comparisons.find((known) => known === op)
  if (!comparison) throw badFilter(`${op ?? "the end"} is no operator`)
  const value = readValue(reader.words[reader.place] ?? "")
  reader.place += 1
  if (typeof value === "boolean" && /^[gl]/.test(comparison))
    throw badFilter(`${comparison} does not compare true and false`)
  return { op: comparison, path, value }
}

function readEnclosed(reader: Reader, end: string, depth: number): Filter {
  reader.place += 1
  const filter = readOr(reader, depth + 1)
  if (!isWord(reader, end)) throw badFilter(`${end} is missing`)
  reader.place += 1
  return filter
}

function readValue(text: string): string | number | boolean | null {
  try {
    // Entra ID sends True and False.
    const value: unknown = JSON.parse(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text)
    if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value as string
  } catch {
    // Said below.
  }
  throw badFilter(`${text || "the end"} is no value`)
}

type Members = Record<string, unknown>

/** Whether a resource, or an element of a list in it, meets a filter. Texts compare without regard to case. */
export function meets(resource: unknown, filter: Filter): boolean {
  switch (filter.op) {
    case "and":
      return filter.filters.every((each) => meets(resource, each))
    case "or":
      return filter.filters.some((each) => meets(resource, each))
    case "not":
      return !meets(resource, filter.filter)
    case "has":
      return valuesAt(resource, filter.path).some((value) => meets(value, filter.filter))
    case "pr":
      return valuesAt(resource, filter.path).some((value) => value !== null && value !== "")
    default: {
      const values = valuesAt(resource, filter.path).map(plain)
      if (filter.op === "ne") return !values.some((value) => compare(value, "eq", filter.value))
      if (values.length === 0) return filter.op === "eq" && filter.value === null
      return values.some((value) => compare(value, filter.op as Comparison, filter.value))
    }
  }
}

/** Of a list with `value`s: the value. */
const plain = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "value" in value ? value.value : value

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function compare(held: unknown, op: Comparison, wanted: string | number | boolean | null): boolean {
  if (typeof held === "boolean" || typeof wanted === "boolean")
    return op === "eq" && String(held).toLowerCase() === String(wanted).toLowerCase()
  if (held === null || held === undefined || wanted === null) return op === "eq" && (held ?? null) === wanted
  if (typeof held === "number" && typeof wanted === "number") return order(held - wanted, op)
  const moments = [held, wanted].map((each) => (isMoment.test(String(each)) ? Date.parse(String(each)) : NaN))
  if (!moments.some(Number.isNaN) && !["co", "sw", "ew"].includes(op))
    return order((moments[0] ?? 0) - (moments[1] ?? 0), op)
  const [a, b] = [String(held).toLowerCase(), String(wanted).toLowerCase()]
  if (op === "co") return a.includes(b)
  if (op === "sw") return a.startsWith(b)
  if (op === "ew") return a.endsWith(b)
  return order(a < b ? -1 : a > b ? 1 : 0, op)
}

function order(difference: number, op: Comparison): boolean {
  if (op === "eq") return difference === 0
  if (op === "gt") return difference > 0
  if (op === "ge") return difference >= 0
  if (op === "lt") return difference < 0
  return op === "le" && difference <= 0
}

/** The values of an attribute path, with those of all elements of lists. */
export function valuesAt(resource: unknown, path: string): unknown[] {
  return splitPath(path).reduce<unknown[]>(
    (held, name) =>
      held.flatMap((value) => {
        const found = memberOf(value, name)
        return found === undefined ? [] : [found].flat()
      }),
    [resource],
  )
}

/** The names of a path; the URN of an extension is one name, that of a core schema none. */
export function splitPath(path: string): string[] {
  const parts = path.split(":")
  // The name of a schema follows its version.
  const end = parts.findLastIndex((part, index) => /^\d\.\d$/.test(part) && index < parts.length - 1) + 2
  if (parts[0]?.toLowerCase() !== "urn" || end === 1) return path.split(".")
  const [schema, rest] = [parts.slice(0, end).join(":"), parts.slice(end).join(":")]
  const names = rest === "" ? [] : rest.split(".")
  return /^urn:ietf:params:scim:schemas:core:/i.test(schema) ? names : [schema, ...names]
}

/** Names of attributes have no case. */
export function keyOf(value: Members, name: string): string | undefined {
  if (Object.hasOwn(value, name)) return name
  const lower = name.toLowerCase()
  return Object.keys(value).find((key) => key.toLowerCase() === lower)
}

export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  const key = keyOf(value as Members, name)
  return key === undefined ? undefined : (value as Members)[key]
}
