import { extname } from "node:path"
import { type OpenSheet, openSheet } from "#core/spreadsheets/open-sheet.ts"
import { SuspectFileError } from "#core/spreadsheets/suspect-file.ts"
import { importErrors } from "./errors.ts"
import type { Upload } from "./receive-upload.ts"

/**
 * Opens the file of an upload while `use` runs. A workbook is read as what it is, whatever its name; text that is
 * named as a workbook is refused, because whoever sent it thinks that it is something else. Throws the refusal.
 */
export async function withSheet<T>(
  { file }: Upload,
  maxFileBytes: number,
  use: (sheet: OpenSheet) => Promise<T>,
): Promise<T> {
  try {
    const sheet = await openSheet(file?.path ?? "", { limits: { maxFileBytes } })
    try {
      const extension = extname(file?.filename ?? "").toLowerCase()
      if (sheet.format === "csv" && extension !== ".csv")
        throw new SuspectFileError(
          "wrong-type",
          `it is named ${extension} but holds plain text. Name it .csv, or save it as a workbook`,
        )
      return await use(sheet)
    } finally {
      await sheet.close()
    }
  } catch (error) {
    throw refusalOfFile(error)
  }
}

/** What is wrong with a file, as the caller is told; anything that is no fault of the file passes through. */
function refusalOfFile(error: unknown): unknown {
  if (!(error instanceof SuspectFileError)) return error
  const make = error.code === "file-too-large" ? importErrors.tooLarge : importErrors.badFile
  return make({ message: error.message, cause: error })
}
