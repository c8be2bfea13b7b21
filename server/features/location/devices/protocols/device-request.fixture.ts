import type { DeviceRequest } from "./device-report.ts"

export const receivedAt = new Date("2027-03-04T07:40:00.000Z")

/** A request as a device sends it: the address from the "?" on, then headers and body. */
export function aRequest({
  query = "",
  headers = {},
  body = "",
}: {
  query?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | object
}): DeviceRequest {
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))
  return { headers, query: new URLSearchParams(query), body: bytes, receivedAt }
}
