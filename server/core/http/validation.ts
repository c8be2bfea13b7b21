import { Ajv, type ErrorObject, type ValidateFunction } from "ajv"
import addFormats from "ajv-formats"
import type { FastifySchemaCompiler } from "fastify"
import type { Static, TSchema } from "typebox"
import { parseDate, parseDateTime, parseTime, parseTimeBound } from "../../../shared/wire-time.ts"
import { AppError, textsByField } from "../errors.ts"
import { SizeRefusal, tolerate } from "./tolerance.ts"

/** Stops at the first error, so that no body costs more than one that is valid. */
const quickAjv = createAjv(false)
/** Collects every error; only for values that are small. */
const thoroughAjv = createAjv(true)

function createAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({ allErrors, strict: false, coerceTypes: false, useDefaults: true, messages: true })
  addFormats.default(ajv, { mode: "fast" })
  ajv.addFormat("wire-date-time", (text) => parseDateTime(text) !== undefined)
  ajv.addFormat("wire-date", (text) => parseDate(text) !== undefined)
  ajv.addFormat("wire-time-bound", (text) => parseTimeBound(text, "from") !== undefined)
  ajv.addFormat("wire-time", (text) => parseTime(text) !== undefined)
  return ajv
}

/** Throws when a schema is none. Requests compile theirs when the first one comes: a start needs none of them. */
export function compileSchema(schema: unknown): ValidateFunction {
  return quickAjv.compile(schema as TSchema)
}

/** Values with more parts get their first error alone. */
const fewValues = 1000
/** What a caller can work on at once; more is noise. */
const maxProblems = 20

type Outcome = { value: unknown } | { error: SchemaRefusal }

/** Reads tolerantly, then checks without any further conversion. Both validators are compiled when first needed. */
function createReader(schema: TSchema): (value: unknown) => Outcome {
  let quick: ValidateFunction | undefined
  let thorough: ValidateFunction | undefined
  return (value) => {
    let read: unknown
    try {
      read = tolerate(schema, value)
    } catch (error) {
      if (error instanceof SizeRefusal) return { error: new SchemaRefusal([sizeError(error)]) }
      throw error
    }
    quick ??= compileSchema(schema)
    if (quick(read)) return { value: read }
    if (!hasFewValues(read)) return { error: new SchemaRefusal(quick.errors ?? []) }
    thorough ??= thoroughAjv.compile(schema)
    thorough(read)
    return { error: new SchemaRefusal(thorough.errors ?? []) }
  }
}

function sizeError({ keyword, limit, place }: SizeRefusal): ErrorObject {
  const instancePath = place.map((key) => `/${key}`).join("")
  return {
    keyword,
    instancePath,
    schemaPath: `#/${keyword}`,
    params: { limit },
    message: `must be at most ${limit}`,
  }
}

function hasFewValues(value: unknown): boolean {
  const open: unknown[] = [value]
  for (let count = 0; count < open.length; count++) {
    const next = open[count]
    if (typeof next !== "object" || next === null) continue
    for (const key in next) {
      open.push((next as Record<string, unknown>)[key])
      if (open.length > fewValues) return false
    }
  }
  return true
}

/**
 * Fastify's validator: tolerant reading first, then a strict check without any further conversion. No body
 * reads as an empty one, so that a PATCH of nothing is one and a missing field is what a refusal names.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const read = createReader(schema)
  return (value: unknown) => read(httpPart === "querystring" ? withoutEmpty(value) : (value ?? {}))
}

/** Thrown by the validator; becomes an AppError once the route's module is known. */
export class SchemaRefusal extends Error {
  readonly problems: readonly ErrorObject[]
  /** Which part of the request: Fastify writes it on the error that a validator returns. */
  validationContext: string | undefined
  constructor(problems: readonly ErrorObject[]) {
    super("The request does not match the schema")
    this.problems = problems
  }
}

/** `?hubId=` means no filter, as clients with forms send it. */
function withoutEmpty(query: unknown): unknown {
  if (typeof query !== "object" || query === null) return query
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""))
}

const formatCodes: Record<string, string> = {
  email: "004",
  uri: "007",
  url: "007",
  "wire-date-time": "008",
  "wire-date": "008",
  "wire-time-bound": "008",
  "wire-time": "018",
}
const typeCodes: Record<string, string> = {
  number: "009",
  integer: "009",
  boolean: "010",
  array: "011",
  object: "013",
  string: "016",
}

/** What the patterns that callers meet mean. */
const patternTexts: Record<string, string> = {
  "^[0-9a-fA-F]{24}$": "must be an id of 24 hexadecimal characters",
  "^([aA][sS][cC]|[dD][eE][sS][cC])$": "must be asc or desc",
  "^[A-Za-z]{3}$": "must be a three-letter code",
  "\\S": "must not be blank",
  "^[a-zA-Z0-9_]+$": "must contain only letters, digits and _",
}

interface Problem {
  field: string
  code: string
  text: string
}

function describe(error: ErrorObject): Problem {
  const path = error.instancePath.slice(1).replaceAll("/", ".")
  const within = (name: string) => (path ? `${path}.${name}` : name)
  switch (error.keyword) {
    case "required":
      return problem(within(String(error.params.missingProperty)), "001", "is required")
    case "type": {
      const wanted = String(error.params.type)
      return problem(path, typeCodes[wanted.split(",")[0] ?? ""] ?? "003", `must be of type ${wanted}`)
    }
    case "enum":
      return problem(path, "017", `must be one of ${(error.params.allowedValues as unknown[]).join(", ")}`)
    case "const":
      return problem(path, "017", `must be ${String(error.params.allowedValue)}`)
    case "pattern":
      return problem(path, "003", patternTexts[String(error.params.pattern)] ?? error.message ?? "is invalid")
    case "format":
      return problem(
        path,
        formatCodes[String(error.params.format)] ?? "003",
        `must be ${formatName(String(error.params.format))}`,
      )
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return problem(path, "009", error.message ?? "is out of range")
    case "minItems":
    case "maxItems":
      return error.keyword === "maxItems"
        ? problem(path, "040", `must have at most ${error.params.limit} items`)
        : problem(path, "001", error.params.limit === 1 ? "must not be empty" : "has too few items")
    case "minLength":
      return problem(
        path,
        error.params.limit === 1 ? "001" : "016",
        error.params.limit === 1 ? "is required" : `must have at least ${error.params.limit} characters`,
      )
    case "maxLength":
      return problem(path, "016", `must not be longer than ${error.params.limit} characters`)
    case "maxProperties":
      return problem(path, "040", `must have at most ${error.params.limit} items`)
    default:
      return problem(path, "003", error.message ?? "is invalid")
  }
}

function problem(field: string, code: string, text: string): Problem {
  return { field: field || "body", code, text }
}

function formatName(format: string): string {
  const names: Record<string, string> = {
    email: "an e-mail address",
    "wire-date-time": "a date and time such as 2031-05-04 03:02:01",
    "wire-date": "a date such as 2031-05-04",
    "wire-time-bound": "a date, or a date and time such as 2031-05-04 03:02:01",
    "wire-time": "a time such as 03:02",
  }
  return names[format] ?? `a valid ${format}`
}

/** The wire's 400 for a body or query of the wrong shape: the first problem in words, all of them by field. */
export function refusalOf(refusal: SchemaRefusal, module: string): AppError {
  const problems = ofLikeliestMembers(firstWhole(refusal.problems)).slice(0, maxProblems).map(describe)
  const first = problems[0] ?? problem("body", "003", "is invalid")
  return new AppError(400, `${module}-${first.code}`, `${first.field} ${first.text}`, {
    fields: textsByField(problems),
  })
}

/** At most so many errors are looked at; the complaints of a union come before its own, so none is cut in two. */
const maxErrors = 200

function firstWhole(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  if (errors.length <= maxErrors) return errors
  const first = errors.slice(0, maxErrors)
  const isPartOfUnion = (error: ErrorObject) =>
    error.keyword !== "anyOf" && error.schemaPath.includes("/anyOf/")
  const last = first.findLastIndex((error) => !isPartOfUnion(error))
  return last < 0 ? errors.slice(-1) : first.slice(0, last + 1)
}

/**
 * A union reports the errors of every member. Only those of the intended member are returned, which is the one
 * that takes the value's kind; "or null" or "does not match any of these" help nobody.
 */
function ofLikeliestMembers(errors: readonly ErrorObject[]): ErrorObject[] {
  const union = errors.find((error) => error.keyword === "anyOf")
  if (!union) return [...errors]
  const isDetail = (error: ErrorObject) =>
    error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath)
  const groups = Map.groupBy(errors.filter(isDetail), (error) =>
    error.schemaPath.slice(union.schemaPath.length + 1).replace(/\/.*/, ""),
  )
  const members = [...groups.values()]
  const isOtherKind = (group: readonly ErrorObject[]) =>
    group.some((error) => error.keyword === "type" && error.instancePath === union.instancePath)
  const meant = members.find((group) => !isOtherKind(group)) ?? members.find((group) => !isNullMember(group))
  const allowedValues = members.flat().filter((error) => error.keyword === "const")
  const relevant =
    allowedValues.length > 1
      ? [{ ...union, keyword: "enum", params: { allowedValues: allowedValues.map(allowedValueOf) } }]
      : (meant ?? [{ ...union, keyword: "form", message: "is invalid" }])
  return ofLikeliestMembers(
    errors.flatMap((error) => (error === union ? relevant : isDetail(error) ? [] : [error])),
  )
}

function isNullMember(group: readonly ErrorObject[]): boolean {
  return group.some((error) => error.keyword === "type" && error.params.type === "null")
}

function allowedValueOf(error: ErrorObject): unknown {
  return error.params.allowedValue
}

/**
 * Reads one entry of a bulk call by its schema, as a body of its own would be read. Compiled at the first entry; the
 * reader throws the entry's refusal.
 */
export function entryReader<Schema extends TSchema>(
  schema: Schema,
  module: string,
): (value: unknown) => Static<Schema> {
  const read = createReader(schema)
  return (value) => {
    const outcome = read(value)
    if ("error" in outcome) throw refusalOf(outcome.error, module)
    return outcome.value as Static<Schema>
  }
}
