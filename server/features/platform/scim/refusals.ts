import type { FastifyRequest } from "fastify"
import { toAppError } from "#core/http/errors.ts"

export const errorSchema = "urn:ietf:params:scim:api:messages:2.0:Error"

/** An error of RFC 7644, section 3.12. */
export class ScimRefusal extends Error {
  readonly status: number
  readonly scimType: string | undefined
  constructor(status: number, detail: string, scimType?: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export const scimRefusal = (status: number, detail: string, scimType?: string) =>
  new ScimRefusal(status, detail, scimType)

export const notFound = (id: string) => scimRefusal(404, `There is no resource ${id}`)

/** What the product refuses, in the words of the protocol. A fault of the server is logged. */
export function toScimRefusal(error: unknown, request: FastifyRequest): ScimRefusal {
  if (error instanceof ScimRefusal) return error
  const { http, failedCode, message } = toAppError(error, request)
  if (http === 500) request.log.error({ err: error }, "request failed")
  if (/already|taken|exists/i.test(message) && http < 500) return scimRefusal(409, message, "uniqueness")
  if (http === 403) return scimRefusal(403, message, "mutability")
  if (http !== 400) return scimRefusal(http, message)
  return scimRefusal(400, message, /^sys-0(03|13)$/.test(failedCode) ? "invalidSyntax" : "invalidValue")
}

export function errorBody({ status, message, scimType }: ScimRefusal) {
  return { schemas: [errorSchema], status: String(status), ...(scimType && { scimType }), detail: message }
}
