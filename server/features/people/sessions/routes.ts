import { Type } from "typebox"
import { clearSessionCookie } from "#core/access/session-cookie.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { endSession } from "../tokens/index.ts"
import { originOf, setBrowserCookie } from "./known-browser.ts"
import { LoginEnvelope, respondWithSession } from "./respond-with-session.ts"
import { signIn } from "./sign-in.ts"

const WaitingForCode = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({ id: Type.String({ description: "Send it with the code to POST /secret" }) }),
})

export function sessionRoutes(app: App): void {
  app.post("/login", {
    config: { public: true },
    schema: {
      operationId: "login",
      summary: "Sign in with e-mail and password",
      description:
        "Returns 202 if a one-time code is required. Send the code with the returned id to POST /secret.",
      body: Type.Object({
        email: Type.String({ format: "email", maxLength: 254 }),
        password: Type.String({ minLength: 1, maxLength: 1000 }),
      }),
      response: { 200: LoginEnvelope, 202: WaitingForCode },
    },
    async handler(request, reply) {
      const { email, password } = request.body
      const outcome = await signIn(app, { email, password, origin: originOf(app, request) })
      if ("session" in outcome) {
        setBrowserCookie(app, request, reply, outcome.browser)
        return respondWithSession(app, request, reply, outcome.session)
      }
      reply.code(202)
      const message = "Enter the one-time code to finish signing in"
      return { status: true as const, message, data: { id: outcome.challengeId } }
    },
  })

  app.post("/logout", {
    config: { signedIn: true, scopedToken: "refused", idempotent: false },
    schema: {
      operationId: "logout",
      summary: "End the presented session",
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler(request, reply) {
      const { caller, sql } = request
      await inTransaction(sql, async (tx) => {
        await endSession(tx, caller)
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
  })
}
