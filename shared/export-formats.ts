/** The file formats of exports, in the order in which they are offered. */
export const exportFormats = ["xlsx", "csv", "json", "jsonl", "geojson", "kml", "gpx"] as const
/** Formats that have only rows with a place. */
export const placeFormats: readonly ExportFormat[] = ["geojson", "kml", "gpx"]
export type ExportFormat = (typeof exportFormats)[number]
