import { Type } from "typebox"
import { refusePersonalToken } from "#core/access/access.ts"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import {
  beginAuthenticator,
  confirmAuthenticator,
  readAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} from "./authenticator.ts"
import { accountErrors } from "./errors.ts"
import { confirmPassword } from "./set-password.ts"

const Password = Type.Object({ password: Type.String({ minLength: 1, maxLength: 1000 }) })
const Done = Type.Object({ status: Type.Literal(true), message: Type.String() })
const RecoveryCodes = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({ recoveryCodes: Type.Array(Type.String()) }),
})

/** The authenticator app of one's own account. Every change asks for the password and for a session. */
export function authenticatorRoutes(app: App): void {
  app.get("/user/authenticator", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "getAuthenticator",
      summary: "Get whether signing in requires a code from an authenticator app",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Object({ isEnabled: Type.Boolean(), recoveryCodesLeft: Type.Integer() }),
        }),
      },
    },
    handler: async ({ sql, caller }) => ({
      status: true as const,
      data: await readAuthenticator(sql, caller.accountId),
    }),
  })

  app.post("/user/authenticator", {
    config: { signedIn: true, scopedToken: "refused", idempotent: false },
    schema: {
      operationId: "beginAuthenticator",
      summary: "Create a secret for an authenticator app",
      body: Password,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({
            secret: Type.String(),
            uri: Type.String({ description: "For a QR code" }),
          }),
        }),
      },
    },
    async handler({ sql, caller, body }) {
      refusePersonalToken(caller, "user")
      await askPassword(caller, body.password)
      const data = await inTransaction(sql, (tx) => beginAuthenticator(tx, app.settings, caller.accountId))
      return { status: true as const, message: "Confirm with a code from the app", data }
    },
  })

  app.post("/user/authenticator/confirm", {
    config: { signedIn: true, scopedToken: "refused", idempotent: false },
    schema: {
      operationId: "confirmAuthenticator",
      summary: "Enable the authenticator; returns the recovery codes once",
      body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 20 }) }),
      response: { 200: RecoveryCodes },
    },
    async handler({ sql, caller, body, ip }) {
      refusePersonalToken(caller, "user")
      const recoveryCodes = await inTransaction(sql, async (tx) => {
        const { accountId } = caller
        const code = body.code.trim()
        const codes = await confirmAuthenticator(tx, app.settings, accountId, code, app.clock.now())
        await note(tx, "authenticator.enable", caller, ip)
        return codes
      })
      return { status: true as const, message: "The authenticator is enabled", data: { recoveryCodes } }
    },
  })

  app.post("/user/authenticator/recovery-codes", {
    config: { signedIn: true, scopedToken: "refused", idempotent: false },
    schema: {
      operationId: "renewRecoveryCodes",
      summary: "Replace the recovery codes; the previous ones no longer work",
      body: Password,
      response: { 200: RecoveryCodes },
    },
    async handler({ sql, caller, body, ip }) {
      refusePersonalToken(caller, "user")
      await askPassword(caller, body.password)
      const { isEnabled } = await readAuthenticator(sql, caller.accountId)
      if (!isEnabled) throw accountErrors.badCode({ message: "Enable the authenticator first" })
      const recoveryCodes = await inTransaction(sql, async (tx) => {
        await note(tx, "authenticator.renew-recovery-codes", caller, ip)
        return renewRecoveryCodes(tx, caller.accountId)
      })
      return { status: true as const, message: "New recovery codes", data: { recoveryCodes } }
    },
  })

  app.delete("/user/authenticator", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "removeAuthenticator",
      summary: "Disable the authenticator",
      body: Password,
      response: { 200: Done },
    },
    async handler({ sql, caller, body, ip }) {
      refusePersonalToken(caller, "user")
      await askPassword(caller, body.password)
      await inTransaction(sql, async (tx) => {
        await removeAuthenticator(tx, caller.accountId)
        await note(tx, "authenticator.disable", caller, ip)
      })
      return { status: true as const, message: "The authenticator is disabled" }
    },
  })

  async function askPassword(caller: Caller, password: string): Promise<void> {
    if (!(await confirmPassword(app.sql, caller, password))) throw accountErrors.wrongPassword()
  }
}

function note(tx: Tx, action: string, caller: Parameters<typeof actorOf>[0], address: string): Promise<void> {
  return audit(tx, actorOf(caller, address), {
    action,
    targetType: "user",
    targetId: caller.userId,
    targetName: caller.email,
  })
}
