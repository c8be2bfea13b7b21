import { Type } from "typebox"
import { boxAround } from "#packages/geodesy/geodesy.ts"
import {
  type Circle,
  type FilterCondition,
  type FilterScalar,
  isDate,
  type RelativeTime,
  type RowFilter,
  readRowFilter,
  type TimePeriod,
  timeOf,
} from "#shared/row-filter.ts"
import type { Fragment, Sql } from "./database/database.ts"
import { containing } from "./list-rows.ts"

/** The parameter of lists and exports. Its size and depth are checked where it is read. */
export const FilterParameter = Type.Optional(
  Type.String({
    description:
      'Conditions over any field as JSON: {"and":[…]}, {"or":[…]}, {"not":…} or {"field":"weight","operator":"gte","value":10}. Operators: equals, contains, empty, gt, gte, lt, lte, within, near, late. See the guide about filters',
  }),
)

/** How a field is read in SQL. Values of components and of data types are JSON; what they mean is seen from the condition. */
export type FilterField =
  | { kind: "text" | "number" | "time" | "texts" | "json"; value: Fragment }
  | { kind: "place"; lat: Fragment; lng: Fragment }

export interface FilterContext {
  sql: Sql
  now: Temporal.Instant
  /** Where days begin. */
  timeZone: string
  fieldOf(name: string): FilterField
  /** What `late` means; undefined where nothing can be late. */
  late: Fragment | undefined
  refuse(message: string): Error
}

/** A filter as a condition that is true or false, never null, so that `not` keeps rows without a value. */
export function rowFilterCondition(text: string, context: FilterContext): Fragment {
  const read = readRowFilter(text)
  if ("problem" in read) throw context.refuse(read.problem)
  return fragmentOf(read.filter, context)
}

/** A filter over a closed list of fields, by the names that the API gives them. */
export function listFilterCondition(
  text: string,
  { fields, ...context }: Omit<FilterContext, "fieldOf" | "late"> & { fields: Record<string, FilterField> },
): Fragment {
  return rowFilterCondition(text, {
    ...context,
    late: undefined,
    fieldOf(name) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (!field) throw context.refuse(`field must be one of ${Object.keys(fields).join(", ")}`)
      return field
    },
  })
}

function fragmentOf(filter: RowFilter, context: FilterContext): Fragment {
  const { sql } = context
  if ("not" in filter) return sql`(not ${fragmentOf(filter.not, context)})`
  if ("and" in filter)
    return filter.and.reduce<Fragment>(
      (all, part) => sql`(${all} and ${fragmentOf(part, context)})`,
      sql`true`,
    )
  if ("or" in filter)
    return filter.or.reduce<Fragment>(
      (any, part) => sql`(${any} or ${fragmentOf(part, context)})`,
      sql`false`,
    )
  return sql`((${conditionOf(filter, context)}) is true)`
}

function conditionOf(condition: FilterCondition, context: FilterContext): Fragment {
  const { sql } = context
  const { operator, value } = condition
  if (operator === "late") {
    if (!context.late) throw context.refuse("late is a condition of tasks only")
    return context.late
  }
  const field = context.fieldOf(condition.field)
  if (field.kind === "place") return placeCondition(field, condition, context)
  switch (operator) {
    case "empty":
      return emptyCondition(sql, field)
    case "contains":
      return sql`${readableText(sql, field)} ilike ${containing(String(value))}`
    case "equals":
      return equalsCondition(field, condition, [value].flat() as FilterScalar[], context)
    case "within":
      return timeIn(sql, timeValue(context, field), periodOf(context, value as TimePeriod | RelativeTime))
    case "near":
      return nearText(sql, field, value as Circle)
    default:
      return boundCondition(field, condition, context)
  }
}

type ValueField = Exclude<FilterField, { kind: "place" }>

function emptyCondition(sql: Sql, { kind, value }: ValueField): Fragment {
  if (kind === "texts") return sql`${value} = '{}'`
  if (kind === "text") return sql`coalesce(${value}, '') = ''`
  if (kind === "json") return sql`coalesce(${value}, 'null') = any (array['null', '""', '[]', '{}']::jsonb[])`
  return sql`${value} is null`
}

function equalsCondition(
  field: ValueField,
  condition: FilterCondition,
  values: readonly FilterScalar[],
  context: FilterContext,
): Fragment {
  const { sql } = context
  if (field.kind === "time") {
    return values.reduce<Fragment>((any, value) => {
      if (typeof value !== "string" || timeOf(value) === undefined)
        throw context.refuse(`${condition.field} is compared with times such as 2031-05-04`)
      return sql`${any} or ${timeIn(sql, field.value, momentOf(context, value))}`
    }, sql`false`)
  }
  const texts = values.map(String)
  const numbers = values.filter((value) => typeof value === "number")
  if (field.kind === "number") return sql`${field.value} = any (${numbers}::float8[])`
  if (field.kind === "texts") return sql`${field.value} && ${texts}::text[]`
  const isNumber = sql`${numberValue(sql, field)} = any (${numbers}::float8[])`
  const plain = sql`${plainText(sql, field)} = any (${texts}::text[])`
  const isText =
    field.kind === "json"
      ? sql`case jsonb_typeof(${field.value}) when 'array' then ${field.value} ?| ${texts}::text[] else ${plain} end`
      : plain
  return numbers.length === 0 ? isText : sql`(${isText}) is true or ${isNumber}`
}

function boundCondition(field: ValueField, condition: FilterCondition, context: FilterContext): Fragment {
  const { sql } = context
  const value = condition.value as string | number
  const operator = condition.operator as "gt" | "gte" | "lt" | "lte"
  if (typeof value === "number") {
    if (field.kind === "time" || field.kind === "texts")
      throw context.refuse(`${condition.field} is not a number`)
    const number = field.kind === "number" ? field.value : numberValue(sql, field)
    return sql`${number} ${sql.unsafe(signs[operator])} ${value}::float8`
  }
  const time = timeValue(context, field)
  const { from, to } = momentOf(context, value)
  // A date means its whole day: later than it begins when it has ended.
  if (operator === "gte") return sql`${time} >= ${from}`
  if (operator === "lt") return sql`${time} < ${from}`
  const isDay = isDate(value)
  if (operator === "gt") return isDay ? sql`${time} >= ${to}` : sql`${time} > ${from}`
  return isDay ? sql`${time} < ${to}` : sql`${time} <= ${from}`
}

const signs = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

interface Period {
  from: Temporal.Instant
  /** Not included, unless it is `from` itself. */
  to: Temporal.Instant
}

function timeIn(sql: Sql, time: Fragment, { from, to }: Period): Fragment {
  return Temporal.Instant.compare(from, to) === 0
    ? sql`${time} = ${from}`
    : sql`(${time} >= ${from} and ${time} < ${to})`
}

/** A date is its day in the time zone, a time is that moment. */
function momentOf({ timeZone }: FilterContext, text: string): Period {
  if (!isDate(text)) {
    const moment = Temporal.Instant.fromEpochMilliseconds(timeOf(text) ?? 0)
    return { from: moment, to: moment }
  }
  const day = Temporal.PlainDate.from(text)
  return daysOf(timeZone, day, day.add({ days: 1 }))
}

function daysOf(timeZone: string, from: Temporal.PlainDate, to: Temporal.PlainDate): Period {
  return { from: from.toZonedDateTime(timeZone).toInstant(), to: to.toZonedDateTime(timeZone).toInstant() }
}

function periodOf({ now, timeZone }: FilterContext, value: TimePeriod | RelativeTime): Period {
  const local = now.toZonedDateTimeISO(timeZone)
  if (typeof value === "object") {
    return {
      from: local.add({ [value.unit]: value.from }).toInstant(),
      to: local.add({ [value.unit]: value.to }).toInstant(),
    }
  }
  const today = local.toPlainDate()
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  const first = today.with({ day: 1 })
  const day = (by: number) => daysOf(timeZone, today.add({ days: by }), today.add({ days: by + 1 }))
  const week = (by: number) => daysOf(timeZone, monday.add({ weeks: by }), monday.add({ weeks: by + 1 }))
  const month = (by: number) => daysOf(timeZone, first.add({ months: by }), first.add({ months: by + 1 }))
  const periods: Record<TimePeriod, () => Period> = {
    today: () => day(0),
    yesterday: () => day(-1),
    tomorrow: () => day(1),
    thisWeek: () => week(0),
    lastWeek: () => week(-1),
    nextWeek: () => week(1),
    thisMonth: () => month(0),
    lastMonth: () => month(-1),
    nextMonth: () => month(1),
  }
  return periods[value]()
}

/** As people read it: a list with commas between its items. */
export function readableText(sql: Sql, field: ValueField): Fragment {
  if (field.kind === "texts") return sql`array_to_string(${field.value}, ', ')`
  if (field.kind !== "json") return sql`${field.value}::text`
  // The function takes several times as long as the rest of the scan: only lists need it.
  return sql`(case jsonb_typeof(${field.value}) when 'array' then sort_value(${field.value}, false) else ${field.value} end #>> '{}')`
}

function plainText(sql: Sql, field: ValueField): Fragment {
  if (field.kind === "json") return sql`(${field.value} #>> '{}')`
  return field.kind === "texts" ? sql`array_to_string(${field.value}, ', ')` : sql`${field.value}::text`
}

/** Null for what is not a number: nobody's text may end a list. */
export function numberValue(sql: Sql, field: ValueField): Fragment {
  const text = plainText(sql, field)
  return sql`case when ${text} ~ '^\\s*[+-]?\\.?[0-9]' and pg_input_is_valid(${text}, 'float8') then ${text}::float8 end`
}

/** Null for what is not a time. A date is the beginning of its day in the time zone. */
function timeValue({ sql, timeZone }: FilterContext, field: ValueField): Fragment {
  if (field.kind === "time") return field.value
  const text = plainText(sql, field)
  return sql`case when ${text} !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}' or not pg_input_is_valid(${text}, 'timestamptz') then null
    when length(${text}) = 10 then ${text}::timestamp at time zone ${timeZone} else ${text}::timestamptz end`
}

type Place = Extract<FilterField, { kind: "place" }>

function placeCondition(
  field: Place,
  { operator, value, field: name }: FilterCondition,
  context: FilterContext,
) {
  const { sql, refuse } = context
  if (operator === "empty") return sql`${field.lat} is null`
  if (operator !== "near") throw refuse(`${name} is a place: it takes near and empty`)
  return nearPlace(sql, field, value as Circle)
}

/** Places are texts of latitude and longitude in components and records. */
function nearText(sql: Sql, field: ValueField, circle: Circle): Fragment {
  const text = plainText(sql, field)
  const part = (at: number) =>
    sql`case when ${text} ~ '^\\s*-?[0-9]{1,3}(\\.[0-9]{1,30})?\\s*,\\s*-?[0-9]{1,3}(\\.[0-9]{1,30})?\\s*$' then split_part(${text}, ',', ${at})::float8 end`
  return nearPlace(sql, { kind: "place", lat: part(1), lng: part(2) }, circle)
}

/** A box first, which is cheap, then the distance on the globe. */
function nearPlace(sql: Sql, { lat, lng }: Place, { lat: toLat, lng: toLng, meters }: Circle): Fragment {
  const { west, south, east, north } = boxAround([toLng, toLat], meters)
  const inBox =
    west <= east
      ? sql`${lng} between ${west}::float8 and ${east}::float8`
      : sql`(${lng} >= ${west}::float8 or ${lng} <= ${east}::float8)`
  return sql`${lat} between ${south}::float8 and ${north}::float8 and ${inBox} and 12742017.6 * asin(least(1, sqrt(
    power(sind((${lat} - ${toLat}::float8) / 2), 2) + cosd(${lat}) * cosd(${toLat}::float8) * power(sind((${lng} - ${toLng}::float8) / 2), 2)
  ))) <= ${meters}::float8`
}
