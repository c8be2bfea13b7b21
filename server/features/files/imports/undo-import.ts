import type { Caller } from "#core/access/caller.ts"
import { inTransaction, json, type Sql, type Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { importErrors } from "./errors.ts"
import { type ImportRow, lockImport } from "./queries.ts"
import { openTarget } from "./targets/open-target.ts"
import type { Target } from "./targets/target.ts"

export interface UndoResult {
  removed: number
  restored: number
  /** Records that stay as they are, because somebody touched or removed them since. */
  kept: number
  /** The first of them. */
  keptIds: string[]
  isComplete: boolean
}

export const emptyUndo: UndoResult = { removed: 0, restored: 0, kept: 0, keptIds: [], isComplete: false }

const maxKeptIds = 100

export interface UndoContext {
  now: Temporal.Instant
  live: LiveEvents
  publicUrl: string
}

/** Whether an import can be undone at all. Throws the reason why not. */
export function checkUndoable(record: ImportRow): void {
  if (record.isDryRun)
    throw importErrors.notUndoable({ message: "A dry run writes nothing, so there is nothing to undo" })
  if (record.status === "onprocess")
    throw importErrors.notUndoable({ message: "This import is still running. Cancel it first" })
  if (record.undoResult?.isComplete || record.undoneTime)
    throw importErrors.notUndoable({ message: "This import has already been undone" })
}

/**
 * Takes back what an import did, last batch first, each batch in a transaction of its own, until `isDue` says
 * to stop. What somebody touched since stays. Safe to repeat: batches that were taken back are marked.
 */
export async function undoImport(
  sql: Sql,
  caller: Caller,
  record: ImportRow,
  context: UndoContext,
  isDue: () => boolean,
): Promise<UndoResult> {
  const target = await openTarget(sql, caller, record)
  if (!target)
    throw importErrors.notUndoable({ message: `${record.targetName ?? "Its target"} no longer exists` })
  let result = record.undoResult ?? emptyUndo
  while (!result.isComplete && !isDue())
    result = await inTransaction(sql, (tx) => undoBatch(tx, caller, record, target, context))
  return result
}

interface BatchRow {
  firstChunk: number
  writtenTime: Temporal.Instant
  createdIds: string[]
  changed: { id: string; before: unknown }[]
}

async function undoBatch(
  tx: Tx,
  caller: Caller,
  { organizationId, id, createdTime }: ImportRow,
  target: Target,
  { now, live, publicUrl }: UndoContext,
): Promise<UndoResult> {
  const locked = await lockImport(tx, organizationId, id)
  const sofar = locked?.undoResult ?? emptyUndo
  const [batch] = await tx<BatchRow[]>`
    select first_chunk, written_time, created_ids, changed from import_batches
    where organization_id = ${organizationId} and import_id = ${id} and undone_time is null
    order by first_chunk desc limit 1`
  let result: UndoResult = { ...sofar, isComplete: true }
  if (batch) {
    const writing = { caller, now, live, importId: id, acceptedTime: createdTime, publicUrl }
    const removed = await target.removeCreated(tx, batch.createdIds, batch.writtenTime, writing)
    const restored = await target.restoreChanged(tx, batch.changed, batch.writtenTime, writing)
    const done = new Set([...removed, ...restored])
    const kept = [...batch.createdIds, ...batch.changed.map((change) => change.id)].filter(
      (one) => !done.has(one),
    )
    await tx`
      update import_batches set undone_time = ${now}
      where organization_id = ${organizationId} and import_id = ${id} and first_chunk = ${batch.firstChunk}`
    result = {
      removed: sofar.removed + removed.length,
      restored: sofar.restored + restored.length,
      kept: sofar.kept + kept.length,
      keptIds: [...sofar.keptIds, ...kept].slice(0, maxKeptIds),
      isComplete: false,
    }
  }
  await tx`
    update imports set undo_result = ${json(tx, result)}, updated_by = ${caller.email}, updated_time = ${now},
      undone_time = ${result.isComplete ? now : null}
    where organization_id = ${organizationId} and id = ${id}`
  return result
}

/** The list of actions undid an import as a whole, or that undoing. */
export async function noteUndoneImport(
  tx: Tx,
  target: { organizationId: string; type: string; id: string; now: Temporal.Instant },
): Promise<void> {
  if (target.type !== "import") return
  await tx`
    update imports set undone_time = case when undone_time is null then ${target.now}::timestamptz end
    where organization_id = ${target.organizationId} and id = ${target.id} and undo_result is null`
}
