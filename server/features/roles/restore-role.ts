import { Type } from "typebox"
import { Value } from "typebox/value"
import { publish } from "#core/events/live-events.ts"
import { effectivePermissions } from "#core/permissions.ts"
import { type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { roleChanged } from "./events.ts"
import { mayGive } from "./permission-settings.ts"

const Content = Type.Object({ name: Type.String(), permission_names: Type.Array(Type.String()) })

/** Puts a deleted role back, by somebody who may give everything that it holds. */
export const roleRestorer: Restorer = {
  type: "Role",
  permission: "create/role",
  async restore(tx, caller, { sourceId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    const role = { name: content.name, isDefault: false, permissionNames: content.permission_names }
    if (!mayGive(caller, effectivePermissions(role))) throw trashErrors.forbidden()
    await restoreRows(tx, caller, "roles", [content as unknown as Record<string, unknown>])
    await publish(tx, live, roleChanged, {
      organizationId: caller.organizationId,
      content: { roleId: sourceId },
    })
  },
}
