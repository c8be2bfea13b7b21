/** Codes of OSRM's HTTP API. */
export type OsrmCode =
  | "InvalidUrl"
  | "InvalidQuery"
  | "InvalidOptions"
  | "InvalidValue"
  | "NoSegment"
  | "NoRoute"
  | "NoMatch"
  | "TooBig"
  | "NotImplemented"

/** A refusal in OSRM's form: status 400 with `code` and `message`. */
export class OsrmError extends Error {
  readonly code: OsrmCode
  constructor(code: OsrmCode, message: string) {
    super(message)
    this.code = code
  }
}
