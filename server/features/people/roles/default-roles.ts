import { json, type Tx } from "#core/database/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { type Permission, permissionNames, switchPermissions } from "#core/permissions.ts"

export const defaultRoleNames = ["owner", "admin", "planner", "field user"] as const
export type DefaultRoleName = (typeof defaultRoleNames)[number]

const everything: Permission[] = permissionNames.filter((name) => !switchPermissions.has(name))

const planner: Permission[] = [
  "view/dashboard",
  "view/tracking",
  "view/task",
  "add/task",
  "edit/task",
  "assign/task",
  "move/task",
  "export/task",
  "do/task",
  "view/gallery",
  "view/schedule",
  "add/schedule",
  "edit/schedule",
  "delete/schedule",
  "view/vehicle",
  "add/vehicle",
  "edit/vehicle",
  "delete/vehicle",
  "view/result",
  "edit/result",
  "delete/result",
  "dispatch/result",
  "route-optimization",
  "view/configuration",
  "edit/configuration",
  "edit/constraint",
  "view/data",
  "add/data",
  "edit/data",
  "view/dataType",
  "view/flow",
  "view/hub",
  "view/user",
  "view/team",
  "import/data",
  "view/exportConfig",
  "add/exportConfig",
  "edit/exportConfig",
  "delete/exportConfig",
  "token/manage-token",
]

const fieldUser: Permission[] = [
  "view/task",
  "view/task/only-me",
  "do/task",
  "view/hub",
  "view/flow",
  "view/data",
  "token/manage-token",
]

/** What each default role starts with. Owner and admin have everything anyway; see effectivePermissions. */
export const defaultRolePermissions: Record<DefaultRoleName, readonly Permission[]> = {
  owner: everything,
  admin: everything,
  planner,
  "field user": fieldUser,
}

/** The four roles that every organization has, from the standard templates. */
export async function insertDefaultRoles(
  tx: Tx,
  organizationId: string,
): Promise<Record<DefaultRoleName, Id<"role">>> {
  const ids = {} as Record<DefaultRoleName, Id<"role">>
  for (const name of defaultRoleNames) {
    ids[name] = newId<"role">()
    await tx`
      insert into roles (organization_id, id, name, is_default, permission_names, permission_details)
      values (${organizationId}, ${ids[name]}, ${name}, true, ${[...defaultRolePermissions[name]]}, ${json(tx, [])})`
  }
  return ids
}
