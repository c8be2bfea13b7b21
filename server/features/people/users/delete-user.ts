import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { moveToTrash } from "#core/trash.ts"
import { releaseOrigin, removeOrphans } from "../accounts/index.ts"
import { findRole } from "../roles/index.ts"
import { settingsOf } from "./create-user.ts"
import { userErrors } from "./errors.ts"
import { announceUser } from "./events.ts"
import { findVisibleUser, lockUsers } from "./queries.ts"
import { checkDeletion } from "./rules.ts"
import { refuseGoneCaller } from "./update-user.ts"
import type { UserRow } from "./wire.ts"

/** Takes open work from a person who leaves. Called in the transaction of the deletion, before the row is gone. */
export type LeaveHook = (tx: Tx, caller: Caller, person: { id: string; email: string }) => Promise<void>

/**
 * Removes a member: their open work becomes unassigned, their tokens end, the membership goes to the trash. An
 * account without any membership left is removed too.
 */
export async function deleteUser(
  tx: Tx,
  caller: Caller,
  userId: string,
  context: { address: string; live: LiveEvents; onLeave: readonly LeaveHook[] },
): Promise<UserRow> {
  await lockUsers(tx, caller, [caller.userId, userId])
  const person = await findVisibleUser(tx, caller, { id: userId })
  if (!person) throw userErrors.notFound()
  await refuseGoneCaller(tx, caller)
  const role = await findRole(tx, caller, person.roleId)
  if (!role) throw userErrors.unknownRole()
  checkDeletion(caller, person, role)
  for (const hook of context.onLeave) await hook(tx, caller, person)
  const rows = await tx<{ content: unknown }[]>`
    select jsonb_build_object(
      'user', to_jsonb(users) - 'invitation_hash' - 'invitation_expires',
      'hubs', (select coalesce(jsonb_agg(hub_id), '[]') from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id),
      'teams', (select coalesce(jsonb_agg(team_id), '[]') from user_teams t where t.organization_id = users.organization_id and t.user_id = users.id)
    ) as content
    from users where organization_id = ${caller.organizationId} and id = ${person.id}`
  await moveToTrash(tx, caller, [
    { type: "User", name: person.name, sourceId: person.id, content: rows[0]?.content },
  ])
  await tx`delete from users where organization_id = ${caller.organizationId} and id = ${person.id}`
  await releaseOrigin(tx, caller.organizationId, person.accountId)
  await removeOrphans(tx, [person.accountId])
  await audit(tx, actorOf(caller, context.address), {
    action: "user.delete",
    targetType: "user",
    targetId: person.id,
    targetName: person.email,
    before: settingsOf(person),
  })
  await announceUser(tx, context.live, "user.deleted", person)
  return person
}
