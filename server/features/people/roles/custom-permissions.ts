import type { Sql, Tx } from "#core/database/database.ts"
import { type Permission, permissionId } from "#core/permissions.ts"

/** A permission that a custom module of an organization brings: seeing that module. */
export interface CustomPermission {
  name: Permission
  /** The module's name as people see it. */
  moduleName: string
}

export function listCustomPermissions(sql: Sql, organizationId: string): Promise<CustomPermission[]> {
  return sql<CustomPermission[]>`
    select name, module_name from custom_permissions where organization_id = ${organizationId} order by module_name`
}

/** Adds the permission "View <module>". Owner and admin have it like every other one that is granted to them. */
export async function addCustomPermission(
  tx: Tx,
  organizationId: string,
  module: { label: string; name: string },
): Promise<void> {
  const name = `view/custom/${module.label}`
  await tx`
    insert into custom_permissions (organization_id, name, module_name) values (${organizationId}, ${name}, ${module.name})
    on conflict (organization_id, name) do update set module_name = excluded.module_name`
  await tx`
    update roles set permission_names = array_append(permission_names, ${name}), updated_time = now()
    where organization_id = ${organizationId} and is_default and name in ('owner', 'admin')
      and not ${name} = any (permission_names)`
}

/** Gives the permission of a module its new label; the roles that have it keep it. */
export async function renameCustomPermission(
  tx: Tx,
  organizationId: string,
  labels: { from: string; to: string },
): Promise<void> {
  const [from, to] = [`view/custom/${labels.from}`, `view/custom/${labels.to}`]
  await tx`
    update custom_permissions set name = ${to} where organization_id = ${organizationId} and name = ${from}`
  await tx`
    update roles set permission_names = array_replace(permission_names, ${from}, ${to}), updated_time = now()
    where organization_id = ${organizationId} and ${from} = any (permission_names)`
}

/** Takes the permission of a deleted module from all roles. */
export async function removeCustomPermission(tx: Tx, organizationId: string, label: string): Promise<void> {
  const name = `view/custom/${label}`
  await tx`delete from custom_permissions where organization_id = ${organizationId} and name = ${name}`
  await tx`
    update roles set permission_names = array_remove(permission_names, ${name}), updated_time = now()
    where organization_id = ${organizationId} and ${name} = any (permission_names)`
}

export function customPermissionOf(
  idOrName: string,
  custom: readonly CustomPermission[],
): Permission | undefined {
  return custom.find(({ name }) => name === idOrName || permissionId(name) === idOrName.toLowerCase())?.name
}
