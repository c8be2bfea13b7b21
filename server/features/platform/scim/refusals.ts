import { AppError } from "#core/errors.ts"

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

/** What an operation of the product refuses, in the words of the protocol. Undefined: a fault of the server. */
export function toScimRefusal(error: unknown): ScimRefusal | undefined {
  if (error instanceof ScimRefusal) return error
  if (!(error instanceof AppError) || error.http >= 500) return undefined
  if (error.http === 401 || error.http === 404 || error.http === 429)
    return scimRefusal(error.http, error.message)
  if (error.failedCode === "sys-013") return scimRefusal(400, error.message, "invalidSyntax")
  if (/already|taken|exists/i.test(error.message)) return scimRefusal(409, error.message, "uniqueness")
  if (error.http === 403) return scimRefusal(403, error.message, "mutability")
  return scimRefusal(400, error.message, "invalidValue")
}

export function errorBody({ status, message, scimType }: ScimRefusal) {
  return { schemas: [errorSchema], status: String(status), ...(scimType && { scimType }), detail: message }
}
