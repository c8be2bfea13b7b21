import { json, type Tx } from "#core/database/database.ts"
import type { ResultRow } from "../queries.ts"

/** A task as it was before the dispatch, and when the dispatch wrote it. Times as ISO texts. */
export interface ChangedTask {
  id: string
  before: unknown
  writtenTime: string
}

/** A task that the dispatch made: which part or handover it is. */
export interface MadeTask {
  id: string
  key: string
  writtenTime: string
}

/** What a dispatch wrote, for dispatching again and for taking it back. */
export interface DispatchRecord {
  changed: ChangedTask[]
  created: MadeTask[]
}

export async function readRecord(tx: Tx, row: ResultRow): Promise<DispatchRecord> {
  const rows = await tx<DispatchRecord[]>`
    select changed, created from routing_dispatches where organization_id = ${row.organizationId} and result_id = ${row.id}`
  return rows[0] ?? { changed: [], created: [] }
}

export async function writeRecord(tx: Tx, row: ResultRow, record: DispatchRecord): Promise<void> {
  await tx`
    insert into routing_dispatches (organization_id, result_id, written_time, changed, created)
    values (${row.organizationId}, ${row.id}, now(), ${json(tx, record.changed)}, ${json(tx, record.created)})
    on conflict (organization_id, result_id) do update set
      written_time = excluded.written_time, changed = excluded.changed, created = excluded.created`
}

export async function removeRecord(tx: Tx, row: ResultRow): Promise<void> {
  await tx`delete from routing_dispatches where organization_id = ${row.organizationId} and result_id = ${row.id}`
}
