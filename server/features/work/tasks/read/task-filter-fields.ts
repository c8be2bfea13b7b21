import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { type FilterField, numberValue, readableText, rowFilterCondition } from "#core/row-filter.ts"
import { isYielding, taskColumn } from "#shared/task-fields.ts"
import { taskErrors } from "../errors.ts"
import { outcomeValue } from "./task-order.ts"

const kinds: Readonly<Record<string, "number" | "time" | "texts">> = {
  start_time: "time",
  end_time: "time",
  created_time: "time",
  updated_time: "time",
  done_time: "time",
  assigned_time: "time",
  order_index: "number",
  assignee: "texts",
}

/** The filter that people build, as a condition on `tasks`. */
export function builtCondition(sql: Sql, caller: Caller, text: string, now: Temporal.Instant): Fragment {
  return rowFilterCondition(text, {
    sql,
    now,
    timeZone: caller.timeZone,
    fieldOf: (name) => fieldOf(sql, name, caller.timeZone),
    late: sql`(status <> 'DONE' and end_time < ${now}) or attributes->'isLate' = 'true'`,
    refuse: (message) => taskErrors.invalid({ message, fields: { filter: [message] } }),
  })
}

/** A column, or the value of a component or rarer field of that name, as for sorting. */
function fieldOf(sql: Sql, name: string, timeZone: string): FilterField {
  const part = partOfTime(sql, name, timeZone)
  if (part) return part
  const grouped = groupOf(name)
  if (grouped) return { kind: "text", value: groupText(sql, fieldOf(sql, grouped, timeZone)) }
  if (name === "firstAssignee") return { kind: "text", value: sql`first_assignee` }
  if (name === "stars") return { kind: "number", value: sql`task_stars(tasks.organization_id, tasks.id)` }
  if (name === "expectedLate")
    return {
      kind: "text",
      value: sql`task_expected_late(tasks.organization_id, tasks.id, tasks.status, tasks.end_time)::text`,
    }
  if (name === "expectedCoordinate") return { kind: "place", lat: sql`lat`, lng: sql`lng` }
  if (name === "outcome") return { kind: "text", value: outcomeValue(sql) }
  const column = taskColumn(name)
  if (column) return { kind: kinds[column] ?? "text", value: sql`${sql(column)}` }
  const plain = name.startsWith("_") && isYielding(name.slice(1)) ? name.slice(1) : undefined
  if (plain !== undefined) return { kind: "json", value: sql`(attributes->${plain}::text)` }
  return { kind: "json", value: sql`coalesce("values"->${name}::text, attributes->${name}::text)` }
}

/**
 * `doneTime.weekday` (Monday is 1), `doneTime.hour` and `doneTime.day` (2031-05-04) in the time zone of the organization, as
 * reports and lists group by them.
 */
function partOfTime(sql: Sql, name: string, timeZone: string): FilterField | undefined {
  const [time = "", part = ""] = name.split(".")
  if (!isTime(time) || !["weekday", "hour", "day"].includes(part)) return undefined
  const local = sql`(${sql(taskColumn(time) ?? "")} at time zone ${timeZone})`
  if (part === "day") return { kind: "text", value: sql`to_char(${local}, 'YYYY-MM-DD')` }
  return {
    kind: "number",
    value: part === "hour" ? sql`extract(hour from ${local})` : sql`extract(isodow from ${local})`,
  }
}

function isTime(name: string): boolean {
  return kinds[taskColumn(name) ?? ""] === "time"
}

const groupSuffix = ".group"

/** The field of `priority.group`, which is the whole value as text: one item of a list is not the list. */
function groupOf(name: string): string | undefined {
  const field = name.endsWith(groupSuffix) ? name.slice(0, -groupSuffix.length) : ""
  return field === "" || field.endsWith(groupSuffix) ? undefined : field
}

function groupText(sql: Sql, field: FilterField): Fragment {
  if (field.kind === "place") return sql`''`
  return sql`left(${readableText(sql, field)}, ${longestGroup})`
}

/** Groups of a list are filtered by their values, which have this many characters at most. */
const longestGroup = 200

/** The name of the field whose values make groups of a list: days of times, whole values of others. */
export function groupField(name: string): string {
  return isTime(name) ? `${name}.day` : `${name}${groupSuffix}`
}

/** What rows are grouped by: null where a task has no value. */
export function groupValue(sql: Sql, name: string, timeZone: string): Fragment {
  const field = fieldOf(sql, groupField(name), timeZone)
  return field.kind === "text" ? sql`nullif(${field.value}, '')` : sql`null::text`
}

/**
 * The sum of the numbers of a component, added up as decimals: 0.1 and 0.2 are 0.3. Left out are values that are no numbers
 * and those so large that nothing can be added to them.
 */
export function sumOf(sql: Sql, name: string, timeZone: string): Fragment {
  const field = fieldOf(sql, name, timeZone)
  if (field.kind !== "json" && field.kind !== "number") return sql`null::float8`
  const number = numberValue(sql, field)
  return sql`(sum((${number})::numeric) filter (where abs(${number}) < 1e15))::float8`
}
