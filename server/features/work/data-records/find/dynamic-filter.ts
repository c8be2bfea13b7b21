import type { Fragment, Sql } from "#core/database/database.ts"
import { json } from "#core/database/database.ts"
import { containing } from "#core/list-rows.ts"
import {
  type DataTypeRow,
  type Field,
  hasOrder,
  orderKeyOf,
  primaryKeyId,
  readFieldValue,
} from "../../data-types/index.ts"
import { dataErrors, refusedValues } from "../errors.ts"

export type FilterOperator = "equals" | "gte" | "lte" | "contains"

/** One request about the values of a field, read by the field's kind. Several values of `equals`: any of them. */
export interface FieldFilter {
  field: Field
  operator: FilterOperator
  values: (string | number | boolean)[]
}

const maxFilters = 10
const maxValues = 100

/** Whether a query asks about fields: `filter[<fieldId>]` or `filter[<fieldId>][gte|lte|contains]`. */
export function hasFieldFilters(query: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(query).some((name) => name.startsWith("filter["))
}

export function readFieldFilters(
  query: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
): FieldFilter[] {
  const filters = Object.entries(query)
    .filter(([name]) => name.startsWith("filter["))
    .map(([name, sent]) => readFilter(name, sent, fields))
  if (filters.length > maxFilters)
    throw dataErrors.badQuery({ message: `Filter by at most ${maxFilters} fields per request` })
  return filters
}

function readFilter(name: string, sent: unknown, fields: readonly Field[]): FieldFilter {
  const match = /^filter\[([^\]]+)\](?:\[(gte|lte|contains)\])?$/.exec(name)
  if (!match) throw refused(name, "must be filter[<fieldId>] or filter[<fieldId>][gte|lte|contains]")
  const field = fields.find((candidate) => candidate.id === match[1])
  if (!field) throw refused(name, "is not a field of the data type")
  const operator = (match[2] ?? "equals") as FilterOperator
  const texts = [sent].flat().map(String)
  if (texts.length > maxValues) throw refused(name, `can have at most ${maxValues} values`)
  if (texts.length > 1 && operator !== "equals") throw refused(name, "takes one value")
  if (texts.some((text) => text.includes("\u0000") || !text.isWellFormed()))
    throw refused(name, "is not text")
  if (operator === "contains") return { field, operator, values: texts }
  if (operator !== "equals" && !hasOrder(field))
    throw refused(
      name,
      `requires a number, date, dateTime or time field; ${field.id} has the type ${field.type}`,
    )
  return { field, operator, values: texts.map((text) => readWanted(field, text)) }
}

function readWanted(field: Field, text: string): string | number | boolean {
  if (field.id === primaryKeyId) return text.trim()
  // An option that was taken out of the type may still be looked for.
  if (field.type === "option" || field.type === "text") return text
  const read = readFieldValue(field, text, "file")
  if ("reason" in read) throw refusedValues([{ fieldId: field.id, title: field.title, ...read }])
  return hasOrder(field) ? (orderKeyOf(field, read.value) ?? read.value) : read.value
}

function refused(name: string, reason: string) {
  return dataErrors.badQuery({ message: `${name} ${reason}`, fields: { [name]: [reason] } })
}

/** Three characters make a trigram; the key has an index of its own for equality. */
export function isIndexed({ field, operator, values }: FieldFilter): boolean {
  if (operator === "contains") return String(values[0]).trim().length >= 3
  return field.id !== primaryKeyId
}

function patternOf(text: unknown): string {
  return containing(String(text))
}

/** Ids of the records of a type that changed since they were indexed. */
export function notedRecords(sql: Sql, organizationId: string, dataTypeId: string): Fragment {
  return sql`select unnest(record_ids) as record_id from data_search_notes
    where organization_id = ${organizationId} and data_type_id = ${dataTypeId}`
}

/**
 * The filter in a form that an index supports, within the type: records that matched when they were indexed and those
 * that changed since, each looked at as it is now. `part` is the part of a searched text to go by; `bounds` are all
 * filters of the same ordered field, which make one range of the index.
 */
export function byIndex(
  sql: Sql,
  { id: dataTypeId, organizationId }: Pick<DataTypeRow, "id" | "organizationId">,
  filter: FieldFilter,
  { part, bounds = [filter] }: { part?: string | undefined; bounds?: readonly FieldFilter[] } = {},
): Fragment {
  if (!isIndexed(filter)) return byRow(sql, filter)
  const { field, operator, values } = filter
  const noted = notedRecords(sql, organizationId, dataTypeId)
  // Arrays, not joins: each id is then looked up by itself, whatever the statistics say of how many there are.
  if (operator !== "contains" && hasOrder(field))
    return sql`data_records.id = any (array(
        select record_id from data_search_order o where o.organization_id = ${organizationId}
          and o.data_type_id = ${dataTypeId} and o.field_id = ${field.id}
          and ${bounds.map((bound) => compare(sql, sql`o.value`, bound)).reduce((sofar, bound) => sql`${sofar} and ${bound}`)}
        union all ${noted}
      )) and ${byRow(sql, filter)}`
  const wanted = values.map((value) => sql`s."values" @> ${json(sql, { [field.id]: value })}::jsonb`)
  const matches =
    operator === "contains"
      ? sql`s.words ilike ${patternOf(part ?? values[0])}`
      : sql`(${anyOf(sql, wanted)})`
  return sql`data_records.id = any (array(
        select record_id from data_search s where s.organization_id = ${organizationId}
          and s.data_type_id = ${dataTypeId} and ${matches}
        union all ${noted}
      )) and ${byRow(sql, filter)}`
}

/** The same as a look at each row, for filters that match many: the rows then come in order from their index. */
export function byRow(sql: Sql, filter: FieldFilter): Fragment {
  const { field, operator, values } = filter
  const text =
    field.id === primaryKeyId ? sql`data_records.data_id` : sql`data_records."values"->>${field.id}`
  if (operator === "contains") return sql`${text} ilike ${patternOf(values[0])}`
  if (field.id === primaryKeyId) return sql`data_records.data_id = any (${values.map(String)})`
  if (hasOrder(field)) return compare(sql, sql`(data_records.ordered->>${field.id})::float8`, filter)
  const wanted = values.map((value) => sql`data_records."values"->${field.id} = ${json(sql, value)}::jsonb`)
  return sql`(${anyOf(sql, wanted)})`
}

function compare(sql: Sql, number: Fragment, { operator, values }: FieldFilter): Fragment {
  const numbers = values.map(Number)
  if (operator === "gte") return sql`${number} >= ${numbers[0] ?? 0}::float8`
  if (operator === "lte") return sql`${number} <= ${numbers[0] ?? 0}::float8`
  return sql`${number} = any (${numbers}::float8[])`
}

function anyOf(sql: Sql, conditions: readonly Fragment[]): Fragment {
  return conditions.reduce((sofar, condition) => sql`${sofar} or ${condition}`, sql`false`)
}
