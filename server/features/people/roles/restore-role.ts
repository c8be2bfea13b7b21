import { Type } from "typebox"
import { Value } from "typebox/value"
import { publish } from "#core/events/publish.ts"
import { type Restorer, restoreRows, showRows, trashErrors } from "#core/trash.ts"
import { grantOf, holds } from "./permission-settings.ts"
import { roleColumns } from "./queries.ts"
import { PermissionDetailSchema } from "./schemas.ts"
import { type RoleRow, toWireRole } from "./wire.ts"

const Content = Type.Object({
  name: Type.String(),
  permission_names: Type.Array(Type.String()),
  permission_details: Type.Array(PermissionDetailSchema),
})

/** Puts a deleted role back, by somebody who may give everything that it holds. */
export const roleRestorer: Restorer = {
  type: "Role",
  dataType: "roles",
  viewPermission: "view/role",
  permission: "create/role",
  show: showRows<RoleRow>("roles", roleColumns, (row) => toWireRole(row, { withPermissions: true })),
  async restore(tx, caller, { sourceId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    const { name, permission_names: permissionNames, permission_details: permissionDetails } = content
    const grant = grantOf({ name, isDefault: false, permissionNames, permissionDetails })
    if (!holds(caller, grant)) throw trashErrors.forbidden()
    await restoreRows(tx, caller, "roles", [{ ...content }])
    await publish(tx, live, "role.changed", {
      organizationId: caller.organizationId,
      content: { roleId: sourceId },
    })
  },
}
