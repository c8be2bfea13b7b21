import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { readChallenge, resendCode, verifyChallenge } from "./challenge.ts"
import { originOf, setBrowserCookie } from "./known-browser.ts"
import { LoginEnvelope, respondWithSession } from "./respond-with-session.ts"
import { noteEntry, throttleOf, tooMany } from "./sign-in.ts"

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) })
const Waiting = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    email: Type.String({ description: "Masked" }),
    method: Type.String({ description: "email: a mailed code; totp: the authenticator app" }),
  }),
})

/** The second step of signing in, for roles that demand a code and accounts with an authenticator. */
export function secretRoutes(app: App): void {
  app.get("/secret/:id", {
    config: { public: true, module: "secrt" },
    schema: {
      operationId: "getSecret",
      summary: "Get where the one-time code of a sign-in was sent",
      params: Params,
      response: { 200: Waiting },
    },
    handler: async ({ sql, params }) => ({
      status: true as const,
      message: "success",
      data: await readChallenge(sql, params.id),
    }),
  })

  app.put("/secret/:id", {
    config: { public: true, module: "secrt" },
    schema: {
      operationId: "resendSecret",
      summary: "Send the one-time code again",
      params: Params,
      response: { 200: Waiting },
    },
    async handler({ sql, params }) {
      await inTransaction(sql, (tx) => resendCode(tx, app.settings, params.id))
      return { status: true as const, message: "success", data: await readChallenge(sql, params.id) }
    },
  })

  app.post("/secret", {
    config: { public: true, module: "secrt" },
    schema: {
      operationId: "answerSecret",
      summary: "Finish signing in with the one-time code or a recovery code",
      body: Type.Object({
        id: Type.String({ minLength: 1, maxLength: 100 }),
        secret: Type.String({ minLength: 1, maxLength: 40 }),
      }),
      response: { 200: LoginEnvelope },
    },
    async handler(request, reply) {
      const { body, ip } = request
      const throttle = throttleOf(app.limiter, ip, `challenge:${body.id}`)
      if (!(await throttle.hasRoom())) throw tooMany()
      const { session, email, browser } = await verifyChallenge(app.sql, {
        id: body.id,
        code: body.secret,
        now: app.clock.now(),
        origin: originOf(app, request),
        config: app.settings,
      }).catch(async (error: unknown) => {
        await throttle.count()
        throw error
      })
      setBrowserCookie(app, request, reply, browser)
      await inTransaction(app.sql, (tx) => noteEntry(tx, session, email, ip))
      return respondWithSession(app, request, reply, session)
    },
  })
}
