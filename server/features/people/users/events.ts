import type { Tx } from "#core/database/database.ts"
import type { LiveEventType } from "#core/events/live-event-types.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"

/** Published to those who may see people, and to the person, whose permissions may have changed. */
export function announceUser(
  tx: Tx,
  live: LiveEvents,
  kind: LiveEventType,
  user: { organizationId: string; id: string; email: string },
): Promise<void> {
  const { organizationId, id, email } = user
  return publish(tx, live, kind, { organizationId, owner: email, content: { userId: id } })
}
