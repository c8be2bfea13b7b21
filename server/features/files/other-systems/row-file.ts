import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { createInterface } from "node:readline"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import { writeCsv } from "#packages/spreadsheets/csv/write-csv.ts"
import type { OtherRow } from "./reader.ts"

const maxColumns = 500
const pieceCharacters = 256 * 1024

/** Collects the columns of rows; keys that differ in case alone are one. */
export function createTitles() {
  const titles = new Map<string, string>()
  return {
    add(row: OtherRow): void {
      for (const key of Object.keys(row)) {
        if (titles.size >= maxColumns) return
        const folded = key.toLowerCase()
        if (!titles.has(folded)) titles.set(folded, key)
      }
    },
    list: (): string[] => [...titles.values()],
  }
}

export async function writeRows(
  out: Writable,
  columns: readonly string[],
  rows: Iterable<OtherRow> | AsyncIterable<OtherRow>,
): Promise<void> {
  const folded = columns.map((title) => title.toLowerCase())
  await writeCsv(out, { columns: columns.map((title) => ({ title })), rows: valuesOf(rows, folded) })
}

async function* valuesOf(rows: Iterable<OtherRow> | AsyncIterable<OtherRow>, folded: readonly string[]) {
  for await (const row of rows) {
    const values = new Map(Object.entries(row).map(([key, value]) => [key.toLowerCase(), value]))
    yield folded.map((key) => values.get(key) ?? "")
  }
}

/**
 * Rows in a file of their own, one line each, until their columns are known: a list of any length takes little memory.
 */
export function createRowFile(path: string) {
  const file = createWriteStream(path, { mode: 0o600 })
  let piece = ""
  let count = 0
  let emptyCount = 0
  const titles = createTitles()
  const broken = finished(file)
  broken.catch(() => undefined)
  const flush = async () => {
    const isFull = !file.write(piece)
    piece = ""
    if (isFull) await Promise.race([once(file, "drain"), broken])
  }
  return {
    get counts() {
      return { rowCount: count, emptyCount }
    },
    /** Entries without any value are counted and left out: a sheet has no rows for them. */
    async add(rows: readonly OtherRow[]): Promise<void> {
      for (const row of rows) {
        if (!Object.values(row).some((value) => value.trim() !== "")) {
          emptyCount++
          continue
        }
        titles.add(row)
        piece += `${JSON.stringify(row)}\n`
        count++
        if (piece.length > pieceCharacters) await flush()
      }
    },
    /** All rows as CSV. Nothing can be added afterwards. */
    async writeCsv(out: Writable): Promise<void> {
      file.end(piece)
      await broken
      await writeRows(out, titles.list(), readLines(path))
    },
    /** Also after an error. */
    close(): void {
      file.destroy()
    },
  }
}

async function* readLines(path: string): AsyncGenerator<OtherRow> {
  const input = createReadStream(path)
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(line) as OtherRow
  } finally {
    input.destroy()
  }
}
