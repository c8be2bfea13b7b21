import { parseDateTime } from "./wire-time.ts"

/**
 * The filter that people build over the fields of tasks and records: conditions joined by and, or, not. The API takes it as
 * JSON in the parameter `filter`; saved views and the address of a list contain it.
 */
export type RowFilter = { and: RowFilter[] } | { or: RowFilter[] } | { not: RowFilter } | FilterCondition

export interface FilterCondition {
  field: string
  operator: FilterOperator
  value?: FilterValue
}

export type FilterScalar = string | number | boolean
export type FilterValue = FilterScalar | FilterScalar[] | RelativeTime | Circle

/** A span around now, such as the last seven days; both ends are included. */
export interface RelativeTime {
  from: number
  to: number
  unit: TimeUnit
}

export interface Circle {
  lat: number
  lng: number
  meters: number
}

const filterOperators = [
  "equals",
  "contains",
  "empty",
  "gt",
  "gte",
  "lt",
  "lte",
  "within",
  "near",
  "late",
] as const
type FilterOperator = (typeof filterOperators)[number]

/** Calendar periods in the time zone of the organization; weeks begin on Monday. */
export const timePeriods = [
  "today",
  "yesterday",
  "tomorrow",
  "thisWeek",
  "lastWeek",
  "nextWeek",
  "thisMonth",
  "lastMonth",
  "nextMonth",
] as const
export type TimePeriod = (typeof timePeriods)[number]

const timeUnits = ["minutes", "hours", "days", "weeks"] as const
type TimeUnit = (typeof timeUnits)[number]

export const filterLimits = { characters: 8_000, depth: 5, conditions: 50, values: 100, text: 200 } as const

const largestSpan = 10_000
const longestRadiusMeters = 1_000_000

/** Thrown for a filter that breaks a rule; the message says which one, and what to send instead. */
class FilterProblem extends Error {}

/** Reads a filter from the JSON text that a client sent. */
export function readRowFilter(text: string): { filter: RowFilter } | { problem: string } {
  if (text.length > filterLimits.characters)
    return { problem: `filter can have at most ${filterLimits.characters} characters` }
  try {
    return { filter: checked(JSON.parse(text)) }
  } catch (error) {
    if (error instanceof FilterProblem) return { problem: error.message }
    return {
      problem: 'filter must be JSON, such as {"field":"status","operator":"equals","value":"ONGOING"}',
    }
  }
}

/** A filter that was kept as a value, for example in an address; undefined when it is none. */
export function rowFilterOf(value: unknown): RowFilter | undefined {
  if (typeof value !== "object" || value === null) return undefined
  const read = readRowFilter(JSON.stringify(value))
  return "filter" in read ? read.filter : undefined
}

function checked(value: unknown): RowFilter {
  const count = { conditions: 0 }
  return group(value, 1, count)
}

function group(value: unknown, depth: number, count: { conditions: number }): RowFilter {
  if (!isObject(value))
    throw new FilterProblem("filter must consist of objects: and, or, not, or a condition")
  if (depth > filterLimits.depth)
    throw new FilterProblem(`filter can be nested at most ${filterLimits.depth} levels deep`)
  if ("field" in value || "operator" in value) return condition(value, count)
  const [name, ...others] = Object.keys(value)
  if (others.length > 0 || (name !== "and" && name !== "or" && name !== "not"))
    throw new FilterProblem(
      "each object of filter must have exactly one of and, or, not, or be a condition with field, operator and value",
    )
  if (name === "not") return { not: group(value.not, depth + 1, count) }
  const parts = value[name]
  if (!Array.isArray(parts)) throw new FilterProblem(`${name} must be a list of conditions`)
  if (parts.length > filterLimits.conditions) throw tooMany()
  const read = parts.map((part) => group(part, depth + 1, count))
  return name === "and" ? { and: read } : { or: read }
}

function tooMany(): FilterProblem {
  return new FilterProblem(`filter can have at most ${filterLimits.conditions} conditions`)
}

function condition(value: Record<string, unknown>, count: { conditions: number }): FilterCondition {
  count.conditions += 1
  if (count.conditions > filterLimits.conditions) throw tooMany()
  const unknown = Object.keys(value).find((name) => !["field", "operator", "value"].includes(name))
  if (unknown !== undefined)
    throw new FilterProblem("a condition of filter has field, operator and value, and nothing else")
  const operator = filterOperators.find((name) => name === value.operator)
  if (!operator) throw new FilterProblem(`operator must be one of ${filterOperators.join(", ")}`)
  const field = operator === "late" ? "" : fieldOf(value.field)
  const { value: sent } = value
  switch (operator) {
    case "late":
    case "empty":
      if (sent !== undefined) throw new FilterProblem(`${operator} takes no value; put it in not to exclude`)
      return { field, operator }
    case "equals":
      return { field, operator, value: Array.isArray(sent) ? list(sent) : scalar(sent) }
    case "contains":
      return { field, operator, value: text(sent) }
    case "within":
      return { field, operator, value: span(sent) }
    case "near":
      return { field, operator, value: circle(sent) }
    default:
      return { field, operator, value: bound(operator, sent) }
  }
}

function fieldOf(value: unknown): string {
  if (typeof value !== "string" || !/^[\w.-]{1,100}$/.test(value))
    throw new FilterProblem("field must be the name of a field or the id of a component")
  return value
}

function scalar(value: unknown): FilterScalar {
  if (typeof value === "boolean") return value
  if (typeof value === "number" && Number.isFinite(value)) return value
  return text(value)
}

function text(value: unknown): string {
  if (typeof value !== "string" || value === "" || value.length > filterLimits.text)
    throw new FilterProblem(
      `value must be text of 1 to ${filterLimits.text} characters, or, with equals, a number, true or false; use empty for fields without a value`,
    )
  if (value.includes("\u0000") || !value.isWellFormed()) throw new FilterProblem("value is not valid text")
  return value
}

function list(values: readonly unknown[]): FilterScalar[] {
  if (values.length === 0 || values.length > filterLimits.values)
    throw new FilterProblem(`value must be a list of 1 to ${filterLimits.values} values`)
  return values.map(scalar)
}

/** A number, or a time of four-digit years. */
function bound(operator: string, value: unknown): number | string {
  if (typeof value === "number" && Number.isFinite(value)) return value
  if (typeof value === "string" && timeOf(value) !== undefined) return value
  throw new FilterProblem(
    `${operator} takes a number or a time such as 2031-05-04 or 2031-05-04T03:02:01Z; within takes relative times`,
  )
}

/** The moment that a date or a date with time means in UTC. */
export function timeOf(value: string): number | undefined {
  return parseDateTime(isDate(value) ? `${value} 00:00` : value)
}

export function isDate(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value)
}

function span(value: unknown): TimePeriod | RelativeTime {
  const period = timePeriods.find((name) => name === value)
  if (period) return period
  const units: readonly unknown[] = timeUnits
  if (
    isObject(value) &&
    Object.keys(value).length === 3 &&
    isSpan(value.from) &&
    isSpan(value.to) &&
    units.includes(value.unit) &&
    value.from <= value.to
  )
    return { from: value.from, to: value.to, unit: value.unit as TimeUnit }
  throw new FilterProblem(
    `within takes one of ${timePeriods.join(", ")}, or {"from":-7,"to":0,"unit":"days"} with units ${timeUnits.join(", ")}`,
  )
}

function isSpan(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= largestSpan
}

function circle(value: unknown): Circle {
  if (
    isObject(value) &&
    Object.keys(value).length === 3 &&
    isBetween(value.lat, -90, 90) &&
    isBetween(value.lng, -180, 180) &&
    isBetween(value.meters, 1, longestRadiusMeters)
  )
    return { lat: value.lat, lng: value.lng, meters: value.meters }
  throw new FilterProblem(
    `near takes {"lat":-6.2,"lng":106.8,"meters":5000}, with 1 to ${longestRadiusMeters} meters`,
  )
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && value >= least && value <= most
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
