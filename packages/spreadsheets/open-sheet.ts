import { type FileHandle, open } from "node:fs/promises"
import type { SheetRow } from "./cell.ts"
import { type CsvDelimiter, detectDelimiter } from "./csv/csv-delimiter.ts"
import { type CsvEncoding, detectCsvEncoding } from "./csv/csv-encoding.ts"
import { readCsvRows } from "./csv/csv-rows.ts"
import { detectContainer, findXlsxWorkbook, type SheetFormat } from "./detect-format.ts"
import { type GeoSheet, isGeoStart, openGeoSheet, openKmzSheet } from "./geo-rows.ts"
import { defaultSheetLimits, type SheetLimits } from "./limits.ts"
import { SuspectFileError } from "./suspect-file.ts"
import { readCompoundFile } from "./xls/compound-file.ts"
import { readXlsRows } from "./xls/xls-rows.ts"
import { findXlsStream, readXlsWorkbook } from "./xls/xls-workbook.ts"
import type { StringTable } from "./xlsx/string-table.ts"
import { readXlsxRows } from "./xlsx/xlsx-rows.ts"
import { readSharedStrings } from "./xlsx/xlsx-strings.ts"
import { readXlsxWorkbook } from "./xlsx/xlsx-workbook.ts"
import { readZipDirectory } from "./xlsx/zip-directory.ts"

/** A spreadsheet file that passed the checks of its container and can be read. */
export interface OpenSheet {
  readonly format: SheetFormat
  /** Of a .csv only. */
  readonly encoding?: CsvEncoding
  readonly delimiter?: CsvDelimiter
  /** Worksheets in the order of their tabs; a .csv and a file of places have one without a name. */
  readonly sheets: readonly { readonly name: string; readonly visible: boolean }[]
  /**
   * The rows that hold something, from row `fromRow` (1) on, of the named sheet or else of the first visible
   * one. Names compare without regard to case and outer spaces. May be called again; each call reads from the start.
   * Throws SuspectFileError where the file breaks off or passes a limit.
   */
  rows(options?: { readonly sheet?: string; readonly fromRow?: number }): AsyncGenerator<SheetRow>
  /** How many rows hold something, header included. Reads the sheet through. */
  countRows(options?: { readonly sheet?: string }): Promise<number>
  close(): Promise<void>
}

/**
 * Opens a .csv, .xlsx or .xls, or a file of places (.gpx, .kml, .kmz, GeoJSON), by its content; its name plays no part. Memory
 * does not grow with a spreadsheet; files of places are held whole and are limited to 64 MB.
 * Throws SuspectFileError when it is none of these, too large, encrypted, has macros, or is a zip bomb.
 * The caller closes it.
 */
export async function openSheet(
  path: string,
  { limits: given = {} }: { readonly limits?: Partial<SheetLimits> } = {},
): Promise<OpenSheet> {
  const limits = { ...defaultSheetLimits, ...given }
  const file = await open(path, "r")
  try {
    const { size } = await file.stat()
    if (size === 0) throw new SuspectFileError("empty-file")
    if (size > limits.maxFileBytes) {
      throw new SuspectFileError("file-too-large", `more than ${megabytes(limits.maxFileBytes)}`)
    }
    const start = Buffer.alloc(Math.min(size, 4096))
    await file.read(start, 0, start.length, 0)
    if (isGeoStart(start)) return withGeoSheet(file, await openGeoSheet(file, size, limits))
    switch (detectContainer(start)) {
      case "zip":
        return await openXlsx(file, size, limits)
      case "compound":
        return await openXls(file, size, limits)
      case "text":
        return await openCsv(file, size, limits)
    }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function openCsv(file: FileHandle, size: number, limits: SheetLimits): Promise<OpenSheet> {
  const text = await detectCsvEncoding(file, size)
  const { encoding, markBytes, sample } = text
  const { delimiter, declared } = detectDelimiter(sample)
  return withReading(file, {
    format: "csv",
    encoding,
    delimiter,
    sheets: [{ name: "", visible: true }],
    read: () => readCsvRows(file, { encoding, markBytes, delimiter, declared }, limits),
  })
}

async function openXlsx(file: FileHandle, size: number, limits: SheetLimits): Promise<OpenSheet> {
  const parts = await readZipDirectory(file, size)
  let expanded = 0
  for (const part of parts.values()) expanded += part.expandedBytes
  if (expanded > limits.maxExpandedBytes) {
    throw new SuspectFileError("expands-too-large", `more than ${megabytes(limits.maxExpandedBytes)}`)
  }
  const kmz = await openKmzSheet(file, parts, limits)
  if (kmz) return withGeoSheet(file, kmz)
  const workbook = await readXlsxWorkbook(file, parts, await findXlsxWorkbook(file, parts))
  // Read once, at the first row of any sheet, and shared by all.
  let strings: Promise<StringTable> | undefined
  return withReading(file, {
    format: "xlsx",
    sheets: workbook.sheets.map(({ name, visible }) => ({ name, visible })),
    async *read(index) {
      const sheet = workbook.sheets[index]
      if (!sheet) throw new SuspectFileError("no-sheet")
      strings ??= readSharedStrings(file, workbook.sharedStrings, limits.maxCellLength)
      yield* readXlsxRows(file, sheet.part, workbook, await strings, limits)
    },
    // Strings that could not be read have closed themselves and reported the error.
    release: () =>
      strings?.then(
        (table) => table.close(),
        () => {},
      ),
  })
}

async function openXls(file: FileHandle, size: number, limits: SheetLimits): Promise<OpenSheet> {
  const stream = findXlsStream(await readCompoundFile(file, size))
  const workbook = await readXlsWorkbook(stream)
  return withReading(file, {
    format: "xls",
    sheets: workbook.sheets.map(({ name, visible }) => ({ name, visible })),
    read(index) {
      const sheet = workbook.sheets[index]
      if (!sheet) throw new SuspectFileError("no-sheet")
      return readXlsRows(stream, sheet.offset, workbook, limits)
    },
    release: () => workbook.strings.close(),
  })
}

function withGeoSheet(file: FileHandle, { format, read }: GeoSheet): OpenSheet {
  return withReading(file, { format, sheets: [{ name: "", visible: true }], read })
}

interface Reading extends Pick<OpenSheet, "format" | "encoding" | "delimiter" | "sheets"> {
  read(sheetIndex: number): AsyncGenerator<SheetRow>
  release?(): void | Promise<void> | undefined
}

function withReading(file: FileHandle, { read, release, ...about }: Reading): OpenSheet {
  function findSheet(name: string | undefined): number {
    const wanted = name?.trim().toLowerCase()
    const index = about.sheets.findIndex((sheet) =>
      wanted === undefined ? sheet.visible : sheet.name.trim().toLowerCase() === wanted,
    )
    if (index === -1) throw new SuspectFileError(name === undefined ? "no-sheet" : "unknown-sheet", name)
    return index
  }
  // Refused at once, not at the first row.
  try {
    findSheet(undefined)
  } catch (error) {
    release?.()
    throw error
  }
  return {
    ...about,
    async *rows({ sheet, fromRow = 1 } = {}) {
      for await (const row of read(findSheet(sheet))) if (row.rowNumber >= fromRow) yield row
    },
    async countRows({ sheet } = {}) {
      let count = 0
      for await (const _ of read(findSheet(sheet))) count++
      return count
    },
    async close() {
      await release?.()
      await file.close()
    },
  }
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024)} MB`
}
