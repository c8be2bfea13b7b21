import type { Caller } from "#core/access/caller.ts"
import { type CursorOrder, findPlace, type Place, readPlace } from "#core/cursor-paging.ts"
import type { Sql } from "#core/database/database.ts"
import { findRemovedRow, keptRows } from "#core/trash.ts"
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
 * Reads a `nextCursor`, or the `_id` of a task of the organization, also of one removed within the last 30 days: by
 * itself, with its hub or task, or by an undo. Throws what is neither.
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
  const removed = await findRemovedRow(sql, organizationId, "Task", id)
  return removed === undefined ? undefined : findPlace(sql, order, keptRows(sql, "tasks", [removed]))
}
