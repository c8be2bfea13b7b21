import type { Static } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database.ts"
import { type Id, newId } from "#core/ids.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { insertAccount } from "../accounts/index.ts"
import { findRole, type RoleRow } from "../roles/index.ts"
import { userErrors } from "./errors.ts"
import { findUser } from "./queries.ts"
import type { NewUserBody } from "./schemas.ts"
import type { UserRow } from "./wire.ts"

/**
 * Adds a person to the caller's organization. An e-mail that is new to the installation with a password
 * can sign in at once; one that has an account keeps its password and name, and the membership waits until
 * that person accepts it.
 */
export async function createUser(
  tx: Tx,
  caller: Caller,
  body: Static<typeof NewUserBody>,
  address?: string,
): Promise<{ user: UserRow; role: RoleRow }> {
  const role = await findRole(tx, caller, body.roleId)
  if (!role) throw userErrors.unknownRole()
  if (isOwnerRole(role) && !caller.isOwner) throw userErrors.ownerNeeded()
  await checkHubs(tx, caller, body.hubId)
  const account = await insertAccount(tx, { email: body.email, password: body.password })
  const isReady = account.isNew && body.password !== undefined
  const userId = newId<"user">()
  const made = await tx`
    insert into users (organization_id, id, account_id, email, name, phone_number, language, status, role_id)
    values (${caller.organizationId}, ${userId}, ${account.id}, ${account.email}, ${body.name.trim()},
      ${body.phoneNumber ?? null}, ${caller.language}, ${isReady ? "active" : "pending"}, ${role.id})
    on conflict (organization_id, account_id) do nothing returning id`
  if (made.length === 0) throw userErrors.alreadyMember()
  if (account.isNew)
    await tx`update accounts set origin_organization_id = ${caller.organizationId} where id = ${account.id}`
  await setHubs(tx, caller, userId, body.hubId)
  const user = await findUser(tx, caller, userId)
  if (!user) throw new Error("a user vanished in the transaction that made it")
  const after = { name: user.name, email: user.email, roleId: role.id, hubId: user.hubIds }
  await audit(tx, actorOf(caller, address), {
    action: "user.create",
    targetType: "user",
    targetId: userId,
    targetName: user.email,
    after,
  })
  return { user, role }
}

/** Every named hub must exist in the organization and be one of the caller's. */
export async function checkHubs(tx: Tx, caller: Caller, hubIds: readonly Id<"hub">[]): Promise<void> {
  const found = await tx<{ id: string }[]>`
    select id from hubs where organization_id = ${caller.organizationId} and id = any (${[...hubIds]})`
  const known = new Set(found.map((hub) => hub.id))
  const bad = hubIds.find((hubId) => !known.has(hubId) || !hasHub(caller, hubId))
  if (bad)
    throw userErrors.unknownHub({ fields: { hubId: [`${bad} does not exist or is not one of your hubs`] } })
}

export async function setHubs(
  tx: Tx,
  caller: Pick<Caller, "organizationId">,
  userId: string,
  hubIds: readonly string[],
): Promise<void> {
  await tx`
    delete from user_hubs where organization_id = ${caller.organizationId} and user_id = ${userId}
      and hub_id <> all (${hubIds as string[]})`
  await tx`
    insert into user_hubs (organization_id, user_id, hub_id)
    select ${caller.organizationId}, ${userId}, hub_id from unnest(${hubIds as string[]}::text[]) as wanted (hub_id)
    on conflict do nothing`
}
