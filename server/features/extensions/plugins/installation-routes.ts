import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import type { Permission } from "#core/permissions.ts"
import { pluginErrors } from "./errors.ts"
import { frameUrl } from "./frame-routes.ts"
import { install, listRunningPlugins, uninstall } from "./installations.ts"
import { findPlugin } from "./queries.ts"
import { PluginResponse, RunningPluginsResponse } from "./schemas.ts"
import { toWirePlugin } from "./wire.ts"

/** Which plugins run, and what they may. */
export function installationRoutes(app: App): void {
  app.get("/plugins/running", {
    config: { signedIn: true, scopedToken: "refused" },
    schema: {
      operationId: "listRunningPlugins",
      summary: "List the plugins that run in the console, with the data that each can read on your behalf",
      response: { 200: RunningPluginsResponse },
    },
    async handler({ sql, caller }) {
      const now = app.clock.now()
      const data = (await listRunningPlugins(sql, caller.organizationId)).map((row) => ({
        id: row.id,
        name: row.name,
        icon: row.iconKey && app.links.sign(row.iconKey, now),
        customModuleId: row.customModuleId,
        permissions: row.grantedPermissions.filter((name) => caller.permissions.has(name as Permission)),
        frameUrl: frameUrl(app.links, { organizationId: caller.organizationId, pluginId: row.id }, now),
      }))
      return { status: true as const, message: "Success.", data }
    },
  })

  app.put("/plugin/:pluginId/installation", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "installPlugin",
      summary: "Enable a plugin in your organization and grant it some of the permissions that it requests",
      params: Type.Object({ pluginId: IdSchema("plugin") }),
      body: Type.Object({
        isUsed: Type.Boolean({ description: "false disables the plugin immediately for all users" }),
        grantedPermissions: Type.Optional(Type.Array(Type.String(), { maxItems: 200 })),
      }),
      response: { 200: PluginResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const plugin = await findPlugin(sql, caller, params.pluginId, "read")
      const granted = body.isUsed ? [...new Set(body.grantedPermissions ?? plugin.grantedPermissions)] : []
      const excess = granted.find((name) => !plugin.permissions.includes(name))
      if (excess !== undefined)
        throw pluginErrors.badGrant({
          fields: { grantedPermissions: [`${excess} is not requested by the plugin`] },
        })
      await inTransaction(sql, async (tx) => {
        if (body.isUsed) await install(tx, caller, plugin, { granted, now: app.clock.now() })
        else await uninstall(tx, caller, plugin.id)
        await audit(tx, actorOf(caller, ip), {
          action: body.isUsed ? "plugin.install" : "plugin.uninstall",
          targetType: "plugin",
          targetId: plugin.id,
          targetName: plugin.name,
        })
        const { organizationId } = caller
        await publish(tx, app.live, "plugin.changed", { organizationId, content: { pluginId: plugin.id } })
      })
      const row = await findPlugin(sql, caller, plugin.id, "read")
      const message = body.isUsed ? "Plugin enabled" : "Plugin disabled"
      return { status: true as const, message, data: toWirePlugin(row, app.links, app.clock.now()) }
    },
  })
}
