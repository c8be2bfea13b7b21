import { distributedTables, hasCitus } from "./citus.ts"
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
export async function deleteExpired(
  sql: Sql,
  signal: AbortSignal,
  expired: { table: string; column: string; age: `${number} ${"hours" | "days"}` },
): Promise<void> {
  const table = sql(expired.table)
  const isExpired = sql`${sql(expired.column)} < now() - ${expired.age}::interval`
  // A row's place says nothing where its table is on several machines: each has a row at the same place.
  if (expired.table in distributedTables && (await hasCitus(sql)))
    await sql`delete from ${table} where ${isExpired}`
  else
    await deleteInBatches(
      signal,
      () => sql`
        delete from ${table} where ctid = any (array(select ctid from ${table} where ${isExpired} limit ${rowsPerBatch}))
        returning 1`,
    )
}
