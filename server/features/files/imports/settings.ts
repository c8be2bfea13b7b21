export const importTypes = ["datasource", "task", "visit", "route"] as const
export type ImportType = (typeof importTypes)[number]

export const importModes = ["create", "upsert", "update"] as const
export type ImportMode = (typeof importModes)[number]

export const importStatuses = ["onprocess", "success", "partially", "failed"] as const
export type ImportStatus = (typeof importStatuses)[number]

/** Rows of one chunk as the counters of an import show it. */
export const rowsPerChunk = 100

/** Which header of the file fills a field: one, or two (latitude, longitude) that join to a coordinate; null leaves it out. */
export type ColumnMapping = Readonly<Record<string, string | readonly [string, string] | null>>
