import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { send } from "#core/jobs/define-job.ts"
import { acceptedTags, chooseLanguage } from "#shared/languages.ts"
import { normalizeEmail } from "../../people/accounts/index.ts"
import { LoginEnvelope, respondWithSession } from "../../people/sessions/index.ts"
import type { PersonHooks } from "../../people/users/index.ts"
import { resetPassword } from "./forgotten-password.ts"
import { mailResetLink, mailVerification } from "./jobs.ts"
import { register } from "./register.ts"
import { SetUpBody, setUp } from "./set-up.ts"

const Email = Type.String({ format: "email", maxLength: 254 })
const Done = Type.Object({ status: Type.Literal(true), message: Type.String() })

/** Per hour and address: more than people need, too few for asking who has an account. */
const maxRegistrations = 30
const maxMails = 60
const maxGuesses = 60

/** Registration, verification of the address, set-up of the organization, forgotten passwords. */
export function onboardingRoutes(app: App, { onAccessEnd }: Pick<PersonHooks, "onAccessEnd">): void {
  app.post("/register", {
    config: { public: true, throttle: { name: "register", perHour: maxRegistrations } },
    schema: {
      operationId: "register",
      summary: "Create an account with an organization; sends a mail to confirm the address",
      body: Type.Object({
        email: Email,
        password: Type.String({ minLength: 8, maxLength: 200 }),
        name: Type.String({ minLength: 1, maxLength: 200 }),
      }),
      response: { 200: Done },
    },
    async handler({ sql, body, headers }) {
      const { publicUrl, mailUrl } = app.settings
      const language = chooseLanguage(...acceptedTags(headers["accept-language"]))
      await register(sql, { ...body, language }, { publicUrl, hasMailServer: mailUrl !== undefined })
      return { status: true as const, message: "Open the link in the e-mail that we sent you" }
    },
  })

  app.post("/reverify", {
    config: { public: true, throttle: { name: "reverify", perHour: maxMails } },
    schema: {
      operationId: "reverify",
      summary: "Send the confirmation mail again",
      body: Type.Object({ email: Email, alternative: Type.Optional(Type.Boolean()) }),
      response: { 200: Done },
    },
    async handler({ sql, body }) {
      await send(sql, mailVerification, { email: normalizeEmail(body.email) })
      return {
        status: true as const,
        message: "If this address is not confirmed yet, an e-mail is on its way",
      }
    },
  })

  app.put("/account", {
    config: { public: true, throttle: { name: "account", perHour: maxGuesses } },
    schema: {
      operationId: "setUpAccount",
      summary: "Confirm the address with the mailed code and set up the organization",
      body: SetUpBody,
      response: { 200: LoginEnvelope },
    },
    async handler(request, reply) {
      const context = { live: app.live, address: request.ip }
      const session = await inTransaction(request.sql, (tx) => setUp(tx, request.body, context))
      return respondWithSession(app, request, reply, session)
    },
  })

  app.post("/user/forgot-password", {
    config: { public: true, throttle: { name: "forgot", perHour: maxMails } },
    schema: {
      operationId: "forgotPassword",
      summary: "Send a mail with a password reset link; the response is the same for every e-mail",
      body: Type.Object({ email: Email }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          statusCode: Type.Literal(200),
        }),
      },
    },
    async handler({ sql, body }) {
      await send(sql, mailResetLink, { email: normalizeEmail(body.email) })
      const message = "If there is an account with this e-mail, we have sent a link"
      return { status: true as const, message, statusCode: 200 as const }
    },
  })

  app.post("/user/reset-password", {
    config: { public: true, throttle: { name: "reset", perHour: maxGuesses } },
    schema: {
      operationId: "resetPassword",
      summary:
        "Set a new password with the mailed link; ends all sessions, personal tokens, own device keys, calendar feeds and push subscriptions",
      body: Type.Object({
        email: Email,
        token: Type.String({ minLength: 1, maxLength: 100 }),
        password: Type.String({ minLength: 8, maxLength: 200 }),
      }),
      response: { 200: Done },
    },
    async handler({ sql, body, ip }) {
      await inTransaction(sql, (tx) => resetPassword(tx, body, { address: ip, onAccessEnd }))
      return {
        status: true as const,
        message: "The password has been changed. Sign in with the new password",
      }
    },
  })
}
