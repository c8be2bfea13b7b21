import type { Static } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import { coreErrors } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { isOwnerRole } from "#core/permissions.ts"
import { readName } from "#core/plain-text.ts"
import { type AccessHook, endAccessOfMembers, normalizeEmail } from "../accounts/index.ts"
import { findRole, lockRole, type RoleRow } from "../roles/index.ts"
import { changeEmail } from "./change-email.ts"
import { settingsOf } from "./create-user.ts"
import { userErrors } from "./errors.ts"
import { announceUser } from "./events.ts"
import { checkGivenTeams, checkHubs, checkTeams, setHubs, setTeams } from "./places.ts"
import { findUser, findVisibleUser, lockUsers } from "./queries.ts"
import { checkChange, readPhone } from "./rules.ts"
import type { PatchUserBody } from "./schemas.ts"
import type { UserRow } from "./wire.ts"

/** Moves what is kept under a person's e-mail to their new one, in one organization. */
export type EmailHook = (tx: Tx, organizationId: string, from: string, to: string) => Promise<void>

export interface UpdateContext {
  address: string
  live: LiveEvents
  hooks: { onEmailChange: readonly EmailHook[]; onAccessEnd: readonly AccessHook[] }
}

/**
 * Changes a member; only keys that are given change. Disabling ends sessions and tokens for good. Changing the
 * hubs clears the teams unless teams are given too.
 */
export async function updateUser(
  tx: Tx,
  caller: Caller,
  userId: string,
  body: Static<typeof PatchUserBody>,
  context: UpdateContext,
): Promise<{ user: UserRow; role: RoleRow }> {
  await lockUsers(tx, caller, [caller.userId, userId])
  const before = await findVisibleUser(tx, caller, { id: userId })
  if (!before) throw userErrors.notFound()
  await refuseGoneCaller(tx, caller)
  const oldRole = await findRole(tx, caller, before.roleId)
  const role = body.roleId === undefined ? oldRole : await lockRole(tx, caller, body.roleId, "use")
  if (!role || !oldRole) throw userErrors.unknownRole()
  const changesEmail = body.email !== undefined && normalizeEmail(body.email) !== before.email
  checkChange(caller, before, oldRole, { role, status: body.status, changesEmail })
  await changePlaces(tx, caller, before, role, body)
  if (body.email !== undefined)
    await changeEmail(tx, caller, before, body.email, "administrator", context.hooks.onEmailChange)
  const status = body.status ?? before.status
  const phone = readPhone(body.phoneNumber)
  await tx`
    update users set name = ${body.name === undefined ? before.name : readName(body.name, "user", "name")},
      phone_number = ${phone === undefined ? before.phoneNumber : phone}, role_id = ${role.id}, status = ${status}, updated_time = now()
    where organization_id = ${caller.organizationId} and id = ${before.id}`
  if (status === "disabled" && before.status !== "disabled")
    await endAccessOfMembers(
      tx,
      [{ organizationId: caller.organizationId, userId: before.id }],
      context.hooks,
    )
  const user = await findUser(tx, caller, before.id)
  if (!user) throw new Error("a user vanished in the transaction that changed it")
  const action =
    status === before.status ? "user.update" : status === "disabled" ? "user.disable" : "user.enable"
  await audit(tx, actorOf(caller, context.address), {
    action,
    targetType: "user",
    targetId: user.id,
    targetName: user.email,
    before: settingsOf(before),
    after: settingsOf(user),
  })
  await announceUser(tx, context.live, "user.updated", user)
  return { user, role }
}

/** Two people who change each other at once: the second one finds that they may no longer. */
export async function refuseGoneCaller(tx: Tx, caller: Caller): Promise<void> {
  // Nobody stands behind a directory.
  if (caller.userId === "") return
  const rows = await tx`
    select 1 from users where organization_id = ${caller.organizationId} and id = ${caller.userId}
      and status = 'active' and role_id = ${caller.roleId}`
  if (rows.length === 0) throw coreErrors.unauthenticated()
}

async function changePlaces(
  tx: Tx,
  caller: Caller,
  before: UserRow,
  role: RoleRow,
  body: Static<typeof PatchUserBody>,
): Promise<void> {
  let hubIds: string[] = before.hubIds
  let hasMoved = false
  if (body.hubId !== undefined) {
    const requested = new Set(body.hubId.map((id) => id.toLowerCase()))
    const had = new Set<string>(before.hubIds)
    await checkHubs(tx, caller, [...requested.difference(had)])
    const kept = [...had.difference(requested)].filter((id) => !hasHub(caller, id))
    hubIds = [...requested, ...kept]
    hasMoved = had.symmetricDifference(new Set(hubIds)).size > 0
    if (hasMoved) await setHubs(tx, caller, before.id, hubIds)
  }
  const teamIds =
    body.teamId !== undefined
      ? await checkTeams(tx, caller, body.teamId, isOwnerRole(role) ? "all" : hubIds)
      : hasMoved
        ? []
        : undefined
  if (teamIds === undefined) return
  checkGivenTeams(caller, { had: before.teamIds, has: teamIds })
  await setTeams(tx, caller, before.id, teamIds)
}
