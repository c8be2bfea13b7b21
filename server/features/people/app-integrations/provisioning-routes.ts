import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { checkProvisioning, type Provisioning, ProvisioningSchema, tidyProvisioning } from "./provisioning.ts"
import { findIntegration, type IntegrationRow, writeProvisioning } from "./queries.ts"
import { IntegrationSchema, integrationResponse } from "./schemas.ts"
import { toWireIntegration } from "./wire.ts"

const Params = Type.Object({ appIntegrationId: IdSchema("app-integration") })

/** Who becomes a member by signing in with a connection, and what groups of its provider give (docs/members-from-sign-in.md). */
export function provisioningRoutes(app: App): void {
  const responseOf = (message: string, row: IntegrationRow) => ({
    status: true as const,
    code: 200,
    message,
    data: toWireIntegration(row, app.links, app.settings.publicUrl),
  })

  app.put("/app-integration/:appIntegrationId/provisioning", {
    config: { permission: "edit/integration" },
    schema: {
      operationId: "setSignInProvisioning",
      summary: "Make people members at their first sign-in, and map groups to roles, hubs and teams",
      description: "Needs `invite` and `edit/member`, and all permissions of the named roles.",
      params: Params,
      body: ProvisioningSchema,
      response: { 200: integrationResponse(IntegrationSchema) },
    },
    handler: async ({ sql, caller, params, body, ip }) =>
      inTransaction(sql, async (tx) => {
        const before = await findIntegration(tx, caller, params.appIntegrationId)
        const settings: Provisioning = tidyProvisioning(body)
        await checkProvisioning(tx, caller, settings)
        const row = await writeProvisioning(tx, caller, before.id, settings)
        await audit(tx, actorOf(caller, ip), {
          action: "app-integration.update",
          targetType: "app-integration",
          targetId: before.id,
          targetName: before.name,
        })
        return responseOf("Integration updated", row)
      }),
  })

  app.delete("/app-integration/:appIntegrationId/provisioning", {
    config: { permission: "edit/integration" },
    schema: {
      operationId: "removeSignInProvisioning",
      summary: "Sign in existing members only, and read no groups; people stay as they are",
      params: Params,
      response: { 200: integrationResponse(IntegrationSchema) },
    },
    handler: async ({ sql, caller, params, ip }) =>
      inTransaction(sql, async (tx) => {
        const before = await findIntegration(tx, caller, params.appIntegrationId)
        const row = await writeProvisioning(tx, caller, before.id, null)
        await audit(tx, actorOf(caller, ip), {
          action: "app-integration.update",
          targetType: "app-integration",
          targetId: before.id,
          targetName: before.name,
        })
        return responseOf("Integration updated", row)
      }),
  })
}
