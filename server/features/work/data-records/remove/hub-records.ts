import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { moveRowsToTrash } from "#core/trash.ts"
import type { HubOfCaller } from "../../../organization/hubs/index.ts"
import { emitRecords } from "../events.ts"
import { recordColumns } from "../queries.ts"
import type { RecordRow } from "../wire.ts"

const batchSize = 500

/** Moves the records of a hub that is being deleted to the trash, with an event for each. */
export async function discardRecordsOfHub(
  tx: Tx,
  live: LiveEvents,
  { caller, hubId }: HubOfCaller,
): Promise<void> {
  const { organizationId } = caller
  let rows: RecordRow[] = []
  do {
    rows = await tx<RecordRow[]>`
      select ${recordColumns(tx)} from data_records
      where organization_id = ${organizationId} and hub_id = ${hubId} and id > ${rows.at(-1)?.id ?? ""}
      order by id limit ${batchSize}`
    await emitRecords(tx, live, "onRecordDeleted", rows)
  } while (rows.length === batchSize)
  await moveRowsToTrash(
    tx,
    caller,
    "Data",
    tx`
      select r.data_type_name || ' ' || r.data_id, r.id, r.hub_id, r.row from (
        select ${recordColumns(tx)}, to_jsonb(data_records) as row from data_records
        where organization_id = ${organizationId} and hub_id = ${hubId}) as r`,
  )
}
