import { Type } from "typebox"
import { type ExportFormat, exportFiles, exportFormats } from "#shared/export-formats.ts"

export const DownloadSchema = Type.Unsafe<ExportFormat>(
  Type.String({ enum: [...exportFormats], description: `One of ${exportFormats.join(", ")}` }),
)

/** The most rows of one export, as a sheet holds about as many. */
export const maxRows = 1_000_000
/** Drawing a service report takes a moment, so one export has fewer of them. */
export const maxReports = 2_000
/** Above this a direct export is answered as one in the background, and JSON is packed in parts. */
export const directRows = 10_000

/** The extension of the file that an export of so many rows has. */
export function fileTypeOf(format: ExportFormat | "zip" | "pdf", rowCount: number): string {
  if (format === "zip" || format === "pdf") return format
  return format === "json" && rowCount > directRows ? "zip" : exportFiles[format].extension
}
