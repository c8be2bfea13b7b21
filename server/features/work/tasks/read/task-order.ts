import type { Fragment, Sql } from "#core/database/database.ts"
import type { Direction } from "#core/paging.ts"
import { taskColumn } from "#shared/task-fields.ts"
import { nameOfHub } from "../../../organization/hubs/index.ts"
import { firstNameOf } from "../../../people/users/index.ts"
import type { TaskRow } from "../wire.ts"

export interface TaskOrder {
  sortBy: string
  direction: Direction
}

interface IndexedOrder {
  column: string
  isNullable: boolean
  valueOf(task: TaskRow): Temporal.Instant | number | null
}

/** Orders that an index gives, so that a page costs the same at a thousand and at a million tasks. */
const indexedOrders: Record<string, IndexedOrder> = {
  createdTime: { column: "created_time", isNullable: false, valueOf: (task) => task.createdTime },
  updatedTime: { column: "updated_time", isNullable: false, valueOf: (task) => task.updatedTime },
  startTime: { column: "start_time", isNullable: false, valueOf: (task) => task.startTime },
  endTime: { column: "end_time", isNullable: false, valueOf: (task) => task.endTime },
  doneTime: { column: "done_time", isNullable: true, valueOf: (task) => task.doneTime },
  orderIndex: { column: "order_index", isNullable: false, valueOf: (task) => task.orderIndex },
}

export function indexedOrder(sortBy: string): IndexedOrder | undefined {
  return Object.hasOwn(indexedOrders, sortBy) ? indexedOrders[sortBy] : undefined
}

/** Whether an index gives the order. Titles have one that serves first pages alone: cursors need whole values. */
export function hasIndex(sortBy: string): boolean {
  return sortBy === "title" || indexedOrder(sortBy) !== undefined
}

/** Orders by the names that lists show in place of ids and e-mails. */
const namedOrders: Record<string, (sql: Sql, organizationId: string) => Fragment> = {
  "hub.name": (sql, organizationId) => nameOfHub(sql, organizationId, sql`hub_id`),
  "assignee.name": (sql, organizationId) => firstNameOf(sql, organizationId, sql`assignee`),
}

/**
 * What rows are sorted by: a column, or the value of a component or rarer field of that name. Values of number inputs
 * are sorted as numbers, in whatever form they were sent; lists as their text.
 */
export function sortExpression(sql: Sql, organizationId: string, sortBy: string): Fragment {
  if (sortBy === "title") return sql`(left(title, 100) collate "C")`
  if (sortBy === "outcome") return outcomeValue(sql)
  const named = Object.hasOwn(namedOrders, sortBy) ? namedOrders[sortBy] : undefined
  if (named) return named(sql, organizationId)
  const column = taskColumn(sortBy)
  if (column) return sql`${sql(column)}`
  // A subquery that depends on no row is evaluated once.
  return sql`sort_value(nullif(coalesce("values"->${sortBy}, attributes->${sortBy}), 'null'), (select exists (
    select from flows where flows.organization_id = ${organizationId} and jsonb_path_exists(flows.pages,
      '$[*].components[*] ? (@.id == $id && @.component == "input" && @.type like_regex "^(number|numeric|currency)$" flag "i")',
      jsonb_build_object('id', ${sortBy}::text)))))`
}

/** Tasks that are finished without an outcome are done. */
export function outcomeValue(sql: Sql): Fragment {
  return sql`coalesce("values"->>'outcome', attributes->>'outcome', case when status = 'DONE' then 'done' end)`
}
