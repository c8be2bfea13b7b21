import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { emitRecords } from "./events.ts"
import { recordColumns } from "./queries.ts"
import type { RecordRow } from "./wire.ts"

const batchSize = 500

/** Emits an event for every record of a hub that is about to be deleted. */
export async function emitRecordsOfDeletedHub(
  tx: Tx,
  live: LiveEvents,
  { organizationId, hubId }: { organizationId: string; hubId: string },
): Promise<void> {
  let rows: RecordRow[] = []
  do {
    rows = await tx<RecordRow[]>`
      select ${recordColumns(tx)} from data_records
      where organization_id = ${organizationId} and hub_id = ${hubId} and id > ${rows.at(-1)?.id ?? ""}
      order by id limit ${batchSize}`
    await emitRecords(tx, live, "onRecordDeleted", rows)
  } while (rows.length === batchSize)
}
