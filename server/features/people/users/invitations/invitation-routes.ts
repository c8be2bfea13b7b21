import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import { AppError, coreErrors } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import { normalizeEmail } from "../../accounts/index.ts"
import { userErrors } from "../errors.ts"
import { announceUser } from "../events.ts"
import { InviteBody } from "../schemas.ts"
import {
  acceptInvitation,
  declineInvitation,
  type InvitationKey,
  listInvitations,
  readInvitation,
} from "./accept-invitation.ts"
import { checkInviter, inviteAll, inviteEach, readInvitations, reinvite } from "./invite-users.ts"

const Done = Type.Object({ status: Type.Literal(true), message: Type.String() })
const Code = Type.String({ pattern: "^[0-9a-fA-F]{32}$", description: "The code of the mailed link" })

/** Enough for filling a company, too little for asking who has an account. */
const maxInvitesAMinute = 500
const maxMailsAnHour = 5

/** Invitations and their acceptance. */
export function invitationRoutes(app: App): void {
  const contextOf = (address: string) => ({ address, publicUrl: app.settings.publicUrl, live: app.live })

  async function throttle(caller: Caller, count: number): Promise<void> {
    for (let taken = 0; taken < count; taken++)
      if (!(await app.limiter.take(`invite:${caller.organizationId}`, maxInvitesAMinute, 60)))
        throw coreErrors.tooManyRequests({ headers: { "retry-after": "60" } })
  }

  app.post("/user/invite", {
    config: { permission: "invite" },
    schema: {
      operationId: "inviteUsers",
      summary: "Invite people by mail; all or none are invited",
      body: InviteBody,
      response: { 200: Done },
    },
    async handler({ sql, caller, body, ip }) {
      checkInviter(caller)
      await throttle(caller, body.email.length)
      await inTransaction(sql, (tx) => inviteAll(tx, caller, body, contextOf(ip)))
      return { status: true as const, message: "The invitation has been sent" }
    },
  })

  app.post("/user/invites", {
    config: { permission: "invite" },
    schema: {
      operationId: "inviteUsersEach",
      summary: "Invite people by mail into different roles and hubs, each separately",
      body: Type.Object({
        invitations: Type.Array(Type.Unknown(), {
          minItems: 1,
          maxItems: 100,
          description: "Each with email (a list), roleId and hubId (a list)",
        }),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          success: Type.Integer(),
          failed: Type.Integer(),
          message: Type.String(),
          errors: Type.Array(Type.String()),
        }),
      },
    },
    async handler({ sql, caller, body, ip }) {
      checkInviter(caller)
      const entries = readInvitations(body.invitations)
      await throttle(caller, entries.filter((entry) => "email" in entry).length)
      const outcome = await inTransaction(sql, (tx) => inviteEach(tx, caller, entries, contextOf(ip)))
      const failed = outcome.errors.length
      if (outcome.success === 0)
        throw new AppError(400, "user-036", "No invitation could be sent", {
          extra: { success: 0, failed, errors: outcome.errors },
        })
      const message = failed === 0 ? "The invitations have been sent" : `${failed} could not be invited`
      return { status: true as const, success: outcome.success, failed, message, errors: outcome.errors }
    },
  })

  app.post("/user/reinvite", {
    config: { permission: "invite" },
    schema: {
      operationId: "reinviteUser",
      summary: "Send an invitation again, with a new link",
      body: Type.Object({
        email: Type.Array(Type.String({ format: "email", maxLength: 254 }), { minItems: 1, maxItems: 100 }),
      }),
      response: { 200: Done },
    },
    async handler({ sql, caller, body, ip }) {
      for (const email of body.email) {
        const key = `reinvite:${caller.organizationId}:${normalizeEmail(email)}`
        if (!(await app.limiter.take(key, maxMailsAnHour, 3600)))
          throw coreErrors.tooManyRequests({ headers: { "retry-after": "3600" } })
      }
      await inTransaction(sql, (tx) => reinvite(tx, caller, body.email, contextOf(ip)))
      return { status: true as const, message: "The invitation has been sent again" }
    },
  })

  app.get("/invitation/:code", {
    config: { public: true },
    schema: {
      tags: ["Sign-in"],
      operationId: "getInvitation",
      summary: "Get the details of a mailed invitation",
      params: Type.Object({ code: Type.String({ maxLength: 100 }) }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({
            email: Type.String(),
            organizationId: IdSchema("organization"),
            organizationName: Type.String(),
            needsPassword: Type.Boolean({
              description: "False: the person must first sign in to the account with this e-mail",
            }),
          }),
        }),
      },
    },
    handler: async ({ sql, params }) => ({
      status: true as const,
      message: "Success",
      data: await readInvitation(sql, params.code.toLowerCase()),
    }),
  })

  for (const [path, operationId, decide] of [
    ["/invitation/accept", "acceptInvitation", acceptInvitation],
    ["/invitation/decline", "declineInvitation", declineInvitation],
  ] as const) {
    app.post(path, {
      config: { public: true },
      schema: {
        tags: ["Sign-in"],
        operationId,
        summary: `${decide === acceptInvitation ? "Accept" : "Decline"} an invitation`,
        description:
          "With the mailed code, or, if signed in, with the inviting organization. People who have an account must sign in first; a new account requires a name and a password.",
        body: Type.Object({
          code: Type.Optional(Code),
          organizationId: Type.Optional(IdSchema("organization")),
          name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          password: Type.Optional(Type.String({ minLength: 8, maxLength: 200 })),
        }),
        response: { 200: Done },
      },
      async handler(request) {
        const { sql, body, ip } = request
        const caller = await app.identify(request)
        const key = keyOf(body, caller)
        const hasMailServer = app.settings.mailUrl !== undefined
        const acceptance = { caller, name: body.name, password: body.password, address: ip, hasMailServer }
        await inTransaction(sql, async (tx) => {
          const { organizationId, userId: id, email } = await decide(tx, key, acceptance)
          await announceUser(tx, app.live, "user.updated", { organizationId, id, email })
        })
        const message =
          decide === acceptInvitation ? "Welcome: you are a member now" : "The invitation is declined"
        return { status: true as const, message }
      },
    })
  }

  app.get("/auth/my-invitations", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      tags: ["Sign-in"],
      operationId: "listMyInvitations",
      summary: "List the caller's pending invitations",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Array(
            Type.Object({
              organizationId: IdSchema("organization"),
              companyName: Type.String(),
              createdTime: Type.String(),
            }),
          ),
        }),
      },
    },
    async handler({ sql, caller }) {
      const rows = await listInvitations(sql, caller)
      const data = rows.map((row) => ({
        organizationId: row.organizationId,
        companyName: row.companyName,
        createdTime: toT1(row.createdTime),
      }))
      return { status: true as const, data }
    },
  })
}

function keyOf(body: { code?: string; organizationId?: string }, caller: Caller | undefined): InvitationKey {
  if (body.code !== undefined) return { code: body.code.toLowerCase() }
  if (body.organizationId === undefined)
    throw userErrors.badInvitation({ message: "code is required", fields: { code: ["is required"] } })
  if (!caller) throw coreErrors.unauthenticated()
  return { organizationId: body.organizationId }
}
