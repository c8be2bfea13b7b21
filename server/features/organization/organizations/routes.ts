import { Type } from "typebox"
import { refusePersonalToken } from "#core/access/access.ts"
import { actsAsOwner } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { archiveRoutes, type ConfirmPassword } from "./archive-routes.ts"
import { type DeletionHook, deleteOrganization } from "./delete-organization.ts"
import { organizationErrors } from "./errors.ts"
import { findOrganization } from "./queries.ts"
import { OrganizationSchema } from "./schemas.ts"
import { checkOwn, type SettingHooks, SettingsBody, updateSettings } from "./settings.ts"
import { toWireOrganization } from "./wire.ts"

const OrganizationParams = Type.Object({ organizationId: IdSchema("organization") })
const OrganizationResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: OrganizationSchema,
})

export interface OrganizationHooks extends SettingHooks {
  onDeletion: readonly DeletionHook[]
  confirmPassword: ConfirmPassword
}

export function organizationRoutes(app: App, hooks: OrganizationHooks): void {
  archiveRoutes(app, hooks.confirmPassword)

  app.get("/organization/:organizationId", {
    config: { permission: "view/organization" },
    schema: {
      operationId: "getOrganization",
      summary: "Get the caller's organization",
      params: OrganizationParams,
      response: { 200: OrganizationResponse },
    },
    async handler({ sql, caller, params }) {
      if (params.organizationId.toLowerCase() !== caller.organizationId) throw organizationErrors.notFound()
      const organization = await findOrganization(sql, caller.organizationId)
      return { status: true as const, message: "Success", data: toWireOrganization(organization) }
    },
  })

  app.put("/organization/:organizationId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "updateOrganization",
      summary: "Change the name, country, language, currency, time zone or file settings",
      params: OrganizationParams,
      body: SettingsBody,
      response: { 200: OrganizationResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      checkOwn(caller, params.organizationId)
      const organization = await inTransaction(sql, (tx) => updateSettings(tx, caller, body, ip, hooks))
      return {
        status: true as const,
        message: "Organization has been updated",
        data: toWireOrganization(organization),
      }
    },
  })

  app.delete("/organization/:organizationId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteOrganization",
      summary: "Delete the organization and everything in it permanently",
      description:
        "Owners only, with their password. This cannot be undone. Create and download an archive first: archives are deleted too.",
      params: OrganizationParams,
      body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 1000 }) }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler(request) {
      const { sql, caller, params, body } = request
      if (params.organizationId.toLowerCase() !== caller.organizationId) throw organizationErrors.notFound()
      refusePersonalToken(caller, "org")
      if (!actsAsOwner(caller)) throw organizationErrors.ownersOnly()
      if (!(await hooks.confirmPassword(app.sql, caller, body.password)))
        throw organizationErrors.wrongPassword()
      await inTransaction(sql, (tx) => deleteOrganization(tx, caller.organizationId, hooks.onDeletion))
      return { status: true as const, message: "The organization has been deleted" }
    },
  })
}
