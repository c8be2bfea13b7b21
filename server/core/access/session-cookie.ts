import type { FastifyReply, FastifyRequest } from "fastify"
import type { Config } from "../config.ts"

/**
 * The console's session: the same token as everybody's, in a cookie that no script can read and that no
 * other site can make a browser send.
 */
const cookieName = "fieldway_session"

/** The console asks for a cookie instead of a token with this header when it signs in. */
export const consoleHeader = "x-fieldway-console"

export function readSessionCookie(request: FastifyRequest, config: Config): string | undefined {
  const token = request.cookies[cookieName]
  return token && isSameOrigin(request, config) ? token : undefined
}

export function isConsole(request: FastifyRequest, config: Config): boolean {
  return request.headers[consoleHeader] !== undefined && isSameOrigin(request, config)
}

/** Browsers send where a request comes from; older ones at least send the Origin of writing calls. */
export function isSameOrigin(request: FastifyRequest, config: Config): boolean {
  const site = request.headers["sec-fetch-site"]
  if (site !== undefined) return site === "same-origin"
  const { origin } = request.headers
  return (
    origin !== undefined && (origin === new URL(config.publicUrl).origin || origin === ownOrigin(request))
  )
}

function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  session: { token: string; expiresInSeconds: number },
): void {
  reply.setCookie(cookieName, session.token, {
    ...attributes(request, config),
    maxAge: session.expiresInSeconds,
  })
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  reply.clearCookie(cookieName, attributes(request, config))
}

function attributes(request: FastifyRequest, config: Config) {
  const secure = request.protocol === "https" || config.publicUrl.startsWith("https:")
  return { httpOnly: true, sameSite: "strict", path: "/api", secure } as const
}
