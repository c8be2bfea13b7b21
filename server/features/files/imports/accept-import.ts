import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import type { Caller } from "#core/access/caller.ts"
import type { Pool, Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { type Id, newId } from "#core/ids.ts"
import { expectFile, keepFile } from "#core/objects/loose-files.ts"
import type { Objects } from "#core/objects/objects.ts"
import type { Cell } from "#packages/spreadsheets/cell.ts"
import { importErrors } from "./errors.ts"
import { sendImport } from "./jobs.ts"
import { findSameImport, insertImport } from "./queries.ts"
import { type ImportOptions, readOptions } from "./read-options.ts"
import { type ColumnPlan, FileProblem, mappingProblem, planColumns } from "./rows/plan-columns.ts"
import { rowsPerChunk } from "./settings.ts"
import type { Target } from "./targets/target.ts"
import { gatherUpload, type Reading, spoolUpload } from "./upload/open-upload.ts"
import type { Upload } from "./upload/receive-upload.ts"
import type { Spooled } from "./upload/sheet-thread.ts"
import { storeTemplate } from "./upload/template.ts"
import { toWireImport } from "./wire.ts"

export interface AcceptContext {
  sql: Pool
  objects: Objects
  now: Temporal.Instant
  maxBytes: number
  sign: (key: string) => string
  /** Runs what stores the import in one transaction, unless a repeated call finds what the first one returned. */
  once: <Body>(work: (tx: Tx) => Promise<Body>) => Promise<Body>
}

/** Takes an upload: checks it in the order of the contract, keeps its rows, enqueues the work. Returns the response. */
export async function acceptImport(
  context: AcceptContext,
  caller: Caller,
  upload: Upload,
  flags: { force?: boolean | undefined; dryRun?: boolean | undefined },
) {
  const { sql, objects, now } = context
  const options = await readOptions(sql, caller, upload, flags)
  const reading = { organizationId: caller.organizationId, maxFileBytes: context.maxBytes }
  const read = await spoolUpload(upload, reading)
  const target = await options.checkTarget()
  const rows = (await gatherRows(upload, reading, read.header, target, options)) ?? read
  const problem = mappingProblem(rows.header, target.fields, options.columns)
  if (problem) throw importErrors.badSetting({ message: `columns: ${problem}` })
  const id = newId<"import">(now.epochMilliseconds)
  const rowsKey = `${caller.organizationId}/imports/${id}/rows`
  const contentHash = hashOf(upload, options)
  await expectFile(sql, rowsKey)
  await objects.put(rowsKey, createReadStream(rows.path))
  try {
    // Before the import is there: a store that fails now leaves nothing that would wait for its rows.
    const { organizationId } = caller
    await storeTemplate(objects, { ...options, organizationId }, target)
    return await context.once(async (tx) => {
      const same =
        options.isForced || options.isDryRun ? undefined : await findSameImport(tx, caller, contentHash, now)
      if (same) throw importErrors.sameFile({ extra: { data: toWireImport(same, context.sign, now) } })
      const made = await insertImport(
        tx,
        caller,
        newImport(id, rowsKey, contentHash, options, rows.rowCount),
        now,
      )
      await keepFile(tx, rowsKey)
      await sendImport(tx, caller.organizationId, id)
      return { status: true as const, message: "Import queued", data: toWireImport(made, context.sign, now) }
    })
  } catch (error) {
    // Anything else may have lost the response to a commit that did happen: the rows stay then, for a day at least.
    if (error instanceof AppError) await objects.remove(rowsKey).catch(() => undefined)
    throw error
  }
}

/** The rows with the items of each task after it; undefined if no items are on separate lines. */
async function gatherRows(
  upload: Upload,
  reading: Reading,
  header: readonly Cell[],
  target: Target,
  { columns, mode }: ImportOptions,
): Promise<Spooled | undefined> {
  const groups = target.itemGroups ?? []
  const plan = groups.length > 0 ? planOrUndefined(header, target, { columns, mode }) : undefined
  return plan && gatherUpload(upload, reading, groups, plan)
}

/** Undefined for a file that will fail as a whole, which is reported when it is processed. */
function planOrUndefined(
  header: readonly Cell[],
  { fields, keyId }: Target,
  { columns: mapping, mode }: Pick<ImportOptions, "columns" | "mode">,
): ColumnPlan | undefined {
  try {
    return planColumns(header, fields, { mapping, mode, keyId })
  } catch (error) {
    if (error instanceof FileProblem) return undefined
    throw error
  }
}

function hashOf(upload: Upload, options: ImportOptions): Buffer {
  const { type, mode, hubId, targetId, columns, name, continues } = options
  return createHash("sha256")
    .update(upload.file?.sha256 ?? "")
    .update(JSON.stringify([type, mode, hubId, targetId, columns, name, continues]))
    .digest()
}

function newImport(
  id: Id<"import">,
  rowsKey: string,
  contentHash: Buffer,
  options: ImportOptions,
  totalRows: number,
) {
  const { type, mode, hubId, targetId, targetName, name, filename, columns, isDryRun, continues } = options
  const totalChunks = Math.max(1, Math.ceil(totalRows / rowsPerChunk))
  return {
    ...{ id, type, mode, hubId, targetId, targetName, name, filename, columns, isDryRun, continues },
    ...{ rowsKey, contentHash, totalRows, totalChunks },
  }
}
