import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { join } from "node:path"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Pool } from "#core/database.ts"
import { type Id, newId } from "#core/ids.ts"
import type { Objects } from "#core/objects/objects.ts"
import { openSheet } from "#core/spreadsheets/open-sheet.ts"
import { writeSpool } from "#core/spreadsheets/spool.ts"
import { SuspectFileError } from "#core/spreadsheets/suspect-file.ts"
import { importErrors } from "./errors.ts"
import { sendImport } from "./jobs.ts"
import { mappingProblem } from "./plan-columns.ts"
import { findSameImport, type ImportRow, insertImport } from "./queries.ts"
import { type ImportWish, readWish } from "./read-wish.ts"
import type { Upload } from "./receive-upload.ts"
import { rowsPerChunk } from "./settings.ts"
import { storeTemplate } from "./template.ts"
import { toWireImport } from "./wire.ts"

export interface AcceptContext {
  sql: Pool
  objects: Objects
  now: Temporal.Instant
  maxBytes: number
  sign: (key: string) => string
}

/** Takes an upload: checks it in the order of the contract, keeps its rows, enqueues the work. */
export async function acceptImport(
  context: AcceptContext,
  caller: Caller,
  upload: Upload,
  flags: { force?: boolean | undefined; dryRun?: boolean | undefined },
): Promise<ImportRow> {
  const { sql, objects, now } = context
  const wish = await readWish(sql, caller, upload, flags)
  const rows = await spoolRows(upload, context.maxBytes)
  const target = await wish.checkTarget()
  const problem = mappingProblem(rows.header, target.fields, wish.columns)
  if (problem) throw importErrors.badSetting({ message: `columns: ${problem}` })
  const id = newId<"import">(now.epochMilliseconds)
  const rowsKey = `${caller.organizationId}/imports/${id}/rows`
  const contentHash = hashOf(upload, wish)
  await objects.put(rowsKey, createReadStream(rows.path))
  try {
    const record = await inTransaction(sql, async (tx) => {
      const same =
        wish.isForced || wish.isDryRun ? undefined : await findSameImport(tx, caller, contentHash, now)
      if (same) throw importErrors.sameFile({ extra: { data: toWireImport(same, context.sign, now) } })
      const made = await insertImport(
        tx,
        caller,
        newImport(id, rowsKey, contentHash, wish, rows.rowCount),
        now,
      )
      await sendImport(tx, caller.organizationId, id)
      return made
    })
    await storeTemplate(objects, record, target.fields)
    return record
  } catch (error) {
    await objects.remove(rowsKey)
    throw error
  }
}

async function spoolRows(upload: Upload, maxFileBytes: number) {
  const path = join(upload.folder, "rows")
  try {
    const sheet = await openSheet(upload.file?.path ?? "", { limits: { maxFileBytes } })
    try {
      const spooled = await writeSpool(path, sheet.rows(), { rowsPerChunk })
      return { path, rowCount: spooled.rowCount, header: spooled.header?.cells ?? [] }
    } finally {
      await sheet.close()
    }
  } catch (error) {
    throw refusalOfFile(error)
  }
}

/** What is wrong with a file, as the caller is told; anything that is no fault of the file passes through. */
export function refusalOfFile(error: unknown): unknown {
  if (!(error instanceof SuspectFileError)) return error
  const make = error.code === "file-too-large" ? importErrors.tooLarge : importErrors.badFile
  return make({ message: error.message, cause: error })
}

function hashOf(upload: Upload, wish: ImportWish): Buffer {
  const { type, mode, hubId, targetId, columns, name, continues } = wish
  return createHash("sha256")
    .update(upload.file?.sha256 ?? "")
    .update(JSON.stringify([type, mode, hubId, targetId, columns, name, continues]))
    .digest()
}

function newImport(
  id: Id<"import">,
  rowsKey: string,
  contentHash: Buffer,
  wish: ImportWish,
  totalRows: number,
) {
  const { type, mode, hubId, targetId, targetName, name, filename, columns, isDryRun, continues } = wish
  const totalChunks = Math.max(1, Math.ceil(totalRows / rowsPerChunk))
  return {
    ...{ id, type, mode, hubId, targetId, targetName, name, filename, columns, isDryRun, continues },
    ...{ rowsKey, contentHash, totalRows, totalChunks },
  }
}
