import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database.ts"
import type { Direction, PageWish } from "#core/paging.ts"
import { taskErrors } from "./errors.ts"
import { type TaskConditions, type TaskFilter, taskConditions } from "./list-query.ts"
import { findTask, hubOfTask, seesWholeHubs, taskColumns, visibleTasks } from "./queries.ts"
import type { TaskRow } from "./wire.ts"

export interface TaskCounts {
  total: number
  doneTotal: number
  ongoingTotal: number
}

export interface TaskOrder {
  sortBy: string
  direction: Direction
}

/** Orders that an index gives, so that a page costs the same at a thousand and at a million tasks. */
const indexedOrders: Record<string, { column: string; isNullable: boolean }> = {
  createdTime: { column: "created_time", isNullable: false },
  updatedTime: { column: "updated_time", isNullable: false },
  startTime: { column: "start_time", isNullable: false },
  endTime: { column: "end_time", isNullable: false },
  doneTime: { column: "done_time", isNullable: true },
  orderIndex: { column: "order_index", isNullable: false },
}

const sortableColumns: Record<string, string> = {
  _id: "id",
  status: "status",
  flow: "flow",
  flowId: "flow_id",
  hubId: "hub_id",
  title: "title",
  content: "content",
  label: "label",
  createdBy: "created_by",
  updatedBy: "updated_by",
  createdFrom: "created_from",
  doneBy: "done_by",
  assignedBy: "assigned_by",
  assignedTime: "assigned_time",
  refId: "ref_id",
  taskType: "task_type",
  assignee: "assignee",
}

const widestSort = 20_000

/** A page of tasks with the exact totals of the whole filter. */
export async function listTasks(
  sql: Sql,
  caller: Caller,
  filter: TaskFilter,
  wish: { order: TaskOrder; page: PageWish; now: Temporal.Instant },
): Promise<{ rows: TaskRow[]; counts: TaskCounts }> {
  const conditions = taskConditions(sql, caller, filter, wish.now)
  const counts = await countTasks(sql, caller, conditions)
  if (!indexedOrders[wish.order.sortBy] && counts.total > widestSort) throw taskErrors.sortTooWide()
  return { rows: await readPageOfTasks(sql, caller, conditions, wish, counts.total), counts }
}

/** A page near the end is read from the end: nobody waits for a million rows to be skipped. */
async function readPageOfTasks(
  sql: Sql,
  caller: Caller,
  conditions: TaskConditions,
  wish: { order: TaskOrder; page: PageWish },
  total: number,
): Promise<TaskRow[]> {
  const { limit, offset } = wish.page
  if (offset >= total) return []
  const isFromEnd = offset > total / 2
  const size = Math.min(limit, total - offset)
  const skip = isFromEnd ? total - offset - size : offset
  const direction = isFromEnd === (wish.order.direction === "desc") ? sql`asc` : sql`desc`
  const rows = await sql<TaskRow[]>`
    select tasks.*, ${hubOfTask(sql)} from (
      select ${taskColumns(sql)} from tasks
      where ${visibleTasks(sql, caller)} and ${conditions.where}
      order by ${sortExpression(sql, wish.order.sortBy)} ${direction}, id ${direction}
      limit ${size} offset ${skip}
    ) tasks`
  return isFromEnd ? rows.toReversed() : rows
}

function sortExpression(sql: Sql, sortBy: string): Fragment {
  const column = indexedOrders[sortBy]?.column ?? sortableColumns[sortBy]
  if (column) return sql`${sql(column)}`
  return sql`coalesce("values"->${sortBy}, attributes->${sortBy})`
}

/**
 * Exact totals. Where only hub, flow, status and type decide, they are sums over a few counted groups; else
 * the matching rows are counted through an index.
 */
export async function countTasks(sql: Sql, caller: Caller, conditions: TaskConditions): Promise<TaskCounts> {
  const rows =
    conditions.counts && seesWholeHubs(caller)
      ? await sql<TaskCounts[]>`
          select coalesce(sum(count), 0)::bigint as total,
            coalesce(sum(count) filter (where status = 'DONE'), 0)::bigint as done_total,
            coalesce(sum(count) filter (where status = 'ONGOING'), 0)::bigint as ongoing_total
          from (
            select hub_id, flow_id, flow, status, task_type, count from task_counts where organization_id = ${caller.organizationId}
            union all
            select hub_id, flow_id, flow, status, task_type, change from task_count_changes where organization_id = ${caller.organizationId}
          ) counted
          where ${conditions.counts} and ${caller.hubs === "all" ? sql`true` : sql`hub_id = any (${[...caller.hubs]})`}`
      : await sql<TaskCounts[]>`
          select count(*) as total, count(*) filter (where status = 'DONE') as done_total,
            count(*) filter (where status = 'ONGOING') as ongoing_total
          from tasks where ${visibleTasks(sql, caller)} and ${conditions.where}`
  return rows[0] ?? { total: 0, doneTotal: 0, ongoingTotal: 0 }
}

/** Cursor mode: the tasks after one that the caller has, in the same order. */
export async function listTasksAfter(
  sql: Sql,
  caller: Caller,
  filter: TaskFilter,
  wish: { order: TaskOrder; limit: number; cursor: string | undefined; now: Temporal.Instant },
): Promise<{ rows: TaskRow[]; hasMore: boolean }> {
  const order = indexedOrders[wish.order.sortBy] ?? indexedOrders.createdTime
  if (!order) throw new Error("no order")
  const last = wish.cursor === undefined ? undefined : await findTask(sql, caller, wish.cursor)
  if (wish.cursor !== undefined && !last) throw taskErrors.unknownCursor()
  const conditions = taskConditions(sql, caller, filter, wish.now)
  const isDescending = wish.order.direction === "desc"
  const direction = isDescending ? sql`desc` : sql`asc`
  const rows = await sql<TaskRow[]>`
    select tasks.*, ${hubOfTask(sql)} from (
      select ${taskColumns(sql)} from tasks
      where ${visibleTasks(sql, caller)} and ${conditions.where}
        ${last ? sql`and ${afterTask(sql, order, isDescending, last)}` : sql``}
      order by ${sql(order.column)} ${direction}, id ${direction}
      limit ${wish.limit + 1}
    ) tasks`
  return { rows: rows.slice(0, wish.limit), hasMore: rows.length > wish.limit }
}

/** Rows without the value come last when ascending and first when descending, as PostgreSQL orders them. */
function afterTask(
  sql: Sql,
  order: { column: string; isNullable: boolean },
  isDescending: boolean,
  last: TaskRow,
): Fragment {
  const column = sql(order.column)
  const property = order.column.replace(/_([a-z])/g, (_match, letter: string) =>
    letter.toUpperCase(),
  ) as keyof TaskRow
  const value = last[property] as Temporal.Instant | number | null
  if (value === null) {
    return isDescending
      ? sql`((${column} is null and id < ${last.id}) or ${column} is not null)`
      : sql`(${column} is null and id > ${last.id})`
  }
  if (isDescending) return sql`(${column}, id) < (${value}, ${last.id})`
  return order.isNullable
    ? sql`((${column}, id) > (${value}, ${last.id}) or ${column} is null)`
    : sql`(${column}, id) > (${value}, ${last.id})`
}
