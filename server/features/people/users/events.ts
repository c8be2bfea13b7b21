import type { Tx } from "#core/database/database.ts"
import type { LiveEventType } from "#core/events/live-event-types.ts"
import { type LiveEvents, publish } from "#core/events/live-events.ts"

/** Tells those who may see people, and the person himself, whose own rights may be what changed. */
export function announceUser(
  tx: Tx,
  live: LiveEvents,
  kind: LiveEventType,
  user: { organizationId: string; id: string; email: string },
): Promise<void> {
  const { organizationId, id, email } = user
  return publish(tx, live, kind, { organizationId, owner: email, content: { userId: id } })
}
