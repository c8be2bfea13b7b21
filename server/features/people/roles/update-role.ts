import type { Static } from "typebox"
import { actsAsOwner, type Caller, may } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { databaseErrorOf, json, type Tx } from "#core/database/database.ts"
import { isOwnerRole, type Permission, switchPermissions } from "#core/permissions.ts"
import { readLine } from "#core/plain-text.ts"
import { moveToTrash } from "#core/trash.ts"
import { roleErrors } from "./errors.ts"
import {
  checkPolicy,
  type FindFlow,
  grantOf,
  holds,
  type RoleContext,
  readDetails,
  readPermissions,
} from "./permission-settings.ts"
import { lockRole } from "./queries.ts"
import type { RoleBody } from "./schemas.ts"
import { type RoleRow, settingsOf } from "./wire.ts"

/**
 * Changes a role: name and password policy with edit/role, permissions with edit/permission. The owner role
 * keeps everything but its switches and its policy. Nobody changes a role that holds what they lack or that they have
 * themselves, and only owners remove a switch: it restricts the holders of the role or protects their sign-in.
 */
export async function updateRole(
  tx: Tx,
  caller: Caller,
  roleId: string,
  body: Static<typeof RoleBody>,
  { address, findFlow }: RoleContext,
): Promise<RoleRow> {
  const before = await lockRole(tx, caller, roleId)
  if (!before) throw roleErrors.notFound()
  if (isOwnerRole(before) && !actsAsOwner(caller)) throw roleErrors.ownerFixed()
  if (before.id === caller.roleId && !actsAsOwner(caller)) throw roleErrors.notYours()
  const options = await readOptions(tx, caller, before, body, findFlow)
  checkRights(caller, before, options)
  try {
    await tx.savepoint(
      (point) => point`
      update roles set name = ${options.name}, permission_names = ${options.permissionNames},
        permission_details = ${json(point, options.permissionDetails)}, password_policy_id = ${options.passwordPolicyId},
        updated_time = now()
      where organization_id = ${caller.organizationId} and id = ${before.id}`,
    )
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "roles_name") throw roleErrors.nameTaken({ cause: error })
    throw error
  }
  const after = await lockRole(tx, caller, before.id)
  if (!after) throw new Error("a role vanished in the transaction that changed it")
  await audit(tx, actorOf(caller, address), {
    action: "role.update",
    targetType: "role",
    targetId: after.id,
    targetName: after.name,
    before: settingsOf(before),
    after: settingsOf(after),
  })
  return after
}

type Options = Pick<RoleRow, "name" | "permissionDetails" | "passwordPolicyId"> & {
  permissionNames: Permission[]
}

async function readOptions(
  tx: Tx,
  caller: Caller,
  before: RoleRow,
  body: Static<typeof RoleBody>,
  findFlow: FindFlow,
): Promise<Options> {
  const passwordPolicyId =
    body.passwordPolicyId === undefined
      ? before.passwordPolicyId
      : (body.passwordPolicyId?.toLowerCase() ?? null)
  if (passwordPolicyId !== before.passwordPolicyId) await checkPolicy(tx, caller, passwordPolicyId)
  return {
    name: readLine(body.name, "role", "name"),
    permissionNames: body.permissionList
      ? await readPermissions(tx, caller.organizationId, body.permissionList)
      : (before.permissionNames as Permission[]),
    permissionDetails: body.permissionDetails
      ? await readDetails(tx, caller, body.permissionDetails, findFlow)
      : before.permissionDetails,
    passwordPolicyId,
  }
}

function checkRights(caller: Caller, before: RoleRow, options: Options): void {
  const had = new Set(before.permissionNames as Permission[])
  const has = new Set(options.permissionNames)
  const changed = [...had.symmetricDifference(has)]
  const isRenamed = options.name.toLowerCase() !== before.name.toLowerCase()
  if (before.isDefault && isRenamed && ["owner", "admin"].includes(before.name)) throw roleErrors.ownerName()
  if (isOwnerRole(before)) {
    const isSwitch = (name: string) => switchPermissions.has(name as Permission)
    const otherDetails = (role: Pick<RoleRow, "permissionDetails">) =>
      JSON.stringify(role.permissionDetails.filter((detail) => !isSwitch(detail.permissionName)))
    if (!changed.every(isSwitch) || otherDetails(before) !== otherDetails(options))
      throw roleErrors.ownerFixed()
    return
  }
  const after = { ...before, ...options }
  if (!holds(caller, grantOf(before)) || !holds(caller, grantOf(after))) throw roleErrors.notYours()
  const removed = [...had.difference(has)].find((name) => switchPermissions.has(name))
  if (removed && !actsAsOwner(caller))
    throw roleErrors.switchKept({ message: `Only an owner can remove ${removed}` })
  const changesDetails =
    JSON.stringify(before.permissionDetails) !== JSON.stringify(options.permissionDetails)
  if ((changed.length > 0 || changesDetails) && !may(caller, "edit/permission"))
    throw roleErrors.notYours({ message: "Changing a role's permissions requires edit/permission" })
  if (
    (options.name !== before.name || options.passwordPolicyId !== before.passwordPolicyId) &&
    !may(caller, "edit/role")
  )
    throw roleErrors.notYours({ message: "Changing a role's name or password policy requires edit/role" })
}

/** Moves a custom role without members to the trash. */
export async function deleteRole(tx: Tx, caller: Caller, roleId: string, address: string): Promise<RoleRow> {
  const role = await lockRole(tx, caller, roleId)
  if (!role) throw roleErrors.notFound()
  if (role.isDefault) throw roleErrors.defaultKept()
  if (!holds(caller, grantOf(role))) throw roleErrors.notYours()
  const holders = await tx`
    select 1 from users where organization_id = ${caller.organizationId} and role_id = ${role.id} limit 1`
  if (holders.length > 0) throw roleErrors.inUse()
  const kept = await tx<{ content: unknown }[]>`
    select to_jsonb(roles) as content from roles where organization_id = ${caller.organizationId} and id = ${role.id}`
  await moveToTrash(tx, caller, [
    { type: "Role", name: role.name, sourceId: role.id, content: kept[0]?.content },
  ])
  await tx`delete from roles where organization_id = ${caller.organizationId} and id = ${role.id}`
  await audit(tx, actorOf(caller, address), {
    action: "role.delete",
    targetType: "role",
    targetId: role.id,
    targetName: role.name,
    before: settingsOf(role),
  })
  return role
}
