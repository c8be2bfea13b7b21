import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database.ts"
import { newId } from "#core/ids.ts"
import { permissionNameOf } from "#core/permissions.ts"
import { roleErrors } from "./errors.ts"
import { insertRole } from "./queries.ts"
import type { RoleBody } from "./schemas.ts"
import type { RoleRow } from "./wire.ts"

export async function createRole(
  tx: Tx,
  caller: Caller,
  body: Static<typeof RoleBody>,
  address?: string,
): Promise<RoleRow> {
  const role = await insertRole(tx, caller, {
    id: newId<"role">(),
    name: body.name.trim(),
    permissionNames: readPermissions(body.permissionList),
    permissionDetails: body.permissionDetails ?? [],
    passwordPolicyId: body.passwordPolicyId ?? null,
  })
  if (!role) throw roleErrors.nameTaken()
  const after = {
    name: role.name,
    permissions: role.permissionNames,
    permissionDetails: role.permissionDetails,
  }
  await audit(tx, actorOf(caller, address), {
    action: "role.create",
    targetType: "role",
    targetId: role.id,
    targetName: role.name,
    after,
  })
  return role
}

/** Names of the wished permissions, given by id or name. Refuses what is not in the catalogue. */
export function readPermissions(list: readonly string[]): string[] {
  const names = list.map((idOrName) => {
    const name = permissionNameOf(idOrName)
    if (!name) throw roleErrors.unknownPermission({ message: `There is no permission ${idOrName}` })
    return name
  })
  return [...new Set(names)]
}
