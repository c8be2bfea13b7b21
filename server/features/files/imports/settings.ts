export const importTypes = ["datasource", "task", "visit", "route", "vehicle", "user"] as const
export type ImportType = (typeof importTypes)[number]

export const importModes = ["create", "upsert", "update"] as const
export type ImportMode = (typeof importModes)[number]

export const importStatuses = ["onprocess", "success", "partially", "failed"] as const
export type ImportStatus = (typeof importStatuses)[number]

/** Rows of one chunk as the counters of an import show it. */
export const rowsPerChunk = 100

/** One value for all rows. */
export interface SameValue {
  value: string
}

/**
 * What fills a field: a header of the file, two (latitude, longitude) that join to a coordinate, or one value for all rows;
 * null leaves it out.
 */
export type ColumnMapping = Readonly<Record<string, string | readonly [string, string] | SameValue | null>>

export function isSameValue(source: ColumnMapping[string] | undefined): source is SameValue {
  return typeof source === "object" && source !== null && "value" in source
}
