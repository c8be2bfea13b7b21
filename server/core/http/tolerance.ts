import type { TSchema } from "typebox"

/**
 * Reads what clients really send, directed by the schema: numbers and booleans as text, comma lists or a
 * single text where a list is wanted, numbers where text is wanted. In an optional place null and an empty
 * text count as not given. Returns the value to validate; unknown keys stay (and are ignored later).
 *
 * One explicit pass instead of the validator's own coercion, which would turn null into 0, hence a missing
 * coordinate into a real one.
 *
 * Sizes are checked on the way, before anything looks at what is inside: throws a SizeRefusal at the first list
 * with too many entries or text that is too long.
 */
export function tolerate(schema: TSchema, value: unknown): unknown {
  place.length = 0
  return read(schema, value)
}

/** A list, an object, a text or a whole number larger than its schema allows. */
export class SizeRefusal extends Error {
  readonly keyword: "maximum" | "maxItems" | "maxLength" | "maxProperties"
  readonly limit: number
  /** The keys that lead to it. */
  readonly place: readonly (string | number)[]
  constructor(keyword: SizeRefusal["keyword"], limit: number) {
    super(`${keyword} is ${limit}`)
    this.keyword = keyword
    this.limit = limit
    this.place = [...place]
  }
}

/** Where `read` is at the moment: reading does not wait for anything, so one path is enough. */
const place: (string | number)[] = []

function read(schema: TSchema, value: unknown): unknown {
  const shape = schema as SchemaShape
  if (shape.anyOf) return tolerateUnion(shape.anyOf, value)
  switch (shape.type) {
    case "number":
      return typeof value === "string" ? (parseNumber(value) ?? value) : value
    case "integer":
      return tolerateInteger(shape, value)
    case "boolean":
      return parseBoolean(value) ?? value
    case "string":
      return tolerateText(shape, value)
    case "array":
      return tolerateArray(shape, value)
    case "object":
      return tolerateObject(shape, value)
    default:
      return value
  }
}

interface SchemaShape {
  type?: string
  anyOf?: TSchema[]
  items?: TSchema
  properties?: Record<string, TSchema>
  patternProperties?: Record<string, TSchema>
  required?: string[]
  maximum?: number
  maxItems?: number
  maxLength?: number
  maxProperties?: number
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
}

/** A union is left alone when a member already takes the value's kind; else the first that can read it decides. */
function tolerateUnion(members: readonly TSchema[], value: unknown): unknown {
  const exact = members.find((member) => takes(member as SchemaShape, value))
  if (exact) return read(exact, value)
  for (const member of members) {
    const taken = read(member, value)
    if (taken !== value) return taken
  }
  return value
}

function takes(shape: SchemaShape, value: unknown): boolean {
  switch (shape.type) {
    case "null":
      return value === null
    case "array":
      return Array.isArray(value)
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value)
    case "integer":
      return Number.isInteger(value)
    case undefined:
      return false
    default:
      return typeof value === shape.type
  }
}

/** No column holds a whole number that a double does not keep exactly. */
function tolerateInteger({ maximum }: SchemaShape, value: unknown): unknown {
  const number = typeof value === "string" ? (parseNumber(value) ?? value) : value
  if (maximum === undefined && typeof number === "number" && Math.abs(number) > Number.MAX_SAFE_INTEGER)
    throw new SizeRefusal("maximum", Number.MAX_SAFE_INTEGER)
  return number
}

function tolerateText(shape: SchemaShape, value: unknown): unknown {
  if (typeof value === "number") return String(value)
  // A schema counts characters, of which a text has at least half as many as UTF-16 units.
  if (typeof value === "string" && shape.maxLength !== undefined && value.length > 2 * shape.maxLength)
    throw new SizeRefusal("maxLength", shape.maxLength)
  return value
}

function tolerateArray(shape: SchemaShape, value: unknown): unknown {
  const { items, maxItems = Number.POSITIVE_INFINITY } = shape
  const list =
    typeof value === "string" && (items as SchemaShape | undefined)?.type === "string"
      ? commaList(value)
      : value
  if (!Array.isArray(list)) return list
  if (list.length > maxItems) throw new SizeRefusal("maxItems", maxItems)
  if (!items) return list
  return list.map((entry, index) => {
    place.push(index)
    const taken = read(items, entry)
    place.pop()
    return taken
  })
}

function tolerateObject(shape: SchemaShape, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  // Some languages write an empty map as an empty list.
  if (Array.isArray(value)) return value.length === 0 ? {} : value
  const result: Record<string, unknown> = { ...value }
  if (shape.maxProperties !== undefined && Object.keys(result).length > shape.maxProperties)
    throw new SizeRefusal("maxProperties", shape.maxProperties)
  for (const [name, property] of Object.entries(shape.properties ?? {})) {
    if (!Object.hasOwn(result, name)) continue
    place.push(name)
    const taken = read(property, result[name])
    place.pop()
    if (isAbsent(property as SchemaShape, taken)) delete result[name]
    else result[name] = taken
  }
  const entry = shape.patternProperties?.["^.*$"]
  if (entry)
    for (const [name, held] of Object.entries(result)) {
      place.push(name)
      result[name] = read(entry, held)
      place.pop()
    }
  return result
}

function isAbsent(shape: SchemaShape, value: unknown): boolean {
  const members = (shape.anyOf ?? []) as SchemaShape[]
  const allowsNull = shape.type === "null" || members.some((member) => member.type === "null")
  if (value === null) return !allowsNull && (shape.type !== undefined || members.length > 0)
  return value === "" && !(members.length > 0 ? members : [shape]).some(hasMeaningWhenEmpty)
}

/** Free text may be empty, and so may a value of any kind; a date, an id or one of a list of words may not. */
function hasMeaningWhenEmpty(shape: SchemaShape): boolean {
  if (shape.type === undefined) return shape.const === undefined && shape.enum === undefined
  return shape.type === "string" && !(shape.format ?? shape.pattern ?? shape.const ?? shape.enum)
}

export function commaList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
}

/** Longer texts are no numbers that anybody writes: a double has 17 digits. */
const maxNumberLength = 400

/** A finite number in decimal digits, perhaps with an exponent; undefined for any other text. */
export function parseNumber(text: string): number | undefined {
  if (text.length > maxNumberLength) return undefined
  const trimmed = text.trim()
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed)) return undefined
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : undefined
}

export function parseBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value
  if (value === 1 || value === "1") return true
  if (value === 0 || value === "0") return false
  if (typeof value !== "string") return undefined
  if (value.length > 20) return undefined
  const word = value.trim().toLowerCase()
  return word === "true" ? true : word === "false" ? false : undefined
}
