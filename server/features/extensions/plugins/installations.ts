import type { Caller } from "#core/access/caller.ts"
import type { Sql, Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import type { PluginRow } from "./queries.ts"

/** A plugin that runs: installed in the organization, and active. */
export interface RunningPlugin {
  id: Id<"plugin">
  name: string
  iconKey: string | null
  scriptKey: string
  customModuleId: string | null
  grantedPermissions: string[]
}

/** Those of one organization, by name; with an id at most that one. */
export async function listRunningPlugins(
  sql: Sql,
  organizationId: string,
  pluginId?: string,
): Promise<RunningPlugin[]> {
  return sql<RunningPlugin[]>`
    select plugins.id, plugins.name, plugins.icon_key, plugins.script_key, plugins.custom_module_id,
      installed.granted_permissions
    from plugin_installations installed
    join plugins on plugins.organization_id = installed.plugin_organization_id and plugins.id = installed.plugin_id
    where installed.organization_id = ${organizationId} and plugins.status = 'active'
      and (plugins.scope = 'system' or plugins.organization_id = installed.organization_id)
      ${pluginId === undefined ? sql`` : sql`and plugins.id = ${pluginId}`}
    order by plugins.name, plugins.id`
}

/** Installs a plugin with these permissions, or changes what an installed one was granted. */
export async function install(
  tx: Tx,
  caller: Caller,
  plugin: PluginRow,
  { granted, now }: { granted: readonly string[]; now: Temporal.Instant },
): Promise<void> {
  await tx`
    insert into plugin_installations
      (organization_id, plugin_id, plugin_organization_id, granted_permissions, created_by, created_time)
    values (${caller.organizationId}, ${plugin.id}, ${plugin.organizationId}, ${[...granted]}, ${caller.email}, ${now})
    on conflict (organization_id, plugin_id) do update set granted_permissions = excluded.granted_permissions`
}

export async function uninstall(tx: Tx, caller: Caller, pluginId: string): Promise<void> {
  await tx`
    delete from plugin_installations
    where organization_id = ${caller.organizationId} and plugin_id = ${pluginId}`
}
