import type { Sql } from "#core/database/database.ts"
import { type TaskRow, withTaskKeys } from "../wire.ts"

/** Fields of tasks in progress that change without the task, such as when somebody is expected there; by task. */
export type ProgressFields = (sql: Sql, taskIds: readonly string[]) => Promise<ReadonlyMap<string, object>>

type Row = Pick<TaskRow, "id" | "status" | "lat" | "values">

/** For those of the tasks that can have some. */
export async function readProgress(
  sql: Sql,
  progressFields: ProgressFields,
  rows: readonly Row[],
): Promise<(row: Row) => object> {
  const open = rows.filter(({ status, lat }) => status === "ONGOING" && lat !== null)
  if (open.length === 0) return () => ({})
  const found = await progressFields(
    sql,
    open.map(({ id }) => id),
  )
  return (row) => (found.has(row.id) ? withTaskKeys(row, found.get(row.id)) : {})
}
