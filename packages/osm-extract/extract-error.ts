/** Why an extract is rejected. The codes are stable: callers branch on them, people read the text. */
const extractErrorTexts = {
  "not-found": "The file cannot be read. Check the path and its permissions",
  empty: "The file is empty. Download the extract again",
  "not-an-extract": "The file is not an OpenStreetMap extract. Use a file that ends in .osm.pbf",
  truncated: "The file is incomplete. Download the extract again",
  damaged: "The file is damaged. Download the extract again",
  unsupported:
    "The file uses a feature that is not supported. Rewrite it with: osmium cat FILE -o NEW.osm.pbf",
  history:
    "The file contains the history of objects. Create an extract of the present with: osmium time-filter",
  "too-large": "The file is too large. Use an extract of a smaller region",
} as const

export type ExtractErrorCode = keyof typeof extractErrorTexts

/** A file that must not be read any further. `message` says what is wrong and what to do. */
export class ExtractError extends Error {
  override readonly name = "ExtractError"
  readonly code: ExtractErrorCode

  constructor(code: ExtractErrorCode, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? extractErrorTexts[code] : `${extractErrorTexts[code]} (${detail})`, options)
    this.code = code
  }
}
