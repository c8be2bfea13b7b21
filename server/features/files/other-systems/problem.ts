/** Why a reading ends without a file. `message` is for people; clients translate by `code` and the other keys. */
export interface ReadingProblem {
  code: ProblemCode
  message: string
  /** Of the other system's last response. */
  httpStatus?: number
  /** What it said. */
  reason?: string
}

export const problemCodes = [
  "wrong-key",
  "forbidden-address",
  "unreachable",
  "http-status",
  "not-json",
  "not-a-list",
  "refused",
  "busy",
  "too-many-rows",
  "too-large",
  "too-long",
  "bad-dump",
  "member-left",
  "server-fault",
] as const
export type ProblemCode = (typeof problemCodes)[number]

export class ReadingError extends Error {
  readonly problem: ReadingProblem
  constructor(
    code: ProblemCode,
    message: string,
    more: { httpStatus?: number; reason?: string; cause?: unknown } = {},
  ) {
    const { cause, ...rest } = more
    super(message, cause === undefined ? undefined : { cause })
    this.problem = { code, message, ...rest }
  }
}
