import type { Tx } from "#core/database/database.ts"
import { defineEvent, type EventKind, type LiveEvents, publish } from "#core/events/live-events.ts"

/** A person was added or invited. Content: `userId`. */
export const userCreated = defineEvent("user.created", "view/user")
/** A person's name, contact, picture, role, hubs, teams or status changed, or a lock ended. Content: `userId`. */
export const userUpdated = defineEvent("user.updated", "view/user")
/** A person is a member no longer. Content: `userId`. */
export const userDeleted = defineEvent("user.deleted", "view/user")

/** Tells those who may see people, and the person himself, whose own rights may be what changed. */
export function announceUser(
  tx: Tx,
  live: LiveEvents,
  kind: EventKind,
  user: { organizationId: string; id: string; email: string },
): Promise<void> {
  const { organizationId, id, email } = user
  return publish(tx, live, kind, { organizationId, owner: email, content: { userId: id } })
}
