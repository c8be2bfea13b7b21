import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { moveToTrash } from "#core/trash.ts"
import { emitRecords, publishRecords } from "../events.ts"
import { lockRecords } from "../queries.ts"
import type { RecordRow } from "../wire.ts"

/** Deletes the records of these ids that the caller sees, keeps them in the trash, and returns them. */
export async function deleteRecords(
  tx: Tx,
  caller: Caller,
  recordIds: readonly string[],
  live: LiveEvents,
): Promise<RecordRow[]> {
  const records = await lockRecords(tx, caller, recordIds)
  if (records.length === 0) return []
  const ids = records.map((record) => record.id)
  const rows = await tx<{ id: string; content: unknown }[]>`
    select id, to_jsonb(data_records) as content from data_records
    where organization_id = ${caller.organizationId} and id = any (${ids})`
  const contents = new Map(rows.map((row) => [row.id, row.content]))
  await moveToTrash(
    tx,
    caller,
    records.map((record) => ({
      type: "Data" as const,
      name: `${record.dataTypeName} ${record.dataId}`,
      sourceId: record.id,
      hubId: record.hubId,
      content: contents.get(record.id),
    })),
  )
  await tx`delete from data_records where organization_id = ${caller.organizationId} and id = any (${ids})`
  await emitRecords(tx, live, "onRecordDeleted", records)
  await publishRecords(tx, live, "data.deleted", caller.organizationId, records)
  return records
}
