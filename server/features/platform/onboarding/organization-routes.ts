import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { OrganizationSchema, toWireOrganization } from "../../organization/organizations/index.ts"
import { createAnotherOrganization, NewOrganizationBody } from "./create-another-organization.ts"

/** Another organization of somebody who is signed in. */
export function newOrganizationRoutes(app: App): void {
  app.post("/auth/create-organization", {
    config: { permission: "create/organization" },
    schema: {
      operationId: "createOrganization",
      summary: "Create another organization, optionally with a copy of settings, hubs, roles and flows",
      body: NewOrganizationBody,
      response: {
        201: Type.Object({
          status: Type.Literal(true),
          code: Type.Literal(201),
          message: Type.String(),
          data: OrganizationSchema,
          copied: Type.Object({
            settings: Type.Integer(),
            hubs: Type.Integer(),
            roles: Type.Integer(),
            flows: Type.Integer(),
          }),
        }),
      },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const context = { live: app.live, address: ip }
      const made = await inTransaction(sql, (tx) => createAnotherOrganization(tx, caller, body, context))
      reply.code(201)
      const data = toWireOrganization(made.organization)
      const message = "Organization has been created"
      return { status: true as const, code: 201 as const, message, data, copied: made.copied }
    },
  })
}
