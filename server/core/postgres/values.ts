/**
 * Values between JavaScript and PostgreSQL's text format, by the number (oid) of their type. The numbers of the
 * built-in types never change; a type that is not listed here travels as text.
 */

const boolean = 16
const bytea = 17
const bigint = 20
const json = 114
const jsonb = 3802
const timestamptz = 1184

/** Element types by their array types. */
const elements: ReadonlyMap<number, number> = new Map([
  [199, json],
  [271, 5069],
  [651, 650],
  [1000, boolean],
  [1001, bytea],
  [1002, 18],
  [1003, 19],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1011, 28],
  [1014, 1042],
  [1015, 1043],
  [1016, bigint],
  [1021, 700],
  [1022, 701],
  [1028, 26],
  [1041, 869],
  [1115, 1114],
  [1182, 1082],
  [1183, 1083],
  [1185, timestamptz],
  [1187, 1186],
  [1231, 1700],
  [2210, 2205],
  [2951, 2950],
  [3807, jsonb],
])

export type Parser = (text: string) => unknown

const parsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [boolean, (text) => text === "t"],
  [bytea, (text) => Buffer.from(text.slice(2), "hex")],
  ...[bigint, 21, 23, 26, 700, 701].map((oid): [number, Parser] => [oid, Number]),
  [json, (text) => JSON.parse(text) as unknown],
  [jsonb, (text) => JSON.parse(text) as unknown],
  // PostgreSQL writes `2031-05-04 03:02:01.123+00` for an instant while the session is in UTC.
  [timestamptz, (text) => Temporal.Instant.from(text)],
])

/** How a column of a type is read; undefined leaves it the text that it arrived as. */
export function parserOf(oid: number): Parser | undefined {
  const element = elements.get(oid)
  if (element === undefined) return parsers.get(oid)
  const parse = parsers.get(element)
  return (text) => parseArray(text, parse)
}

/** Types that a value has whatever the statement expects there; 0 leaves the choice to the server. */
export function inferType(value: unknown): number {
  if (typeof value === "boolean") return boolean
  if (typeof value === "bigint") return bigint
  return value instanceof Uint8Array ? bytea : 0
}

export function serialize(value: unknown, oid: number): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (oid === json || oid === jsonb) return JSON.stringify(value)
  if (typeof value === "string") return value
  if (typeof value === "boolean") return value ? "t" : "f"
  if (value instanceof Uint8Array && oid === bytea)
    return Buffer.from(value.buffer, value.byteOffset, value.length)
  if (Array.isArray(value)) return serializeArray(value, elements.get(oid) ?? 0)
  return String(value)
}

function serializeArray(values: readonly unknown[], element: number): string {
  const areNested = Array.isArray(values[0])
  let text = "{"
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ","
    if (value === null || value === undefined) text += "null"
    else if (areNested && Array.isArray(value)) text += serializeArray(value, element)
    else text += quote(value, element)
  }
  return `${text}}`
}

const special = /["\\]/

function quote(value: unknown, element: number): string {
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString("hex")}"`
  const text = String(serialize(value, element))
  return special.test(text) ? `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"` : `"${text}"`
}

/** The other arrays, which are most, are divided by one call. */
const quotedOrNested = /["{]/

function readElement(text: string, parse: Parser | undefined): unknown {
  if (text === "NULL") return null
  return parse ? parse(text) : text
}

function parseArray(text: string, parse: Parser | undefined): unknown[] {
  // `[0:2]={…}` names bounds other than 1, which JavaScript has no place for.
  const start = text.indexOf("{") + 1
  const inner = text.slice(start, -1)
  if (quotedOrNested.test(inner)) return readArray(text, start, parse).values
  return inner === "" ? [] : inner.split(",").map((value) => readElement(value, parse))
}

function readArray(
  text: string,
  start: number,
  parse: Parser | undefined,
): { values: unknown[]; end: number } {
  const values: unknown[] = []
  let at = start
  for (;;) {
    const char = text[at]
    if (char === "}" || char === undefined) return { values, end: at + 1 }
    if (char === ",") at += 1
    else if (char === "{") {
      const nested = readArray(text, at + 1, parse)
      values.push(nested.values)
      at = nested.end
    } else if (char === '"') {
      const { value, end } = readQuoted(text, at + 1)
      values.push(parse ? parse(value) : value)
      at = end
    } else {
      let end = at
      while (text[end] !== "," && text[end] !== "}" && end < text.length) end += 1
      values.push(readElement(text.slice(at, end), parse))
      at = end
    }
  }
}

function readQuoted(text: string, start: number): { value: string; end: number } {
  let value = ""
  let from = start
  let at = start
  while (at < text.length && text[at] !== '"') {
    if (text[at] === "\\") {
      value += text.slice(from, at)
      at += 1
      from = at
    }
    at += 1
  }
  return { value: value + text.slice(from, at), end: at + 1 }
}
