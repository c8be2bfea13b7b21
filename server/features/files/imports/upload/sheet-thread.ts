import { extname, join } from "node:path"
import type { TaskRunner } from "#core/threads/run-in-thread.ts"
import type { Cell, SheetRow } from "#packages/spreadsheets/cell.ts"
import { type OpenSheet, openSheet } from "#packages/spreadsheets/open-sheet.ts"
import { writeSpool } from "#packages/spreadsheets/spool/spool.ts"
import { type SuspectFileCode, SuspectFileError } from "#packages/spreadsheets/suspect-file.ts"
import { gatherItems, hasItemLines } from "../rows/gather-items.ts"
import type { ItemGroup } from "../rows/item-columns.ts"
import type { ColumnPlan } from "../rows/plan-columns.ts"
import { rowsPerChunk } from "../settings.ts"

/** The rows of an upload in a file of their own, from which a job takes them in batches. */
export interface Spooled {
  path: string
  rowCount: number
  header: readonly Cell[]
}

export interface SheetStart extends Pick<OpenSheet, "format" | "encoding" | "delimiter" | "sheets"> {
  header: SheetRow | undefined
  /** The first rows. */
  rows: SheetRow[]
  /** Counted as far as a preview counts. */
  rowCount: number
  hasMore: boolean
}

export type SheetWork =
  | { kind: "spool" }
  /** Like `spool`, with the items of each task behind it; nothing where no items are on separate lines. */
  | { kind: "gather"; groups: readonly ItemGroup[]; plan: ColumnPlan }
  | { kind: "start"; shownRows: number; countedRows: number }

export interface SheetInput {
  folder: string
  path: string
  filename: string
  maxFileBytes: number
  work: SheetWork
}

export type SheetOutput =
  | { kind: "spooled"; spooled: Spooled | undefined }
  | { kind: "start"; start: SheetStart }
  /** What is wrong with the file. */
  | { kind: "refused"; code: SuspectFileCode; message: string }

/** Reads an uploaded file. Rows go from file to file, so that no more than a few of them are in memory. */
const run: TaskRunner<SheetInput, SheetOutput> = async ({ folder, path, filename, maxFileBytes, work }) => {
  try {
    const sheet = await openSheet(path, { limits: { maxFileBytes } })
    try {
      const extension = extname(filename).toLowerCase()
      if (sheet.format === "csv" && extension !== ".csv")
        throw new SuspectFileError(
          "wrong-type",
          `it is named ${extension} but contains plain text. Rename it to .csv, or save it as a workbook`,
        )
      return await workOn(sheet, folder, work)
    } finally {
      await sheet.close()
    }
  } catch (error) {
    if (!(error instanceof SuspectFileError)) throw error
    return { kind: "refused", code: error.code, message: error.message }
  }
}

export default run

async function workOn(sheet: OpenSheet, folder: string, work: SheetWork): Promise<SheetOutput> {
  switch (work.kind) {
    case "start":
      return { kind: "start", start: await readStart(sheet, work) }
    case "spool":
      return { kind: "spooled", spooled: await spool(join(folder, "rows"), sheet.rows()) }
    case "gather": {
      const { groups, plan } = work
      if (!hasItemLines(sheet, groups, plan)) return { kind: "spooled", spooled: undefined }
      const rows = gatherItems(sheet, groups, plan, join(folder, "items"))
      return { kind: "spooled", spooled: await spool(join(folder, "gathered"), rows) }
    }
  }
}

async function spool(path: string, rows: AsyncIterable<SheetRow>): Promise<Spooled> {
  const { rowCount, header } = await writeSpool(path, rows, { rowsPerChunk })
  return { path, rowCount, header: header?.cells ?? [] }
}

async function readStart(
  sheet: OpenSheet,
  { shownRows, countedRows }: { shownRows: number; countedRows: number },
): Promise<SheetStart> {
  const { format, encoding, delimiter, sheets } = sheet
  const about = { format, ...(encoding && { encoding }), ...(delimiter && { delimiter }), sheets }
  let header: SheetRow | undefined
  const rows: SheetRow[] = []
  let rowCount = 0
  for await (const row of sheet.rows()) {
    if (!header) {
      header = row
      continue
    }
    if (rowCount === countedRows) return { ...about, header, rows, rowCount, hasMore: true }
    rowCount++
    if (rows.length < shownRows) rows.push(row)
  }
  return { ...about, header, rows, rowCount, hasMore: false }
}
