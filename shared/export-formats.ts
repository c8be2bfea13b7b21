/** The file formats of exports, in the order in which they are offered. */
export const exportFormats = ["xlsx", "csv", "json", "geojson"] as const
export type ExportFormat = (typeof exportFormats)[number]
