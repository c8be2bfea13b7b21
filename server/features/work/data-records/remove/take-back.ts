import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { keepRemoved } from "#core/trash.ts"
import type { DataTypeRow, FieldValue } from "../../data-types/index.ts"
import { emitRecords, publishRecords } from "../events.ts"
import { findWritten, keyed, recordColumns, visibleRecords } from "../queries.ts"
import type { RecordRow } from "../wire.ts"

/** A stored record, with all that is needed to put it back. */
export interface RecordSnapshot {
  id: string
  dataId: string
  values: Record<string, FieldValue>
  limitUser: string[] | null
  before: unknown
}

/** The visible records of a type and hub with these keys. */
export function snapshotRecords(
  tx: Tx,
  caller: Caller,
  type: DataTypeRow,
  hubId: string | null,
  dataIds: readonly string[],
): Promise<RecordSnapshot[]> {
  const { organizationId } = caller
  return tx<RecordSnapshot[]>`
    select id, data_id, "values", limit_user, to_jsonb(data_records) as before
    from ${keyed(tx, { organizationId, dataTypeId: type.id, hubId }, dataIds)}
    where ${visibleRecords(tx, { caller, onlyMine: true })}`
}

interface Taken {
  id: string
  dataId: string
  dataTypeId: string
  hubId: string | null
}

/** Deletes records that a bulk created at `writtenTime` and that are unchanged since. Returns the deleted ids. */
export async function removeUntouchedRecords(
  tx: Tx,
  caller: Caller,
  recordIds: readonly string[],
  writtenTime: Temporal.Instant,
  live: LiveEvents,
): Promise<string[]> {
  const removed = await tx<RecordRow[]>`
    with removed as (
      delete from data_records
      where ${visibleRecords(tx, { caller, onlyMine: true })} and id = any (${recordIds as string[]}) and updated_time = ${writtenTime}
      returning data_records.*
    ), kept as (${keepRemoved(tx, "Data")})
    select ${recordColumns(tx)} from removed data_records`
  await emitRecords(tx, live, "onRecordDeleted", removed)
  await publishRecords(tx, live, "data.deleted", caller.organizationId, removed)
  return removed.map(({ id }) => id)
}

/** Restores snapshots of records that a bulk changed at `writtenTime` and that are unchanged since. */
export async function restoreUntouchedRecords(
  tx: Tx,
  caller: Caller,
  snapshots: readonly { id: string; before: unknown }[],
  writtenTime: Temporal.Instant,
  { now, live }: { now: Temporal.Instant; live: LiveEvents },
): Promise<string[]> {
  if (snapshots.length === 0) return []
  const restored = await tx<Taken[]>`
    update data_records set
      "values" = old."values", ordered = old.ordered, limit_user = old.limit_user,
      updated_by = ${caller.email}, updated_time = ${now}
    from unnest(${snapshots.map(({ before }) => JSON.stringify(before))}::text[]) as snapshot (content),
      jsonb_populate_record(null::data_records, snapshot.content::jsonb) as old
    where ${visibleRecords(tx, { caller, onlyMine: true })} and data_records.id = old.id
      and data_records.updated_time = ${writtenTime}
    returning data_records.id, data_records.data_id, data_records.data_type_id, data_records.hub_id`
  const ids = restored.map(({ id }) => id)
  await emitRecords(tx, live, "onRecordUpdated", await findWritten(tx, caller, ids))
  await publishRecords(tx, live, "data.updated", caller.organizationId, restored)
  return ids
}
