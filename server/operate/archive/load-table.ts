import type { Readable, Transform, Writable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Tx } from "#core/database.ts"
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
  const target = await copyInto(tx, `${qualified(table)} (${columnList(table.columns)})`)
  const places = new Map<number, Rewrite>()
  for (const [column, rewrite] of Object.entries(rewrites)) {
    const place = table.columns.indexOf(column)
    if (place >= 0) places.set(place, rewrite)
  }
  const through: Transform[] = places.size > 0 ? [rewriteRows(places)] : []
  await pipeline([rows, ...through, target])
}

/**
 * A stream into COPY. The driver forgets the stream once its last byte is sent, so that a refusal which comes
 * after it, as most do, would leave the stream waiting for ever: its query hands the refusal on.
 */
async function copyInto(tx: Tx, into: string): Promise<Writable> {
  const query = tx.unsafe(`copy ${into} from stdin`)
  const target = await query.writable()
  ;(query as unknown as { reject: (reason: Error) => void }).reject = (reason) => target.destroy(reason)
  return target
}
