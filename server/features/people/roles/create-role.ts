import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { readLine } from "#core/plain-text.ts"
import { roleErrors } from "./errors.ts"
import { checkPolicy, holds, type RoleContext, readDetails, readPermissions } from "./permission-settings.ts"
import { insertRole } from "./queries.ts"
import type { RoleBody } from "./schemas.ts"
import { type RoleRow, settingsOf } from "./wire.ts"

/** Makes a custom role. Nobody grants a permission that they do not have. */
export async function createRole(
  tx: Tx,
  caller: Caller,
  body: Static<typeof RoleBody>,
  { address, findFlow }: RoleContext,
): Promise<RoleRow> {
  const permissionNames = await readPermissions(tx, caller.organizationId, body.permissionList ?? [])
  const permissionDetails = await readDetails(tx, caller, body.permissionDetails ?? [], findFlow)
  if (!holds(caller, { permissions: new Set(permissionNames), permissionDetails }))
    throw roleErrors.notYours()
  const passwordPolicyId = body.passwordPolicyId?.toLowerCase() ?? null
  await checkPolicy(tx, caller, passwordPolicyId)
  const role = await insertRole(tx, caller, {
    id: newId<"role">(),
    name: readLine(body.name, "role", "name"),
    permissionNames,
    permissionDetails,
    passwordPolicyId,
  })
  if (!role) throw roleErrors.nameTaken()
  await audit(tx, actorOf(caller, address), {
    action: "role.create",
    targetType: "role",
    targetId: role.id,
    targetName: role.name,
    after: settingsOf(role),
  })
  return role
}
