import type { Caller } from "#core/access/caller.ts"
import { type CursorOrder, findPlace, type Place, readPlace } from "#core/cursor-paging.ts"
import type { Sql } from "#core/database/database.ts"
import { keptRows } from "#core/trash.ts"
import { taskErrors } from "../errors.ts"
import { indexedOrder, sortExpression, type TaskOrder } from "./task-order.ts"

export function cursorOrder(sql: Sql, { organizationId }: Caller, order: TaskOrder): CursorOrder {
  return {
    ...order,
    value: sortExpression(sql, organizationId, order.sortBy),
    id: sql`id`,
    isNullable: indexedOrder(order.sortBy)?.isNullable !== false,
  }
}

/**
 * Reads a `nextCursor`, or the `_id` of a task of the organization, also of one in the trash, by itself or with its
 * hub. Throws what is neither.
 */
export async function readTaskCursor(
  sql: Sql,
  { organizationId }: Caller,
  order: CursorOrder,
  cursor: string,
): Promise<Place> {
  const place = await readPlace(sql, order, cursor, {
    table: keptRows(sql, "tasks", [{}]),
    placeOf: (id) => placeOfTask(sql, organizationId, order, id),
  })
  if (!place) throw taskErrors.unknownCursor()
  return place
}

async function placeOfTask(
  sql: Sql,
  organizationId: string,
  order: CursorOrder,
  id: string,
): Promise<Place | undefined> {
  const stored = await findPlace(
    sql,
    order,
    sql`tasks where organization_id = ${organizationId} and id = ${id}`,
  )
  if (stored) return stored
  const [trashed] = await sql<{ task: unknown }[]>`
    select content -> 'task' as task from trash
    where organization_id = ${organizationId} and type = 'Task' and source_id = ${id}
    order by deleted_time desc limit 1`
  const [ofHub] = trashed
    ? [trashed]
    : await sql<{ task: unknown }[]>`
        select task from trash, jsonb_array_elements(content -> 'tasks') task
        where organization_id = ${organizationId} and type = 'Hub' and task ->> 'id' = ${id}
        order by deleted_time desc limit 1`
  return ofHub && findPlace(sql, order, keptRows(sql, "tasks", [ofHub.task]))
}
