import type { FastifyReply, FastifyRequest } from "fastify"
import { Type } from "typebox"
import { clearSessionCookie, isConsole, setSessionCookie } from "#core/access/session-cookie.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database.ts"
import type { App } from "#core/http/types.ts"
import { findFullUser, toWireFullUser, UserSchema, userErrors } from "../users/index.ts"
import { type Session, signIn } from "./sign-in.ts"

export const LoginEnvelope = Type.Object({
  token: Type.String({ description: "Empty when the session went into the console's cookie" }),
  expires_in: Type.Integer({ description: "Seconds" }),
  data: UserSchema,
  isHubSet: Type.Boolean({ description: "Whether the organization has its first hub" }),
})

export function sessionRoutes(app: App): void {
  app.post(
    "/login",
    {
      config: { public: true },
      schema: {
        tags: ["Sign-in"],
        operationId: "login",
        summary: "Sign in with e-mail and password",
        body: Type.Object({
          email: Type.String({ format: "email", maxLength: 254 }),
          password: Type.String({ minLength: 1, maxLength: 1000 }),
        }),
        response: { 200: LoginEnvelope },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body
      const session = await signIn(request.sql, { email, password, address: request.ip })
      return answerSession(app, request, reply, session)
    },
  )

  app.post(
    "/logout",
    {
      config: { signedIn: true, idempotent: false },
      schema: {
        tags: ["Sign-in"],
        operationId: "logout",
        summary: "End the presented session",
        response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
      },
    },
    async (request, reply) => {
      const { caller, sql } = request
      await inTransaction(sql, async (tx) => {
        await tx`
          update access_tokens set revoked_at = now()
          where organization_id = ${caller.organizationId} and id = ${caller.tokenId} and kind = 'session'`
        await audit(tx, actorOf(caller, request.ip), {
          action: "session.close",
          targetType: "user",
          targetId: caller.userId,
          targetName: caller.email,
        })
      })
      clearSessionCookie(request, reply, app.settings)
      return { status: true as const, message: "Signed out" }
    },
  )
}

/** The login envelope. The console gets its token in a cookie instead of the body. */
export async function answerSession(
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
    data: toWireFullUser(found.user, found.role, found.organization),
    isHubSet: hubs.length > 0,
  }
}
