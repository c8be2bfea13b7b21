import { setImmediate } from "node:timers/promises"
import type { Caller } from "#core/access/caller.ts"
import type { Pool } from "#core/database/database.ts"
import type { Cell, SheetRow } from "#packages/spreadsheets/cell.ts"
import type { Spool } from "#packages/spreadsheets/spool/spool.ts"
import { parseSpoolLine } from "#packages/spreadsheets/spool/spool-line.ts"
import type { ImportRow } from "../queries.ts"
import { rowsPerChunk } from "../settings.ts"
import { readingOf } from "../targets/open-target.ts"
import type { Line, Target } from "../targets/target.ts"
import { type BatchKeys, noteKeys } from "../upload/file-keys.ts"
import { gatheredText } from "./gathered-row.ts"
import { type ColumnPlan, cellOf } from "./plan-columns.ts"

/** Chunks that one transaction writes: statements over a thousand rows cost half of those over a hundred. */
const chunksPerBatch = 20
/** Lines that are read before anything else has its turn: about two milliseconds. */
const linesPerTurn = 50

/** An import with everything that its rows need. */
export interface Opened {
  record: ImportRow
  caller: Caller
  target: Target
  spool: Spool
  plan: ColumnPlan
}

export interface Batch {
  chunk: number
  /** The chunk after the last one of the batch. */
  end: number
  lines: Line[]
  keys: BatchKeys
}

/** The rows from `chunk` on, read and checked as far as that goes without writing. */
export async function readBatch(sql: Pool, opened: Opened, chunk: number): Promise<Batch> {
  const { record, target } = opened
  const end = Math.min(chunk + chunksPerBatch, record.totalChunks)
  const lines = await readLines(opened, chunk, end)
  return { chunk, end, lines, keys: await noteKeys(sql, record, target, lines, { chunk, end }) }
}

async function readLines({ spool, plan, caller, target }: Opened, from: number, to: number): Promise<Line[]> {
  const { separators } = readingOf(caller)
  const cellIn = (cells: readonly Cell[], fieldId: string) => cellOf(cells, plan, fieldId, separators)
  const lines: Line[] = []
  for (const text of to > from ? await spool.lines(from, to) : []) {
    let row: SheetRow | undefined = parseSpoolLine(text)
    const line: Line = {
      index: from * rowsPerChunk + lines.length,
      rowNumber: row.rowNumber,
      get cells() {
        row ??= parseSpoolLine(text)
        return row.cells
      },
      cell: (fieldId) => cellIn(line.cells, fieldId),
      cellIn,
      gathered: gatheredText(row.cells, plan.gatheredPosition),
    }
    if (target.prepare) {
      target.prepare(line)
      // Only refused lines are asked for their cells again, and the cells of a batch are most of its memory.
      row = undefined
    }
    lines.push(line)
    if (lines.length % linesPerTurn === 0) await setImmediate()
  }
  return lines
}
