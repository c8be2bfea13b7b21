import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { keptDays, readRetentionDays, writeRetentionDays } from "./settings.ts"
import { tenantOf } from "./store/people.ts"

const SettingsSchema = Type.Object(
  {
    retentionDays: Type.Integer({
      minimum: 1,
      maximum: keptDays,
      description: `Retention of positions in days; older positions are deleted. At most ${keptDays}`,
    }),
  },
  { title: "LocationSettings" },
)
const SettingsResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: SettingsSchema,
})

export function settingRoutes(app: App): void {
  app.get("/location-settings", {
    config: { anyOf: ["view/organization", "edit/organization"] },
    schema: {
      operationId: "getLocationSettings",
      summary: "Set the retention of positions",
      response: { 200: SettingsResponse },
    },
    handler: async ({ sql, caller }) => ({
      status: true as const,
      message: "Success",
      data: { retentionDays: await readRetentionDays(sql, tenantOf(caller)) },
    }),
  })

  app.put("/location-settings", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "updateLocationSettings",
      summary: "Set how long positions are kept",
      description:
        "A shorter retention hides older positions immediately and deletes them in the background.",
      body: SettingsSchema,
      response: { 200: SettingsResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const { retentionDays } = body
      await inTransaction(sql, async (tx) => {
        const before = await readRetentionDays(tx, tenantOf(caller))
        await writeRetentionDays(tx, tenantOf(caller), retentionDays)
        await audit(tx, actorOf(caller, ip), {
          action: "location-settings.update",
          targetType: "organization",
          targetId: caller.organizationId,
          before: { retentionDays: before },
          after: { retentionDays },
        })
      })
      return { status: true as const, message: "Settings have been updated", data: { retentionDays } }
    },
  })
}
