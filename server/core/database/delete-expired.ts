import type { Sql } from "./database.ts"

const rowsPerBatch = 5000

/** Deletes in batches, so that no statement holds locks for long; `remove` deletes some rows and returns them. */
export async function deleteInBatches(
  signal: AbortSignal,
  remove: () => PromiseLike<readonly unknown[]>,
): Promise<void> {
  let removed = 1
  while (removed > 0 && !signal.aborted) removed = (await remove()).length
}

/** Deletes the rows of a table whose time in `column` is further back than `age`. */
export function deleteExpired(
  sql: Sql,
  signal: AbortSignal,
  expired: { table: string; column: string; age: `${number} ${"hours" | "days"}` },
): Promise<void> {
  const table = sql(expired.table)
  return deleteInBatches(
    signal,
    () => sql`
      delete from ${table} where ctid = any (array(
        select ctid from ${table} where ${sql(expired.column)} < now() - ${expired.age}::interval limit ${rowsPerBatch}))
      returning 1`,
  )
}
