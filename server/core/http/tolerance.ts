import type { TSchema } from "typebox"

/**
 * Reads what clients really send, directed by the schema: numbers and booleans as text, comma lists or a
 * single text where a list is wanted, numbers where text is wanted. In an optional place null and an empty
 * text count as not given. Returns the value to validate; unknown keys stay (and are ignored later).
 *
 * One explicit pass instead of the validator's own coercion, which would turn null into 0, hence a missing
 * coordinate into a real one.
 */
export function tolerate(schema: TSchema, value: unknown): unknown {
  const shape = schema as SchemaShape
  if (shape.anyOf) return tolerateUnion(shape.anyOf, value)
  switch (shape.type) {
    case "number":
    case "integer":
      return typeof value === "string" ? (parseNumber(value) ?? value) : value
    case "boolean":
      return parseBoolean(value) ?? value
    case "string":
      return typeof value === "number" ? String(value) : value
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
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
}

/** A union is left alone when a member already takes the value's kind; else the first that can read it decides. */
function tolerateUnion(members: readonly TSchema[], value: unknown): unknown {
  if (members.some((member) => takes(member as SchemaShape, value))) {
    const exact = members.find((member) => takes(member as SchemaShape, value))
    return exact ? tolerate(exact, value) : value
  }
  for (const member of members) {
    const read = tolerate(member, value)
    if (read !== value) return read
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

function tolerateArray(shape: SchemaShape, value: unknown): unknown {
  const items = shape.items
  const list =
    typeof value === "string" && (items as SchemaShape | undefined)?.type === "string"
      ? commaList(value)
      : value
  if (!items || !Array.isArray(list)) return list
  return list.map((entry) => tolerate(items, entry))
}

function tolerateObject(shape: SchemaShape, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  // Some languages write an empty map as an empty list.
  if (Array.isArray(value)) return value.length === 0 ? {} : value
  const result: Record<string, unknown> = { ...value }
  for (const [name, property] of Object.entries(shape.properties ?? {})) {
    if (!(name in result)) continue
    const read = tolerate(property, result[name])
    if (isAbsent(property as SchemaShape, read)) delete result[name]
    else result[name] = read
  }
  const entry = shape.patternProperties?.["^.*$"]
  if (entry) for (const [name, held] of Object.entries(result)) result[name] = tolerate(entry, held)
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

export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim()
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : undefined
}

export function parseBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value
  if (value === 1 || value === "1") return true
  if (value === 0 || value === "0") return false
  if (typeof value !== "string") return undefined
  const word = value.trim().toLowerCase()
  return word === "true" ? true : word === "false" ? false : undefined
}
