/** What is written, and by which time the rows are cut into months. The views are those of analysts (docs/analysts.md). */
export const parquetTables = {
  tasks: "start_time",
  sessions: "started_time",
  ratings: "created_time",
  alerts: "started_time",
  hours: "hour",
} as const
export type ParquetTable = keyof typeof parquetTables
export const parquetTableNames = Object.keys(parquetTables) as ParquetTable[]

/** Of a file: what fits into memory. */
export const rowsPerFile = 50_000
