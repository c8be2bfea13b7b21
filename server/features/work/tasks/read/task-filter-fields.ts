import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { type FilterField, rowFilterCondition } from "#core/row-filter.ts"
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
  if (part) return { kind: "number", value: part }
  if (name === "firstAssignee") return { kind: "text", value: sql`first_assignee` }
  if (name === "stars") return { kind: "number", value: sql`task_stars(tasks.organization_id, tasks.id)` }
  if (name === "expectedCoordinate") return { kind: "place", lat: sql`lat`, lng: sql`lng` }
  if (name === "outcome") return { kind: "text", value: outcomeValue(sql) }
  const column = taskColumn(name)
  if (column) return { kind: kinds[column] ?? "text", value: sql`${sql(column)}` }
  const plain = name.startsWith("_") && isYielding(name.slice(1)) ? name.slice(1) : undefined
  if (plain !== undefined) return { kind: "json", value: sql`(attributes->${plain}::text)` }
  return { kind: "json", value: sql`coalesce("values"->${name}::text, attributes->${name}::text)` }
}

/** `doneTime.weekday` (Monday is 1) and `doneTime.hour` in the time zone of the organization, as reports group by them. */
function partOfTime(sql: Sql, name: string, timeZone: string): Fragment | undefined {
  const [time = "", part = ""] = name.split(".")
  const column = taskColumn(time)
  if (kinds[column ?? ""] !== "time" || (part !== "weekday" && part !== "hour")) return undefined
  const local = sql`(${sql(column ?? "")} at time zone ${timeZone})`
  return part === "hour" ? sql`extract(hour from ${local})` : sql`extract(isodow from ${local})`
}
