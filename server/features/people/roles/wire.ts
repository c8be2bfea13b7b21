import type { PermissionDetail } from "#core/access/caller.ts"
import type { Id } from "#core/ids.ts"
import {
  effectivePermissions,
  type Permission,
  permissionCatalogue,
  permissionId,
  permissionNames,
} from "#core/permissions.ts"
import { toT2 } from "#shared/wire-time.ts"

export interface RoleRow {
  id: Id<"role">
  organizationId: Id<"organization">
  name: string
  isDefault: boolean
  permissionNames: string[]
  permissionDetails: PermissionDetail[]
  passwordPolicyId: string | null
  createdTime: Temporal.Instant
  updatedTime: Temporal.Instant
}

/** What the audit log says about a role. */
export function settingsOf(role: RoleRow) {
  return {
    name: role.name,
    permissions: role.permissionNames,
    permissionDetails: role.permissionDetails,
    passwordPolicyId: role.passwordPolicyId,
  }
}

export function toWireRole(row: RoleRow, options: { withPermissions?: boolean } = {}) {
  const granted = effectivePermissions(row)
  return {
    _id: row.id,
    organizationId: row.organizationId,
    name: row.name,
    isAdmin: row.isDefault && row.name === "owner",
    isDefault: row.isDefault,
    isDeleted: false,
    permissionList: [...granted].map(permissionId),
    permissionDetails: row.permissionDetails,
    ...(options.withPermissions ? { permissions: toWirePermissions(granted, row.permissionDetails) } : {}),
    passwordPolicyId: row.passwordPolicyId,
    createdTime: toT2(row.createdTime),
    updatedTime: toT2(row.updatedTime),
  }
}

/** The whole catalogue with what this role may, each with its settings. */
export function toWirePermissions(granted: ReadonlySet<Permission>, details: readonly PermissionDetail[]) {
  const settings = new Map(details.map(({ permissionName, ...meta }) => [permissionName, meta]))
  const entryOf = (name: string, module: string, menu: string, displayName: string) => ({
    _id: permissionId(name),
    name,
    module,
    menu,
    displayName,
    access: granted.has(name as Permission),
    meta: settings.get(name) ?? {},
  })
  const known = permissionNames.map((name) => {
    const { module, menu, label } = permissionCatalogue[name]
    return entryOf(name, module, menu, label)
  })
  const custom = [...granted].filter((name) => name.startsWith("view/custom/"))
  return [
    ...known,
    ...custom.map((name) =>
      entryOf(name, "customModule", "custom", `View ${name.slice("view/custom/".length)}`),
    ),
  ]
}
