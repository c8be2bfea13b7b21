import type { FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import { isConsole, setSessionCookie } from "#core/access/session-cookie.ts"
import type { App } from "#core/http/types.ts"
import { findFullUser, toWireFullUser, UserSchema, userErrors } from "../users/index.ts"
import type { Session } from "./session.ts"

export const LoginEnvelope = Type.Object({
  token: Type.String({ description: "Empty if the session is in the console's cookie" }),
  expires_in: Type.Integer({ description: "Seconds" }),
  data: UserSchema,
  isHubSet: Type.Boolean({ description: "Whether the organization has its first hub" }),
})

/** The login envelope. The console gets its token in a cookie instead of the body. */
export async function respondWithSession(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  session: Session,
) {
  const found = await findFullUser(request.sql, session, session.userId)
  if (!found) throw userErrors.notFound()
  const hubs = await request.sql`select 1 from hubs where organization_id = ${session.organizationId} limit 1`
  const isForConsole = isConsole(request, app.settings)
  if (isForConsole) setSessionCookie(request, reply, app.settings, session)
  return {
    token: isForConsole ? "" : session.token,
    expires_in: session.expiresInSeconds,
    data: toWireFullUser(found.user, found.role, found.organization, found.policy),
    isHubSet: hubs.length > 0,
  }
}
