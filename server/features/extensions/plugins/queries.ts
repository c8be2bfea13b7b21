import type { Caller } from "#core/access/caller.ts"
import { databaseErrorOf, type Fragment, type Sql, type Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { containing } from "#core/list-rows.ts"
import type { PageOptions } from "#core/paging.ts"
import { pluginErrors } from "./errors.ts"
import type { PluginStatus } from "./schemas.ts"

export interface PluginRow {
  id: Id<"plugin">
  organizationId: Id<"organization">
  organizationName: string
  scope: "organization" | "system"
  name: string
  description: string
  resourceFile: string
  scriptKey: string
  iconKey: string | null
  /** Whether it is installed in the caller's organization. */
  isUsed: boolean
  /** What the script says it needs. */
  permissions: string[]
  /** What it was granted in the caller's organization. */
  grantedPermissions: string[]
  customModuleId: string | null
  status: PluginStatus
  createdBy: string
  updatedBy: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

export const sortColumns = {
  name: "name",
  createdTime: "created_time",
  updatedTime: "updated_time",
  // Uses are not counted: those in use come first.
  usageCount: "isUsed",
} as const

export interface PluginFilter {
  q?: string
  status?: PluginStatus
  sortBy?: keyof typeof sortColumns
  direction: "asc" | "desc"
}

function columns(sql: Sql, caller: Caller): Fragment {
  return sql`plugins.id, plugins.organization_id, organizations.name as organization_name, plugins.scope, plugins.name,
    plugins.description, plugins.resource_file, plugins.script_key, plugins.icon_key,
    installed.plugin_id is not null as is_used, plugins.permissions,
    coalesce(installed.granted_permissions, '{}') as granted_permissions,
    plugins.custom_module_id, plugins.status, plugins.created_by, plugins.updated_by, plugins.created_time, plugins.updated_time
    from plugins join organizations on organizations.id = plugins.organization_id
    left join plugin_installations installed
      on installed.organization_id = ${caller.organizationId} and installed.plugin_id = plugins.id`
}

/** The organization's own plugins and the global ones. */
export async function listPlugins(
  sql: Sql,
  caller: Caller,
  filter: PluginFilter,
  page: PageOptions,
): Promise<{ rows: PluginRow[]; total: number }> {
  const part = filter.q === undefined ? undefined : containing(filter.q)
  const where = sql`(plugins.organization_id = ${caller.organizationId} or plugins.scope = 'system')
    ${part === undefined ? sql`` : sql`and (plugins.name ilike ${part} or plugins.description ilike ${part})`}
    ${filter.status === undefined ? sql`` : sql`and plugins.status = ${filter.status}`}`
  const wanted = sortColumns[filter.sortBy ?? "createdTime"]
  const column = wanted === "isUsed" ? sql`installed.plugin_id is not null` : sql(`plugins.${wanted}`)
  const direction = filter.direction === "asc" ? sql`asc` : sql`desc`
  const rows = await sql<PluginRow[]>`
    select ${columns(sql, caller)} where ${where}
    order by ${column} ${direction}, plugins.id ${direction} limit ${page.limit} offset ${page.offset}`
  const [counted] = await sql<{ total: number }[]>`select count(*) as total from plugins where ${where}`
  return { rows, total: counted?.total ?? 0 }
}

/** A foreign plugin is 403 here, not 404: the wire says so. Global ones are read by all and changed by nobody. */
export async function findPlugin(
  sql: Sql,
  caller: Caller,
  pluginId: string,
  options: "read" | "write",
): Promise<PluginRow> {
  const [row] = await sql<
    PluginRow[]
  >`select ${columns(sql, caller)} where plugins.id = ${pluginId.toLowerCase()}`
  if (!row) throw pluginErrors.notFound()
  if (row.scope === "system" && options === "read") return row
  if (row.organizationId !== caller.organizationId || row.scope === "system") throw pluginErrors.forbidden()
  return row
}

export async function isNameTaken(sql: Sql, caller: Caller, name: string): Promise<boolean> {
  const rows = await sql`
    select 1 from plugins where organization_id = ${caller.organizationId} and lower(name) = lower(${name})`
  return rows.length > 0
}

export async function checkModule(
  sql: Sql,
  caller: Caller,
  moduleId: string | null | undefined,
): Promise<void> {
  if (!moduleId) return
  const rows = await sql`
    select 1 from custom_modules where organization_id = ${caller.organizationId} and id = ${moduleId.toLowerCase()}`
  if (rows.length === 0) throw pluginErrors.badModule({ fields: { customModuleId: ["does not exist"] } })
}

export type PluginInsert = Omit<
  PluginRow,
  "organizationName" | "scope" | "isUsed" | "grantedPermissions" | "updatedBy" | "updatedTime"
>

export async function insertPlugin(tx: Tx, row: PluginInsert): Promise<void> {
  await tx`
    insert into plugins (organization_id, id, name, description, resource_file, script_key, icon_key,
      permissions, custom_module_id, status, created_by, created_time, updated_time)
    values (${row.organizationId}, ${row.id}, ${row.name}, ${row.description}, ${row.resourceFile}, ${row.scriptKey},
      ${row.iconKey}, ${row.permissions}, ${row.customModuleId}, ${row.status}, ${row.createdBy}, ${row.createdTime}, ${row.createdTime})`
}

export type PluginChange = Pick<PluginRow, "name" | "description" | "customModuleId" | "status">

export async function updatePlugin(
  tx: Tx,
  caller: Caller,
  pluginId: string,
  change: PluginChange,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update plugins set name = ${change.name}, description = ${change.description},
      custom_module_id = ${change.customModuleId}, status = ${change.status}, updated_by = ${caller.email},
      updated_time = ${now}
    where organization_id = ${caller.organizationId} and id = ${pluginId}`
}

export async function removePlugin(tx: Tx, caller: Caller, pluginId: string): Promise<void> {
  await tx`delete from plugins where organization_id = ${caller.organizationId} and id = ${pluginId}`
}

/** Two uploads of one name at once: the later one gets the refusal of a taken name. */
export async function refuseTaken(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "plugins_name")
      throw pluginErrors.nameTaken({ cause: error, fields: { name: ["is taken"] } })
    throw error
  }
}
