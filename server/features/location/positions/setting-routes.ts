import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { invalidateSettings, keptDays, readSettings, writeSettings } from "./settings.ts"

const retentionDays = Type.Integer({
  minimum: 1,
  maximum: keptDays,
  description: `Retention of positions in days; older positions are deleted. At most ${keptDays}`,
})
const onlyDuringSessions = Type.Boolean({
  description:
    "Whether positions outside of working sessions are refused with `lochi-046`, except those of people whose role has `position/always`",
})
const SettingsSchema = Type.Object({ retentionDays, onlyDuringSessions }, { title: "LocationSettings" })
const SettingsInput = Type.Object(
  { retentionDays, onlyDuringSessions: Type.Optional(onlyDuringSessions) },
  { title: "LocationSettingsInput" },
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
      summary: "Get which positions are kept, and how long",
      response: { 200: SettingsResponse },
    },
    handler: async ({ sql, caller }) => ({
      status: true as const,
      message: "Success",
      data: await readSettings(sql, caller),
    }),
  })

  app.put("/location-settings", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "updateLocationSettings",
      summary: "Set which positions are kept, and how long",
      description:
        "A shorter retention hides older positions immediately and deletes them in the background. Other changes take effect within seconds.",
      body: SettingsInput,
      response: { 200: SettingsResponse },
    },
    async handler({ sql, caller, body, ip }) {
      const data = await inTransaction(sql, async (tx) => {
        const before = await readSettings(tx, caller)
        const after = { ...before, ...body }
        await writeSettings(tx, caller, after)
        await audit(tx, actorOf(caller, ip), {
          action: "location-settings.update",
          targetType: "organization",
          targetId: caller.organizationId,
          before: { ...before },
          after: { ...after },
        })
        return after
      })
      invalidateSettings(app.sql, caller)
      return { status: true as const, message: "Settings have been updated", data }
    },
  })
}
