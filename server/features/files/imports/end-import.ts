import { PassThrough } from "node:stream"
import { findCallerOfUser } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { expectFile, keepFile } from "#core/objects/loose-files.ts"
import { safeName } from "#core/objects/objects.ts"
import { isStoreAway } from "#core/objects/store-faults.ts"
import { type ImportRow, lockImport } from "./queries.ts"
import type { ImportStatus } from "./settings.ts"
import type { Target } from "./targets/target.ts"
import { writeFailedRows } from "./upload/failed-rows.ts"
import { evictKeys } from "./upload/file-keys.ts"

/**
 * Ends an import: the file of failed rows, then the final status. `reason` is why it could not go on; without
 * it every row was tried, or somebody cancelled it. Safe to run twice.
 */
export async function endImport(
  context: JobContext,
  record: ImportRow,
  reason?: string,
  target?: Target,
): Promise<void> {
  if (target?.finish && record.totalValid > 0 && !record.isDryRun && !record.cancelledTime)
    await finishTarget(context, record, target)
  evictKeys(context.sql, record.id)
  const failedKey = record.totalInvalid > 0 ? await storeFailedRows(context, record, reason) : null
  const status = finalStatus(record, reason)
  const message = reason ?? messageOf(record, status)
  await inTransaction(context.sql, async (tx) => {
    const locked = await lockImport(tx, record.organizationId, record.id)
    if (locked?.status !== "onprocess") return
    const now = context.clock.now()
    await tx`
      update imports set status = ${status}, error_message = ${message}, failed_key = ${failedKey},
        processed_time = ${now}, updated_time = ${now}, updated_by = 'system'
      where organization_id = ${record.organizationId} and id = ${record.id}`
    if (failedKey) await keepFile(tx, failedKey)
    await tx`delete from import_keys where organization_id = ${record.organizationId} and import_id = ${record.id}`
    await publish(tx, context.live, "import.progress", {
      organizationId: record.organizationId,
      hubId: record.hubId,
      content: {
        importId: record.id,
        status,
        totalRows: record.totalRows,
        totalValid: record.totalValid,
        totalInvalid: record.totalInvalid,
      },
    })
  })
}

async function finishTarget(context: JobContext, record: ImportRow, target: Target): Promise<void> {
  const caller = await findCallerOfUser(context.sql, record.organizationId, record.userId)
  if (!caller) return
  await inTransaction(context.sql, async (tx) => {
    const locked = await lockImport(tx, record.organizationId, record.id)
    if (locked?.status !== "onprocess") return
    const { clock, live } = context
    await target.finish?.(tx, {
      caller,
      now: clock.now(),
      live,
      importId: record.id,
      acceptedTime: record.createdTime,
      publicUrl: context.config.publicUrl,
    })
  })
}

function finalStatus(record: ImportRow, reason: string | undefined): ImportStatus {
  if (record.totalValid === 0) return "failed"
  return record.totalInvalid > 0 || reason !== undefined || record.cancelledTime ? "partially" : "success"
}

function messageOf(record: ImportRow, status: ImportStatus): string | null {
  const tried = record.totalValid + record.totalInvalid
  if (record.cancelledTime) return `Cancelled after ${tried} of ${record.totalRows} rows`
  return status === "failed" ? "All rows failed validation" : null
}

/**
 * Null when the import must end for another reason and the store has no room: the rows can still be read in the
 * list of failed rows.
 */
async function storeFailedRows(
  context: JobContext,
  record: ImportRow,
  reason: string | undefined,
): Promise<string | null> {
  try {
    return await writeFailedFile(context, record)
  } catch (error) {
    if (reason === undefined || !isStoreAway(error)) throw error
    context.log.error({ importId: record.id, err: error }, "the file of failed rows could not be stored")
    return null
  }
}

async function writeFailedFile(context: JobContext, record: ImportRow): Promise<string> {
  const base = safeName(record.filename.replace(/\.[^.]*$/, "")).slice(0, 80)
  const key = `${record.organizationId}/failed/${record.id}/failed_${base}_${record.id}.xlsx`
  await expectFile(context.sql, key)
  const out = new PassThrough()
  const stored = context.objects.put(key, out)
  // The first that breaks ends the other: a full disk must not leave the writer waiting forever. It may break before
  // anything was written, when nobody listens yet.
  out.on("error", () => undefined)
  let storeFault: unknown
  stored.catch((error) => {
    storeFault ??= error
    out.destroy(error)
  })
  try {
    await writeFailedRows(context, record, out)
    out.end()
  } catch (error) {
    // What broke the store says more than that its stream is gone.
    const cause = storeFault ?? error
    out.destroy(error as Error)
    await stored.catch(() => undefined)
    throw cause
  }
  await stored
  return key
}
