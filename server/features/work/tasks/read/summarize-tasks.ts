import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { RowFilter } from "#shared/row-filter.ts"
import { taskErrors } from "../errors.ts"
import { tasksOfAudience } from "./audience.ts"
import { countTasks } from "./count-tasks.ts"
import type { TaskFilter } from "./list-query.ts"
import { prepare } from "./list-tasks.ts"
import { visible } from "./page-queries.ts"
import { groupField, groupValue, sumOf } from "./task-filter-fields.ts"

/** All matches are looked at. */
const maxTasks = 100_000
const maxGroups = 500

export interface TaskGroup {
  /** Null for tasks without a value. */
  value: string | null
  count: number
  sums: Record<string, number | null>
  /** To be added to the filter of the list: it then has exactly these tasks. */
  filter: RowFilter
}

interface SummaryOptions {
  groupBy: string | undefined
  sums: readonly string[]
  now: Temporal.Instant
}

/** Sums over all tasks of a filter, and its groups by the values of a field. */
export async function summarizeTasks(sql: Sql, caller: Caller, filter: TaskFilter, options: SummaryOptions) {
  const { groupBy, sums, now } = options
  const search = await prepare(sql, caller, filter, { now, withHistories: false })
  const { total } = await countTasks(sql, caller, search.conditions, search.audience)
  if (total > maxTasks) throw taskErrors.summaryTooWide()
  const key = groupBy === undefined ? sql`null::text` : groupValue(sql, groupBy, caller.timeZone)
  const columns = sums.map((name) => sumOf(sql, name, caller.timeZone))
  const added = columns.reduce((all, column) => sql`${all}, ${column}`, sql`null::float8`)
  const rows = await sql<{ value: string | null; count: number; added: (number | null)[] }[]>`
    select value, count(*)::int as count, array[${added}]::float8[] as added
    from (
      select *, ${key} as value from ${tasksOfAudience(sql, caller.organizationId, search.audience)}
      where ${visible(sql, search)} and ${search.conditions.words ?? sql`true`}
    ) tasks
    group by value order by value nulls last limit ${maxTasks}`
  const sumsOf = (row: { added: (number | null)[] }) =>
    Object.fromEntries(sums.map((name, at) => [name, row.added[at + 1] ?? null]))
  const groups: TaskGroup[] = rows
    .slice(0, maxGroups)
    .map((row) => ({ ...pick(row), sums: sumsOf(row), filter: filterOf(groupBy ?? "", row.value) }))
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    sums: Object.fromEntries(
      sums.map((name, at) => {
        const parts = rows.flatMap(({ added }) => added[at + 1] ?? [])
        return [name, parts.length === 0 ? null : decimalSum(parts)]
      }),
    ),
    groups: groupBy === undefined ? [] : groups,
    moreGroups: Math.max(0, rows.length - maxGroups),
  }
}

/** Without the last binary digits, in which sums of decimals differ. */
function decimalSum(parts: readonly number[]): number {
  return Number(parts.reduce((sum, part) => sum + part, 0).toPrecision(14))
}

function pick({ value, count }: { value: string | null; count: number }) {
  return { value, count }
}

function filterOf(groupBy: string, value: string | null): RowFilter {
  const field = groupField(groupBy)
  return value === null ? { field, operator: "empty" } : { field, operator: "equals", value }
}
