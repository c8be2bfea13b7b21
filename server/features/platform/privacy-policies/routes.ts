import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import { defineErrors } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import {
  findPrivacyPolicy,
  type PrivacyPolicyRow,
  removePrivacyPolicy,
  writePrivacyPolicy,
} from "./queries.ts"

export const privacyErrors = defineErrors("priv", {
  otherOrganization: [400, "032", "organizationId must be the organization that you are signed in to"],
  notFound: [404, "033", "This organization has no privacy policy"],
})

const Policy = Type.Object(
  {
    _id: IdSchema("privacy policy"),
    organizationId: IdSchema("organization"),
    description: Type.String(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "PrivacyPolicy" },
)
const Params = Type.Object({ organizationId: IdSchema("organization") })
const PolicyResponse = Type.Object({ status: Type.Literal(true), message: Type.String(), data: Policy })

/** One text per organization, which anybody may read: people see it before they have an account. */
export function privacyPolicyRoutes(app: App): void {
  app.get("/privacy-policy/:organizationId", {
    config: { public: true },
    schema: {
      operationId: "getPrivacyPolicy",
      summary: "Get the privacy policy of an organization",
      description: "With `optional`, `data` is null where there is none, instead of an error.",
      params: Params,
      querystring: Type.Object({ optional: Type.Optional(Type.Boolean()) }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Union([Policy, Type.Null()]),
        }),
      },
    },
    async handler({ sql, params, query }) {
      const policy = await findPrivacyPolicy(sql, params.organizationId)
      if (!policy && query.optional !== true) throw privacyErrors.notFound()
      return { status: true as const, message: "Success.", data: policy ? toWire(policy) : null }
    },
  })

  app.post("/privacy-policy", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "setPrivacyPolicy",
      summary: "Create or replace the privacy policy of the organization",
      body: Type.Object({
        organizationId: IdSchema("organization"),
        description: Type.String({ minLength: 1, maxLength: 1_000_000 }),
      }),
      response: { 200: PolicyResponse },
    },
    async handler({ sql, caller, body, ip }) {
      if (body.organizationId.toLowerCase() !== caller.organizationId) throw privacyErrors.otherOrganization()
      const row = await inTransaction(sql, async (tx) => {
        const written = await writePrivacyPolicy(tx, caller.organizationId, body.description)
        await audit(tx, actorOf(caller, ip), { action: "privacy-policy.write", targetType: "organization" })
        return written
      })
      return { status: true as const, message: "Data created", data: toWire(row) }
    },
  })

  app.delete("/privacy-policy/:organizationId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deletePrivacyPolicy",
      summary: "Delete the privacy policy of the organization",
      params: Params,
      response: { 200: PolicyResponse },
    },
    async handler({ sql, caller, params, ip }) {
      if (params.organizationId.toLowerCase() !== caller.organizationId) throw privacyErrors.notFound()
      const row = await inTransaction(sql, async (tx) => {
        const removed = await removePrivacyPolicy(tx, caller.organizationId)
        if (!removed) throw privacyErrors.notFound()
        await audit(tx, actorOf(caller, ip), { action: "privacy-policy.delete", targetType: "organization" })
        return removed
      })
      return { status: true as const, message: "Data deleted", data: toWire(row) }
    },
  })
}

function toWire(row: PrivacyPolicyRow) {
  return {
    _id: row.id,
    organizationId: row.organizationId,
    description: row.description,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
  }
}
