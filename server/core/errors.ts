/**
 * A refusal that a caller can act on. Everything else that is thrown is a fault of ours and becomes one
 * opaque 500.
 */
export class AppError extends Error {
  readonly http: number
  readonly failedCode: string
  readonly fields: Readonly<Record<string, readonly string[]>> | undefined
  /** Keys added to the error's envelope, where the wire has more than the common ones. */
  readonly extra: Readonly<Record<string, unknown>> | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(http: number, failedCode: string, message: string, more: AppErrorDetails = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.http = http
    this.failedCode = failedCode
    this.fields = more.fields
    this.extra = more.extra
    this.headers = more.headers
  }
}

/** The same refusal with further keys in its envelope. */
export function withExtra(refusal: AppError, extra: Record<string, unknown>): AppError {
  const { http, failedCode, message, fields, headers } = refusal
  return new AppError(http, failedCode, message, {
    extra: { ...refusal.extra, ...extra },
    cause: refusal.cause ?? refusal,
    ...(fields ? { fields: { ...fields } } : {}),
    ...(headers ? { headers: { ...headers } } : {}),
  })
}

/** Whether there is too much to do at present: the same call may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return error instanceof AppError && (error.http === 429 || error.http === 503)
}

export interface AppErrorDetails {
  message?: string
  fields?: Record<string, readonly string[]>
  extra?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
}

type ErrorMakers<Table> = { readonly [Name in keyof Table]: (more?: AppErrorDetails) => AppError } & {
  readonly module: string
  readonly catalogue: readonly CataloguedError[]
}

export interface CataloguedError {
  failedCode: string
  http: number
  message: string
}

export type ErrorTable = Pick<ErrorMakers<unknown>, "module" | "catalogue">

/** Every error of the tables, by code; one code may stand for several problems. */
export function errorCatalogue(tables: readonly ErrorTable[]): CataloguedError[] {
  const all = tables.flatMap(({ catalogue }) => catalogue)
  const unique = new Map(all.map((entry) => [`${entry.failedCode} ${entry.http} ${entry.message}`, entry]))
  return [...unique.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, entry]) => entry)
}

/** The message of each module for an object that does not exist, by failed code: malformed ids get the same. */
export function notFoundMessages(tables: readonly ErrorTable[]): Map<string, string> {
  const missing = tables.flatMap(({ catalogue }) => catalogue.filter(({ http }) => http === 404))
  return new Map(missing.toReversed().map(({ failedCode, message }) => [failedCode, message]))
}

type ErrorEntry = readonly [http: number, code: string, message: string]

/** A module's refusals: `defineErrors("hub", { notFound: [404, "033", message] })`. */
export function defineErrors<const Table extends Record<string, ErrorEntry>>(
  module: string,
  table: Table,
): ErrorMakers<Table> {
  const makers: Record<string, unknown> = { module }
  const catalogue = []
  for (const [name, [http, code, message]] of Object.entries(table)) {
    const failedCode = code.includes("-") ? code : `${module}-${code}`
    catalogue.push({ http, failedCode, message })
    makers[name] = (more: AppErrorDetails = {}) =>
      new AppError(http, failedCode, more.message ?? message, more)
  }
  makers.catalogue = catalogue
  return makers as ErrorMakers<Table>
}

export const coreErrors = defineErrors("sys", {
  unauthenticated: [401, "auth-001", "Authentication required. Send a valid token"],
  forbidden: [403, "auth-035", "Your role lacks the required permission"],
  otherUser: [412, "auth-037", "Somebody else is signed in by now. Sign in again and repeat the request"],
  unknownRoute: [404, "033", "This address does not exist"],
  wrongMethod: [405, "035", "This address does not support this method"],
  notAcceptable: [406, "003", "This API returns JSON. Accept application/json"],
  tooManyRequests: [429, "036", "Rate limit exceeded. Retry after one second"],
  unavailable: [503, "045", "The database is temporarily unavailable. Try again shortly"],
  storeUnavailable: [503, "045", "File storage is temporarily unavailable. Try again shortly"],
  failed: [500, "045", "A server error occurred and has been logged. Try again later"],
})

/** Texts by field, as `errors` of the envelope carries them. */
export function textsByField(problems: readonly { field: string; text: string }[]): Record<string, string[]> {
  const groups = Object.groupBy(problems, (problem) => problem.field)
  return Object.fromEntries(
    Object.entries(groups).map(([field, group = []]) => [field, group.map(({ text }) => text)]),
  )
}

/** The wire's error envelope. `errors` names every refused field, `message` carries the first. */
export function errorEnvelope(error: AppError) {
  return {
    status: false as const,
    message: error.message,
    failedCode: error.failedCode,
    code: error.http,
    statusCode: error.http,
    ...(error.fields ? { errors: error.fields } : {}),
    ...error.extra,
  }
}
