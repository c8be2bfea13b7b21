import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { userErrors } from "./errors.ts"
import { announceUser } from "./events.ts"
import { listLocked, resetAuthenticator, resetMemberPassword, unlockMember } from "./locked-members.ts"
import { findFullUser } from "./queries.ts"
import type { PersonHooks } from "./routes.ts"
import { UserSchema } from "./schemas.ts"
import { toWireUser } from "./wire.ts"

/** What administrators do for members who cannot sign in. */
export function memberRoutes(app: App, hooks: PersonHooks): void {
  const publishChange = (tx: Tx, { organizationId }: Caller, { id, email }: { id: string; email: string }) =>
    announceUser(tx, app.live, "user.updated", { organizationId, id, email })

  app.get("/members/locked", {
    config: { permission: "unlock/member" },
    schema: {
      operationId: "listLockedMembers",
      summary: "List members who are locked after wrong passwords",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Type.Literal(200),
          data: Type.Array(
            Type.Object({
              email: Type.String(),
              attempt: Type.String(),
              ttl: Type.Integer({
                description: "Seconds left; -1: until an administrator unlocks the member",
              }),
            }),
          ),
        }),
      },
    },
    handler: async ({ sql, caller }) => ({
      status: true as const,
      code: 200 as const,
      data: await listLocked(sql, caller),
    }),
  })

  app.post("/member/unlock", {
    config: { permission: "unlock/member", idempotent: false },
    schema: {
      operationId: "unlockMember",
      summary: "Unlock a member",
      body: Type.Object({ email: Type.String({ format: "email", maxLength: 254 }) }),
      response: {
        200: Type.Object({ status: Type.Literal(true), code: Type.Literal(200), message: Type.String() }),
      },
    },
    async handler({ sql, caller, body, ip }) {
      await inTransaction(sql, async (tx) =>
        publishChange(tx, caller, await unlockMember(tx, caller, body.email, ip)),
      )
      return { status: true as const, code: 200 as const, message: "The member can sign in again" }
    },
  })

  app.post("/member/reset-password", {
    config: { permission: "reset-password/member", idempotent: false },
    schema: {
      operationId: "resetMemberPassword",
      summary: "Set a new password for a member; all sessions of the member end",
      body: Type.Object({
        userId: IdSchema("user"),
        password: Type.String({ minLength: 8, maxLength: 200 }),
      }),
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), property: UserSchema }),
      },
    },
    async handler({ sql, caller, body, ip }) {
      const user = await inTransaction(sql, async (tx) => {
        const member = await resetMemberPassword(tx, caller, body, { address: ip, ...hooks })
        await publishChange(tx, caller, member)
        return member
      })
      const found = await findFullUser(sql, caller, user.id)
      if (!found) throw userErrors.notFound()
      const property = { ...toWireUser(found.user, found.role), docId: found.user.id }
      return { status: true as const, message: "The password has been reset", property }
    },
  })

  app.delete("/member/:userId/authenticator", {
    config: { permission: "reset-password/member" },
    schema: {
      operationId: "resetMemberAuthenticator",
      summary: "Disable the authenticator of a member who lost it",
      params: Type.Object({ userId: IdSchema("user") }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) =>
        publishChange(tx, caller, await resetAuthenticator(tx, caller, params.userId, ip)),
      )
      return { status: true as const, message: "The authenticator is disabled" }
    },
  })
}
