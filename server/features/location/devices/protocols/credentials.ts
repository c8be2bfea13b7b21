import type { DeviceRequest } from "./device-report.ts"
import { headerOf } from "./device-values.ts"

/**
 * The key that a device shows, wherever its app can put one: a bearer token (Overland), the password of Basic
 * authentication (OwnTracks), `key` in the address (OsmAnd, files). The identifier of Traccar Client is another
 * place; it comes with the report as `deviceId`.
 */
export function deviceKeyOf(request: DeviceRequest): string | undefined {
  const authorization = headerOf(request, "authorization") ?? ""
  const separator = authorization.indexOf(" ")
  const scheme = authorization.slice(0, separator).toLowerCase()
  const credentials = authorization.slice(separator + 1).trim()
  if (scheme === "bearer" && credentials !== "") return credentials
  if (scheme === "basic") {
    const userAndPassword = Buffer.from(credentials, "base64").toString("utf8")
    const colon = userAndPassword.indexOf(":")
    const password = colon < 0 ? "" : userAndPassword.slice(colon + 1)
    if (password !== "") return password
  }
  return request.query.get("key") || undefined
}
