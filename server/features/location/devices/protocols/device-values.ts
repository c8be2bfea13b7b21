import type { DeviceRequest, RefusalReason } from "./device-report.ts"

/** Unknown JSON as an object of unknowns, or undefined when it is not one. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

export function asBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value
  if (value === 1 || value === "1" || value === "true") return true
  if (value === 0 || value === "0" || value === "false") return false
  return undefined
}

/** A finite number from JSON or from a query's plain decimal; exponents are no measurement of a phone. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  if (typeof value !== "string" || !/^[+-]?\d{1,15}(?:\.\d{1,20})?$/.test(value)) return undefined
  return Number(value)
}

export function times(value: number | undefined, factor: number): number | undefined {
  return value === undefined || value < 0 ? undefined : value * factor
}

const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/
const plainInstant = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/
/** Up to this value a bare number counts seconds (until 2038), above it milliseconds. */
const largestSeconds = 2 ** 31 - 1

/**
 * An instant from Unix seconds or milliseconds, from ISO 8601 (also with an offset without a colon, as iOS writes it),
 * or from "2027-03-04 07:40:00". Without an offset it is UTC.
 */
export function parseInstant(value: unknown): Date | RefusalReason {
  if (value === undefined || value === null || value === "") return "time-missing"
  const number = asNumber(value)
  if (number !== undefined) {
    return number >= 0 ? validDate(number <= largestSeconds ? number * 1000 : number) : "time-invalid"
  }
  if (typeof value !== "string") return "time-invalid"
  if (plainInstant.test(value)) return validDate(Date.parse(`${value.replace(" ", "T")}Z`))
  if (!isoInstant.test(value)) return "time-invalid"
  const withColon = value.replace(/([+-]\d{2})(\d{2})$/, "$1:$2")
  const hasOffset = /(?:Z|[+-]\d{2}:\d{2})$/.test(withColon)
  return validDate(Date.parse(hasOffset ? withColon : `${withColon}Z`))
}

function validDate(milliseconds: number): Date | RefusalReason {
  const date = new Date(Math.round(milliseconds))
  return Number.isNaN(date.getTime()) ? "time-invalid" : date
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The body as JSON; undefined when it is not JSON in UTF-8. */
export function parseJsonBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch (error) {
    // Both complain by their own kind about what a stranger sent; everything else is a fault of ours.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/** The body as a form (`a=1&b=2`); undefined when it is not UTF-8. */
export function parseFormBody(body: Uint8Array): URLSearchParams | undefined {
  try {
    return new URLSearchParams(utf8.decode(body))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

export function headerOf(request: DeviceRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === "string" ? value : value?.[0]
}
