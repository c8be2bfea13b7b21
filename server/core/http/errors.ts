import type { FastifyError, FastifyReply, FastifyRequest } from "fastify"
import { databaseErrorOf, isDatabaseAway } from "../database/database.ts"
import { AppError, coreErrors, errorEnvelope } from "../errors.ts"
import { isStoreAway } from "../objects/store-faults.ts"
import { bodyBytes, bodyTooLarge } from "./limits/body-kinds.ts"
import { refusalOf, SchemaRefusal } from "./validation.ts"

/** The one place where whatever was thrown becomes the wire's error envelope. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toAppError(error, request)
  if (refusal.http >= 500) {
    const fields = {
      err: error,
      method: request.method,
      route: request.routeOptions.url,
      organizationId: request.identified?.organizationId,
    }
    request.log.error(fields, "request failed")
  }
  if (refusal.http === 403) {
    const fields = {
      method: request.method,
      route: request.routeOptions.url,
      failedCode: refusal.failedCode,
      organizationId: request.identified?.organizationId,
      userId: request.identified?.userId,
    }
    request.log.info(fields, "request refused: not authorized")
  }
  for (const [name, value] of Object.entries(refusal.headers ?? {})) reply.header(name, value)
  reply
    .code(refusal.http)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send({ ...(hasErrorData(request, refusal) ? { data: [] } : {}), ...errorEnvelope(refusal) })
}

function hasErrorData(request: FastifyRequest, { http }: AppError): boolean {
  const { errorData } = request.routeOptions.config
  return errorData === "values" ? http !== 401 && http !== 403 : errorData === true
}

export function toAppError(error: unknown, request: FastifyRequest): AppError {
  const { valueCode } = request.routeOptions.config
  const refusal = knownRefusal(error, request)
  // Codes up to 030 are the common ones of values; those above say something of their own.
  if (valueCode === undefined || refusal.http !== 400 || !/-0([0-2]\d|30)$/.test(refusal.failedCode))
    return refusal
  return new AppError(400, valueCode, refusal.message, {
    ...(refusal.fields ? { fields: { ...refusal.fields } } : {}),
  })
}

function knownRefusal(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  const module = request.routeOptions.config.module ?? "sys"
  if (error instanceof SchemaRefusal) return schemaRefusal(error, request)
  if (isDatabaseAway(error)) return coreErrors.unavailable({ cause: error, headers: { "retry-after": "2" } })
  if (isStoreAway(error))
    return coreErrors.storeUnavailable({ cause: error, headers: { "retry-after": "5" } })
  if (error instanceof DOMException && error.name === "TimeoutError") {
    const message = "The request took too long and was stopped. Try again shortly"
    return new AppError(503, "sys-045", message, { cause: error, headers: { "retry-after": "5" } })
  }
  const database = databaseErrorOf(error)
  if (database?.code === "57014") {
    const message = "The request took too long and was stopped. Narrow the filter or request fewer rows"
    return new AppError(503, "sys-045", message, { cause: error, headers: { "retry-after": "5" } })
  }
  if (database && ["22021", "22P05"].includes(database.code))
    return new AppError(400, `${module}-016`, "Text must not contain the character U+0000", { cause: error })
  if (database?.code === "22P02" && /surrogate/i.test(database.detail ?? "")) {
    const message = "Text must not contain an unpaired surrogate"
    return new AppError(400, `${module}-016`, message, { cause: error })
  }
  const beyond = database && beyondTexts[database.code]
  if (beyond !== undefined) return new AppError(400, `${module}-016`, beyond, { cause: error })
  if (database && ["40001", "40P01"].includes(database.code)) {
    const message = "The request conflicted with a concurrent change. Send it again"
    return new AppError(503, "sys-045", message, { cause: error, headers: { "retry-after": "1" } })
  }
  return fastifyRefusal(error as FastifyError, module, request) ?? coreErrors.failed({ cause: error })
}

/** What no column can hold, where the shape of the request lets it through. */
const beyondTexts: Readonly<Record<string, string>> = {
  "22001": "A text is too long",
  "22003": "A number is out of range",
  "22008": "A date is out of range",
  "54000": "A text value is too long to be indexed",
}

function schemaRefusal(refusal: SchemaRefusal, request: FastifyRequest): AppError {
  const { module = "sys", notFoundCode } = request.routeOptions.config
  if (refusal.validationContext === "params") {
    const failedCode = notFoundCode ?? `${module}-033`
    return new AppError(404, failedCode, request.server.notFoundMessages.get(failedCode) ?? "Data not found")
  }
  return refusalOf(refusal, module)
}

/** What the parser of forms refuses with the status of a form that is too large. */
const tooManyTexts: Readonly<Record<string, string>> = {
  FST_FILES_LIMIT: "The form has more files than this request takes",
  FST_FIELDS_LIMIT: "The form has more fields than this request takes",
  FST_PARTS_LIMIT: "The form has more parts than this request takes",
}

/** What the HTTP layer itself refuses: sizes, media types, broken uploads. */
function fastifyRefusal(error: FastifyError, module: string, request: FastifyRequest): AppError | undefined {
  if (isBrokenForm(error, request))
    return new AppError(400, `${module}-003`, `The form data cannot be parsed: ${error.message}`, {
      cause: error,
    })
  const tooMany = tooManyTexts[error.code]
  if (tooMany) return new AppError(400, `${module}-003`, tooMany, { cause: error })
  const status = error.statusCode
  if (status === undefined || status >= 500) return undefined
  if (status === 413) {
    const { body: kind } = request.routeOptions.config
    const { settings } = request.server
    const limit = request.isMultipart() && kind ? bodyBytes(kind, settings) : request.routeOptions.bodyLimit
    return bodyTooLarge(module, limit ?? settings.bodyMaxBytes)
  }
  if (status === 415)
    return new AppError(
      415,
      `${module}-003`,
      "Send the body as application/json, or as the multipart form that this request requires",
    )
  // A part of a form that claims to be JSON and is none.
  return new AppError(status === 406 ? 400 : status, `${module}-003`, error.message)
}

/** The parser of forms throws plain errors. */
function isBrokenForm(error: Error, request: FastifyRequest): boolean {
  return (
    request.isMultipart() &&
    /unexpected end of multipart data|^Multipart: Boundary|^The needle/i.test(error.message)
  )
}

/** An address that cannot be read at all reaches no route, hence no error handler. */
export function sendBadAddress(cause: Error, _request: unknown, reply: unknown): void {
  const message = "The URL is invalid. Each percent sign must start a percent-encoded UTF-8 byte"
  const refusal = new AppError(400, "sys-003", message, { cause })
  void (reply as FastifyReply)
    .code(refusal.http)
    .type("application/json; charset=utf-8")
    .serializer(JSON.stringify)
    .send(errorEnvelope(refusal))
}

/** Under the API an unknown address is 404, a known one with another method 405. */
export function sendUnknownRoute(request: FastifyRequest, reply: FastifyReply): void {
  const allowed = request.server.routeTable.allowedMethods(request.url.split("?")[0] ?? "/")
  if (allowed.length === 0) throw coreErrors.unknownRoute()
  reply.header("allow", allowed.join(", "))
  throw coreErrors.wrongMethod()
}
