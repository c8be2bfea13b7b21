interface ExportFile {
  readonly extension: string
  readonly contentType: string
  /** Whether only rows with a place are written. */
  readonly hasOnlyPlaces?: true
}

/** The file formats of exports, in the order in which they are offered. */
export const exportFiles = {
  xlsx: {
    extension: "xlsx",
    contentType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  },
  csv: { extension: "csv", contentType: "text/csv; charset=utf-8" },
  json: { extension: "json", contentType: "application/json" },
  jsonl: { extension: "jsonl", contentType: "application/jsonl" },
  geojson: { extension: "geojson", contentType: "application/geo+json", hasOnlyPlaces: true },
  kml: { extension: "kml", contentType: "application/vnd.google-earth.kml+xml", hasOnlyPlaces: true },
  gpx: { extension: "gpx", contentType: "application/gpx+xml", hasOnlyPlaces: true },
} as const satisfies Record<string, ExportFile>
export type ExportFormat = keyof typeof exportFiles

// Object.keys returns strings; the table has no other keys.
export const exportFormats = Object.keys(exportFiles) as readonly ExportFormat[]
