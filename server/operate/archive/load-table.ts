import type { Readable, Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { copyInto, type Tx } from "#core/database/database.ts"
import type { ArchiveTable } from "./manifest.ts"
import { type Rewrite, rewriteRows } from "./rewrite-rows.ts"
import { columnList, qualified } from "./table-plan.ts"

/** Loads one table's rows, with some columns rewritten on the way. */
export async function loadTable(
  tx: Tx,
  table: ArchiveTable,
  rows: Readable,
  rewrites: Readonly<Record<string, Rewrite>> = {},
): Promise<void> {
  const target = copyInto(tx, `copy ${qualified(table)} (${columnList(table.columns)}) from stdin`)
  const places = new Map<number, Rewrite>()
  for (const [column, rewrite] of Object.entries(rewrites)) {
    const place = table.columns.indexOf(column)
    if (place >= 0) places.set(place, rewrite)
  }
  const through: Transform[] = places.size > 0 ? [rewriteRows(places)] : []
  await pipeline([rows, ...through, target])
}
