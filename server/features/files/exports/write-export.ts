import type { Writable } from "node:stream"
import type { Tx } from "#core/database/database.ts"
import {
  type WrittenFeature,
  writeFeaturesAsGpx,
  writeFeaturesAsKml,
} from "#packages/geo-files/write-features.ts"
import { writeCsv } from "#packages/spreadsheets/csv/write-csv.ts"
import { writeJsonArray, writeJsonLines, writeJsonZip } from "#packages/spreadsheets/json/write-json.ts"
import { wallClockText } from "#packages/spreadsheets/sheet-values.ts"
import { writeXlsx } from "#packages/spreadsheets/xlsx/write-xlsx.ts"
import { writeTo } from "#packages/spreadsheets/xlsx/zip-writer.ts"
import type { ExportFormat } from "#shared/export-formats.ts"
import { directRows, fileTypeOf } from "./formats.ts"
import type { ExportSource } from "./source.ts"

export interface Written {
  rowCount: number
  lastId: string | undefined
  lastField: string | undefined
}

/**
 * Writes a source to a stream, reading it in the given transaction: batch by batch, so that memory is the same
 * for ten rows and a million. Does not end the stream.
 */
export async function writeExport<Row>(
  tx: Tx,
  out: Writable,
  source: ExportSource<Row>,
  options: { format: ExportFormat; expectedRows: number; baseName: string },
): Promise<Written> {
  const written: Written = { rowCount: 0, lastId: undefined, lastField: source.columns.at(-1)?.key }
  async function* each<Made>(make: (row: Row) => Made): AsyncGenerator<Made> {
    for await (const batch of source.batches(tx)) {
      for (const row of batch) yield make(row)
      const last = batch.at(-1)
      if (last !== undefined) written.lastId = source.idOf(last)
      written.rowCount += batch.length
    }
  }
  const { columns } = source
  const cells = () => each((row) => columns.map((column) => column.cell(row)))
  const objects = () => each((row) => objectOf(row, source))
  switch (options.format) {
    case "xlsx":
      await writeXlsx(out, [
        { name: source.sheetName, columns: columns.map(sheetColumn), rows: cells() },
        ...source.itemSheets.map((sheet) => ({
          name: sheet.title,
          columns: sheet.columns,
          rows: sheet.rows(tx),
        })),
      ])
      break
    case "csv":
      await writeCsv(out, { columns: columns.map(sheetColumn), rows: cells() })
      break
    case "json":
      if (fileTypeOf("json", options.expectedRows) === "zip")
        await writeJsonZip(out, {
          baseName: options.baseName,
          items: objects(),
          itemsPerFile: directRows,
        })
      else await writeJsonArray(out, objects())
      break
    case "jsonl":
      await writeJsonLines(out, objects())
      break
    case "geojson": {
      const around = { before: '{"type":"FeatureCollection","features":', after: "}" }
      await writeJsonArray(
        out,
        featuresOf(
          each((row) => row),
          source,
          written,
        ),
        around,
      )
      break
    }
    case "kml":
    case "gpx": {
      const write = options.format === "kml" ? writeFeaturesAsKml : writeFeaturesAsGpx
      const places = placesOf(
        each((row) => row),
        source,
        written,
      )
      for await (const piece of write(places, source.sheetName)) await writeTo(out, piece)
      break
    }
    default:
      options.format satisfies never
  }
  return written
}

function sheetColumn({
  title,
  kind,
}: {
  title: string
  kind?: ExportSource<unknown>["columns"][number]["kind"]
}) {
  return kind ? { title, kind } : { title }
}

function objectOf<Row>(row: Row, source: ExportSource<Row>): object {
  if (source.objectOf) return source.objectOf(row)
  const object: Record<string, unknown> = {}
  for (const column of source.columns) object[column.key] = column.json(row) ?? null
  return object
}

/** Rows without a place have no point, and are left out: the last one with a place is the last one written. */
async function* withPlace<Row>(rows: AsyncIterable<Row>, source: ExportSource<Row>, written: Written) {
  let lastId: string | undefined
  let count = 0
  for await (const row of rows) {
    const coordinates = source.placeOf(row)
    if (!coordinates) continue
    lastId = source.idOf(row)
    count++
    yield { row, geometry: { type: "Point" as const, coordinates } }
  }
  written.lastId = lastId
  written.rowCount = count
}

async function* featuresOf<Row>(rows: AsyncIterable<Row>, source: ExportSource<Row>, written: Written) {
  for await (const { row, geometry } of withPlace(rows, source, written))
    yield { type: "Feature", id: source.idOf(row), geometry, properties: objectOf(row, source) }
}

async function* placesOf<Row>(
  rows: AsyncIterable<Row>,
  source: ExportSource<Row>,
  written: Written,
): AsyncGenerator<WrittenFeature> {
  for await (const { row, geometry } of withPlace(rows, source, written)) {
    const values = source.columns.map(({ key, title, kind, cell }) => {
      const value = cell(row)
      const isMoment = kind !== undefined && typeof value === "number"
      return { key, title, text: isMoment ? wallClockText(value, kind) : String(value ?? "") }
    })
    yield { name: source.nameOf(row), geometry, values }
  }
}
