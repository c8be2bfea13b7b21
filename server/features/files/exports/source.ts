import type { Tx } from "#core/database/database.ts"
import type { SheetColumn, SheetValue } from "#packages/spreadsheets/sheet-values.ts"

/** A column of an export: what a sheet shows in it, and what JSON has under its key. */
export interface ExportColumn<Row> {
  readonly key: string
  readonly title: string
  readonly kind?: SheetColumn["kind"]
  cell(row: Row): SheetValue
  json(row: Row): unknown
}

/** A further sheet of a workbook: the items of one list or bill. */
export interface ItemSheet {
  readonly title: string
  readonly columns: readonly SheetColumn[]
  rows(tx: Tx): AsyncIterable<readonly SheetValue[]>
}

/** What is exported, ready to be read in one snapshot. */
export interface ExportSource<Row> {
  readonly sheetName: string
  readonly columns: readonly ExportColumn<Row>[]
  readonly itemSheets: readonly ItemSheet[]
  /** Rows in order, in batches. */
  batches(tx: Tx): AsyncIterable<readonly Row[]>
  /** The whole row as lists show it, where JSON has more than the columns. */
  objectOf?(row: Row): object
  idOf(row: Row): string
  /** What a map shows beside its place. */
  nameOf(row: Row): string
  /** Longitude and latitude in degrees, where the row has a place. */
  placeOf(row: Row): readonly [number, number] | undefined
}
