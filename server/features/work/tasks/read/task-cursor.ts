import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { keptRows } from "#core/trash.ts"
import { taskErrors } from "../errors.ts"
import { indexedOrder, sortExpression, type TaskOrder } from "./task-order.ts"

/** A place in a sorted list: after the task with this value and id. */
interface Place {
  value: string | null
  type: string
  id: string
}

const types = ["text", "timestamp with time zone", "double precision", "jsonb", "text[]"]

/** The opaque cursor after a task; it keeps working when the task changes or goes. */
export async function writeTaskCursor(
  sql: Sql,
  caller: Caller,
  order: TaskOrder,
  taskId: string,
): Promise<string | null> {
  const place = await placeOf(
    sql,
    caller,
    order,
    sql`tasks where organization_id = ${caller.organizationId} and id = ${taskId}`,
  )
  if (!place) return null
  const { sortBy, direction } = order
  return Buffer.from(JSON.stringify([sortBy, direction, place.value, place.type, place.id])).toString(
    "base64url",
  )
}

/** Reads a `nextCursor`, or the `_id` of a task of the organization, also of one in the trash. Throws what is neither. */
export async function readTaskCursor(
  sql: Sql,
  caller: Caller,
  order: TaskOrder,
  cursor: string,
): Promise<Place> {
  if (!/^[0-9a-fA-F]{24}$/.test(cursor)) return readOpaque(order, cursor)
  const { organizationId } = caller
  const id = cursor.toLowerCase()
  const stored = await placeOf(
    sql,
    caller,
    order,
    sql`tasks where organization_id = ${organizationId} and id = ${id}`,
  )
  if (stored) return stored
  const [trashed] = await sql<{ task: unknown }[]>`
    select content -> 'task' as task from trash
    where organization_id = ${organizationId} and type = 'Task' and source_id = ${id}
    order by deleted_time desc limit 1`
  const kept = trashed && (await placeOf(sql, caller, order, keptRows(sql, "tasks", [trashed.task])))
  if (!kept) throw taskErrors.unknownCursor()
  return kept
}

async function placeOf(
  sql: Sql,
  caller: Caller,
  { sortBy }: TaskOrder,
  source: Fragment,
): Promise<Place | undefined> {
  const value = sortExpression(sql, caller.organizationId, sortBy)
  const rows = await sql<Place[]>`
    select (${value})::text as value, pg_typeof(${value})::text as type, id from ${source}`
  return rows[0]
}

function readOpaque({ sortBy, direction }: TaskOrder, cursor: string): Place {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"))
    const [by, way, value, type, id] = Array.isArray(read) ? (read as unknown[]) : []
    const isOfOrder = by === sortBy && way === direction
    if (
      isOfOrder &&
      (value === null || typeof value === "string") &&
      types.includes(String(type)) &&
      typeof id === "string"
    )
      return { value, type: String(type), id }
  } catch (cause) {
    throw taskErrors.unknownCursor({ cause })
  }
  throw taskErrors.unknownCursor()
}

/** Rows without the value come last when ascending and first when descending, as PostgreSQL orders them. */
export function afterPlace(
  sql: Sql,
  caller: Caller,
  { sortBy, direction }: TaskOrder,
  { value, type, id }: Place,
): Fragment {
  const column = sortExpression(sql, caller.organizationId, sortBy)
  const isDescending = direction === "desc"
  if (value === null)
    return isDescending
      ? sql`((${column} is null and id < ${id}) or ${column} is not null)`
      : sql`(${column} is null and id > ${id})`
  // The type is one of a closed list.
  const at = sql`(${value}::text::${sql.unsafe(types.includes(type) ? type : "text")})`
  if (isDescending) return sql`(${column}, id) < (${at}, ${id})`
  // Where the value is never missing, the row comparison alone lets the index of the order begin there.
  return indexedOrder(sortBy)?.isNullable === false
    ? sql`(${column}, id) > (${at}, ${id})`
    : sql`((${column}, id) > (${at}, ${id}) or ${column} is null)`
}
