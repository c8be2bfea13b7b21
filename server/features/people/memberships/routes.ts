import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import { LoginEnvelope, respondWithSession } from "../sessions/index.ts"
import { listMemberships, switchOrganization } from "./switch-organization.ts"

const Membership = Type.Object(
  {
    _id: IdSchema("organization"),
    companyName: Type.String(),
    userId: IdSchema("user"),
    roleId: IdSchema("role"),
    roleName: Type.String(),
    status: Type.String(),
    isOwner: Type.Boolean(),
    isOrigin: Type.Boolean({ description: "Whether the account was created in this organization" }),
    isCurrent: Type.Boolean(),
    lastLogin: Type.Union([Type.String(), Type.Null()]),
  },
  { title: "Membership" },
)

/** The caller's organizations: which there are, and moving between them. */
export function membershipRoutes(app: App): void {
  app.get("/auth/my-organizations", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "listMyOrganizations",
      summary: "List the organizations in which the caller is an active member",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Type.Literal(200),
          message: Type.String(),
          data: Type.Array(Membership),
        }),
      },
    },
    async handler({ sql, caller }) {
      const rows = await listMemberships(sql, caller)
      const data = rows.map(({ organizationId, lastLogin, ...row }) => ({
        ...row,
        _id: organizationId,
        isCurrent: organizationId === caller.organizationId,
        lastLogin: orNull(lastLogin, toT1),
      }))
      return { status: true as const, code: 200 as const, message: "Success", data }
    },
  })

  app.post("/auth/switch-organization", {
    config: { signedIn: true, scopedToken: "refused", idempotent: false },
    schema: {
      operationId: "switchOrganization",
      summary: "Switch the session to another organization; the presented token ends",
      body: Type.Object({ organizationId: Type.String({ minLength: 1, maxLength: 100 }) }),
      response: { 200: Type.Object({ ...LoginEnvelope.properties, status: Type.Literal(true) }) },
    },
    async handler(request, reply) {
      const { sql, caller, body, ip } = request
      const session = await inTransaction(sql, (tx) =>
        switchOrganization(tx, caller, body.organizationId, ip),
      )
      const envelope = await respondWithSession(app, request, reply, session)
      return { ...envelope, status: true as const }
    },
  })
}
