import { batchReads } from "../database/batch-reads.ts"
import { isPool, type Pool, type Sql } from "../database/database.ts"
import type { Caller } from "./caller.ts"

/** Finds those of the objects with these ids that the caller may see, by id. */
type FindMany<Who, Row> = (sql: Sql, who: Who, ids: readonly string[]) => Promise<readonly Row[]>

/**
 * One object by its id, as a client asks for that shows twenty of them: requests of one caller that arrive together
 * share a statement. Never those of two callers, because what a caller may see is in the statement. Inside a
 * transaction each is asked alone. The rows are shared: callers must not modify them.
 */
export function readByCaller<Row extends { id: string }, Who extends object = Caller>(
  findMany: FindMany<Who, Row>,
): (sql: Sql, caller: Who, id: string) => Promise<Row | undefined> {
  const readers = new WeakMap<Who, { sql: Pool; read(id: string): Promise<Row | undefined> }>()
  const findInOrder = async (sql: Sql, caller: Who, ids: readonly string[]) => {
    const rows = new Map((await findMany(sql, caller, ids)).map((row) => [row.id, row]))
    return ids.map((id) => rows.get(id))
  }

  const readerOf = (sql: Pool, caller: Who) => {
    const known = readers.get(caller)
    if (known?.sql === sql) return known
    const read = batchReads<string, Row | undefined>({
      read: (ids) => findInOrder(sql, caller, ids),
      keyOf: (id) => id,
    })
    const reader = { sql, read }
    readers.set(caller, reader)
    return reader
  }

  return async (sql, caller, wireId) => {
    const id = wireId.toLowerCase()
    if (isPool(sql)) return readerOf(sql, caller).read(id)
    const [row] = await findInOrder(sql, caller, [id])
    return row
  }
}
