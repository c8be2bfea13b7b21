import type { FilterCondition, FilterValue, RowFilter, TimePeriod } from "#shared/row-filter.ts"

/** A field that people filter by. */
export interface FilterableField {
  id: string
  title: string
  kind: "text" | "number" | "time" | "choice" | "flag" | "place"
  /** Of a choice: what can be chosen. */
  options?: readonly { value: string; label: string }[]
  /** Only shown where a filter has it, such as one that a report made. */
  isRare?: boolean
}

/** A field that is not known, such as a component that no flow has any more: what its value looks like. */
export function unknownField({ field, value }: DraftRow): FilterableField {
  const kind = typeof value === "boolean" ? "flag" : typeof value === "number" ? "number" : "text"
  return { id: field, title: field, kind }
}

/** Names by their values, as a choice. */
export function choicesOf(names: ReadonlyMap<string, string>): { value: string; label: string }[] {
  return [...names].map(([value, label]) => ({ value, label }))
}

/** A condition while it is being written: operators as people know them, with their opposites. */
export interface DraftRow {
  field: string
  operator: DraftOperator
  value: FilterValue | undefined
}

export type Join = "and" | "or" | "none"

export interface Draft {
  join: Join
  parts: (DraftRow | { join: Join; rows: DraftRow[] })[]
}

const negated = {
  notEquals: "equals",
  notContains: "contains",
  notEmpty: "empty",
  notWithin: "within",
  notLate: "late",
  far: "near",
} as const
type Negated = keyof typeof negated
export type DraftOperator = FilterCondition["operator"] | Negated

/** The field of the conditions that ask about no field. */
export const lateField = "late"

export function operatorsOf(kind: FilterableField["kind"] | "late"): readonly DraftOperator[] {
  switch (kind) {
    case "late":
      return ["late", "notLate"]
    case "number":
      return ["equals", "notEquals", "gte", "lte", "gt", "lt", "empty", "notEmpty"]
    case "time":
      return ["within", "notWithin", "gte", "lte", "equals", "empty", "notEmpty"]
    case "choice":
      return ["equals", "notEquals", "empty", "notEmpty"]
    case "flag":
      return ["equals", "notEquals"]
    case "place":
      return ["near", "far", "empty", "notEmpty"]
    default:
      return ["contains", "notContains", "equals", "notEquals", "empty", "notEmpty"]
  }
}

export function needsValue(operator: DraftOperator): boolean {
  return !["empty", "notEmpty", "late", "notLate"].includes(operator)
}

/** The value that a new condition begins with. */
export function firstValue(kind: FilterableField["kind"] | "late", operator: DraftOperator) {
  if (operator === "within" || operator === "notWithin") return "today" satisfies TimePeriod
  return kind === "flag" ? true : undefined
}

function isComplete({ operator, value }: DraftRow): boolean {
  return (
    !needsValue(operator) ||
    (value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0))
  )
}

/** The filter of a draft; undefined when it asks for nothing. Unfinished conditions are left out. */
export function filterOf({ join, parts }: Draft): RowFilter | undefined {
  const filters = parts.flatMap((part) => {
    if ("field" in part) return isComplete(part) ? [conditionOf(part)] : []
    const rows = part.rows.filter(isComplete).map(conditionOf)
    return rows.length === 0 ? [] : [joined(part.join, rows)]
  })
  return filters.length === 0 ? undefined : joined(join, filters)
}

function joined(join: Join, parts: RowFilter[]): RowFilter {
  if (join === "none") return { not: { or: parts } }
  return join === "and" ? { and: parts } : { or: parts }
}

function conditionOf({ field, operator, value }: DraftRow): RowFilter {
  const positive =
    operator in negated ? negated[operator as Negated] : (operator as FilterCondition["operator"])
  const condition = {
    field: field === lateField ? "" : field,
    operator: positive,
    ...(needsValue(operator) && value !== undefined ? { value } : {}),
  }
  return operator in negated ? { not: condition } : condition
}

/** A filter as a draft; undefined for one of another shape, such as one that a program made. */
export function draftOf(filter: RowFilter | undefined): Draft | undefined {
  if (!filter) return { join: "and", parts: [] }
  const row = rowOf(filter)
  if (row) return { join: "and", parts: [row] }
  const group = groupOf(filter)
  if (!group) return undefined
  const parts = group.parts.map((part) => {
    const inner = rowOf(part) ?? groupOf(part)
    if (!inner || "field" in inner) return inner
    const rows = inner.parts.map(rowOf)
    return rows.every((one) => one !== undefined) ? { join: inner.join, rows } : undefined
  })
  return parts.every((part) => part !== undefined) ? { join: group.join, parts } : undefined
}

function groupOf(filter: RowFilter): { join: Join; parts: RowFilter[] } | undefined {
  if ("and" in filter) return { join: "and", parts: filter.and }
  if ("or" in filter) return { join: "or", parts: filter.or }
  return "not" in filter && "or" in filter.not ? { join: "none", parts: filter.not.or } : undefined
}

function rowOf(filter: RowFilter): DraftRow | undefined {
  const isNot = "not" in filter
  const condition = isNot ? filter.not : filter
  if (!("operator" in condition)) return undefined
  const opposite = (Object.keys(negated) as Negated[]).find((name) => negated[name] === condition.operator)
  if (isNot && !opposite) return undefined
  return {
    field: condition.operator === "late" ? lateField : condition.field,
    operator: isNot && opposite ? opposite : condition.operator,
    value: condition.value,
  }
}

/** How many conditions a filter has. */
export function conditionsIn(filter: RowFilter | undefined): number {
  if (!filter) return 0
  if ("not" in filter) return conditionsIn(filter.not)
  const parts = "and" in filter ? filter.and : "or" in filter ? filter.or : undefined
  return parts ? parts.reduce((sum, part) => sum + conditionsIn(part), 0) : 1
}
