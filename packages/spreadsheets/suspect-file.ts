/**
 * Why a file is refused as a whole. The codes are stable: callers branch on them, people read the text.
 * Texts end without a full stop, so that they can follow a prefix such as "File validation failed: ".
 */
const suspectFileTexts = {
  "empty-file": "The file is empty",
  "wrong-type": "The file is neither a spreadsheet nor a file of places",
  "macro-workbook": "The workbook contains macros. Save it as .xlsx without macros and upload that file",
  encrypted: "The file is password-protected. Remove the password and upload it again",
  damaged: "The file is damaged or incomplete",
  "file-too-large": "The file is too large",
  "expands-too-large": "The file expands to more data than the limit allows",
  "too-many-rows": "The sheet has too many rows",
  "too-many-columns": "The sheet has too many columns",
  "cell-too-long": "A cell contains too much text",
  "xml-entities": "The file declares XML entities, which are not allowed",
  "unclosed-quote": "A quoted value is not closed, so the file seems to be incomplete",
  "no-sheet": "The workbook has no visible worksheet",
  "unknown-sheet": "The workbook has no worksheet with this name",
} as const

export type SuspectFileCode = keyof typeof suspectFileTexts

/** A file that must not be read on. `message` is the plain text for its sender, with the place where known. */
export class SuspectFileError extends Error {
  override readonly name = "SuspectFileError"
  readonly code: SuspectFileCode

  constructor(code: SuspectFileCode, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? suspectFileTexts[code] : `${suspectFileTexts[code]}: ${detail}`, options)
    this.code = code
  }
}
