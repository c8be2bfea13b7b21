import type { FastifyReply, FastifyRequest } from "fastify"
import { isConsole } from "#core/access/session-cookie.ts"
import type { App } from "#core/http/types.ts"
import type { BrowserCookie, Origin } from "../accounts/index.ts"

export function originOf(app: App, request: FastifyRequest): Origin {
  return { address: request.ip, cookies: request.cookies, isConsole: isConsole(request, app.settings) }
}

/**
 * Makes this browser known for the account that signed in. It gives no access: failures elsewhere do not lock
 * its holder out.
 */
export function setBrowserCookie(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  browser: BrowserCookie | undefined,
): void {
  if (!browser) return
  const secure = request.protocol === "https" || app.settings.publicUrl.startsWith("https:")
  const { name, value, maxAge } = browser
  reply.setCookie(name, value, { httpOnly: true, sameSite: "strict", path: "/api/v3", secure, maxAge })
}
