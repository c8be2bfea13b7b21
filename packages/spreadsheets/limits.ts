/** Bounds that a file is held to before and while it is read. All are inclusive. */
export interface SheetLimits {
  /** Size of the file on disk, in bytes. */
  readonly maxFileBytes: number
  /** Sum of the unpacked parts of an .xlsx, in bytes; checked against its directory and again while unpacking. */
  readonly maxExpandedBytes: number
  /** Highest row number, header included. */
  readonly maxRows: number
  /** Cells beyond this column may only be blank. */
  readonly maxColumns: number
  /** Characters of one .xlsx or .xls cell. The formats themselves end at 32,767. */
  readonly maxCellLength: number
  /** Characters of one field of a .csv, which knows no bound of its own. */
  readonly maxCsvCellLength: number
}

export const defaultSheetLimits: SheetLimits = {
  maxFileBytes: 512 * 1024 * 1024,
  // A million rows of ten filled columns unpack to about 0.5 GB.
  maxExpandedBytes: 2 * 1024 * 1024 * 1024,
  maxRows: 1_048_576,
  maxColumns: 1_000,
  maxCellLength: 32_767,
  maxCsvCellLength: 1_000_000,
}
