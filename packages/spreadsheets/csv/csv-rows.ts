import type { FileHandle } from "node:fs/promises"
import { pipeline, Readable, Transform } from "node:stream"
import { CsvError, parse } from "csv-parse"
import { type SheetRow, textCell, withoutBlankEnd } from "../cell.ts"
import { cellAddress } from "../cell-address.ts"
import { fileChunks } from "../file-bytes.ts"
import { unguardFormula } from "../formula-text.ts"
import type { SheetLimits } from "../limits.ts"
import { SuspectFileError } from "../suspect-file.ts"
import type { CsvDelimiter } from "./csv-delimiter.ts"
import type { CsvEncoding } from "./csv-encoding.ts"

export interface CsvDialect {
  readonly encoding: CsvEncoding
  readonly markBytes: number
  readonly delimiter: CsvDelimiter
  /** The first line is `sep=;` and no row. */
  readonly declared: boolean
}

/**
 * The records of a delimited text that hold something, read as fast as they are taken. All three line ends are
 * accepted, also mixed; a record with line breaks in quotes is one row, as in a spreadsheet.
 * A quote inside an unquoted field (`5" pipe`) is an ordinary character.
 */
export async function* readCsvRows(
  file: FileHandle,
  dialect: CsvDialect,
  limits: SheetLimits,
): AsyncGenerator<SheetRow> {
  const parser = parse({
    delimiter: dialect.delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    from: dialect.declared ? 2 : 1,
    // Bytes of one record. An unclosed quote would otherwise swallow the rest of the file into memory.
    max_record_size: limits.maxCsvCellLength * 4,
  })
  const bytes = Readable.from(fileChunks(file, dialect.markBytes))
  if (dialect.encoding === "utf-8") pipeline(bytes, parser, () => {})
  else pipeline(bytes, decodeFrom(dialect.encoding), parser, () => {})
  let rowNumber = 0
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      rowNumber++
      const cells = withoutBlankEnd(record.map((field) => textCell(unguardFormula(field))))
      if (cells.length === 0) continue
      if (rowNumber > limits.maxRows)
        throw new SuspectFileError("too-many-rows", `more than ${limits.maxRows}`)
      if (cells.length > limits.maxColumns) {
        throw new SuspectFileError("too-many-columns", `more than ${limits.maxColumns}`)
      }
      const long = record.findIndex((field) => field.length > limits.maxCsvCellLength)
      if (long !== -1) throw new SuspectFileError("cell-too-long", cellAddress(long, rowNumber))
      yield { rowNumber, cells }
    }
  } catch (error) {
    if (error instanceof SuspectFileError) throw error
    throw toSuspectFile(error, rowNumber + 1)
  } finally {
    bytes.destroy()
    parser.destroy()
  }
}

function toSuspectFile(error: unknown, rowNumber: number): SuspectFileError {
  const code = error instanceof CsvError ? error.code : undefined
  if (code === "CSV_QUOTE_NOT_CLOSED") {
    return new SuspectFileError("unclosed-quote", `row ${rowNumber}`, { cause: error })
  }
  if (code === "CSV_MAX_RECORD_SIZE") {
    return new SuspectFileError("cell-too-long", `row ${rowNumber}, or a quote in that row is not closed`, {
      cause: error,
    })
  }
  return new SuspectFileError("damaged", `row ${rowNumber}`, { cause: error })
}

function decodeFrom(encoding: CsvEncoding): Transform {
  const decoder = new TextDecoder(encoding)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, decoder.decode(chunk, { stream: true }))
    },
    flush(done) {
      done(null, decoder.decode())
    },
  })
}
