import { type RowFilter, rowFilterOf } from "#shared/row-filter.ts"
import type { FilterableField } from "../../../ui/filters/filter-draft.ts"
import type { DataField } from "../data-types/data-types.queries.ts"

/** What the grid of a data type shows, as encoded in the address. */
export interface RecordSearch {
  /** Requests about fields, such as `{"price[gte]": "10"}`: a field's id with the operator behind it. */
  where?: Record<string, string>
  /** Conditions over any field. */
  filter?: RowFilter
  sort?: string
  order?: "asc"
  /** The column by which rows are grouped. */
  group?: string
  /** The record whose form is open. */
  record?: string
}

const filterOperators = ["equals", "contains", "gte", "lte"] as const
export type FilterOperator = (typeof filterOperators)[number]

export interface FieldOptions {
  fieldId: string
  operator: FilterOperator
  value: string
}

export function readRecordSearch(search: Record<string, unknown>): RecordSearch {
  const where = search.where
  const entries =
    typeof where === "object" && where !== null
      ? Object.entries(where).filter((entry): entry is [string, string] => typeof entry[1] === "string")
      : []
  const filter = rowFilterOf(search.filter)
  return {
    ...(filter ? { filter } : {}),
    ...(entries.length > 0 ? { where: Object.fromEntries(entries) } : {}),
    ...(typeof search.sort === "string" ? { sort: search.sort } : {}),
    ...(search.order === "asc" ? { order: "asc" as const } : {}),
    ...(typeof search.group === "string" ? { group: search.group } : {}),
    ...(typeof search.record === "string" && /^[0-9a-f]{24}$/.test(search.record)
      ? { record: search.record }
      : {}),
  }
}

export function optionsOf(where: RecordSearch["where"]): FieldOptions[] {
  return Object.entries(where ?? {}).map(([key, value]) => {
    const match = /^(.*)\[(contains|gte|lte)\]$/.exec(key)
    return {
      fieldId: match?.[1] ?? key,
      operator: (match?.[2] as FilterOperator | undefined) ?? "equals",
      value,
    }
  })
}

export function whereOf(requests: readonly FieldOptions[]): Record<string, string> | undefined {
  if (requests.length === 0) return undefined
  return Object.fromEntries(
    requests.map(({ fieldId, operator, value }) => [
      operator === "equals" ? fieldId : `${fieldId}[${operator}]`,
      value,
    ]),
  )
}

const kinds: Partial<Record<DataField["type"], FilterableField["kind"]>> = {
  number: "number",
  date: "time",
  dateTime: "time",
  option: "choice",
  boolean: "flag",
  geolocation: "place",
}

/** A field of a data type, as the builder of conditions offers it. */
export function filterFieldOf({ id, title, type, optionData }: DataField): FilterableField {
  const options = type === "option" ? { options: optionData.map((value) => ({ value, label: value })) } : {}
  return { id, title, kind: kinds[type] ?? "text", ...options }
}
