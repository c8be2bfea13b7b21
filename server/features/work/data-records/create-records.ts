import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import type { DataTypeRow, ValueProblem } from "../data-types/index.ts"
import { publishRecords } from "./events.ts"
import { insertAll, insertFree, keyOf, type NewWrite } from "./store-records.ts"
import { emitCreated, existingHubs, keyProblem, numbered, readHub } from "./write-records.ts"

/** A row for a new record that was read before and has no problems. */
export interface ReadRecord {
  /** As `readPrimaryKey` gives it; no two of a call are the same. */
  dataId: string
  /** What `readFields` made of the row: values and order keys, as JSON. */
  valuesJson: string
  orderedJson: string
}

/**
 * Creates records of one hub, or of none where the type is common: the short way of a file with many rows, which keeps
 * nothing of a row but three texts. One outcome a row, in order; otherwise as `writeRecords`.
 */
export async function createRecords(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  rows: readonly ReadRecord[],
  options: { hubId: string | null; live: LiveEvents; now: Temporal.Instant },
): Promise<({ id: string } | { problems: ValueProblem[] })[]> {
  if (rows.length === 0) return []
  const { live, now } = options
  const hub = readHub(caller, type, options, await existingHubs(tx, caller, [options]))
  if ("problem" in hub) return rows.map(() => ({ problems: [hub.problem] }))
  const { hubId } = hub
  const writes = rows.map(
    ({ dataId, valuesJson, orderedJson }): NewWrite => ({
      ...{ id: "", dataId, hubId, valuesJson, orderedJson },
      limitUser: null,
    }),
  )
  const inOrder = numbered(writes, now)
  const isTaken = await takenKeys(tx, caller, type, inOrder, now)
  const made = isTaken ? inOrder.filter((write) => !isTaken(write)) : inOrder
  await emitCreated(tx, caller, type, made, options)
  const records = made.map(({ id }) => ({ id, dataTypeId: type.id, hubId }))
  await publishRecords(tx, live, "data.created", caller.organizationId, records)
  return writes.map((write) =>
    isTaken?.(write)
      ? { problems: [keyProblem(type, { code: "031", reason: "already exists" })] }
      : { id: write.id },
  )
}

/** Inserts what can be inserted. Undefined when all of it could, else whether a record could not. */
async function takenKeys(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  writes: readonly NewWrite[],
  now: Temporal.Instant,
): Promise<((write: NewWrite) => boolean) | undefined> {
  if (await insertAll(tx, caller, type, writes, now)) return undefined
  const inserted = await insertFree(tx, caller, type, writes, { mode: "create", now })
  return (write) => !inserted.has(keyOf(write))
}
