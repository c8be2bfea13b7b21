import type { Tx } from "#core/database/database.ts"
import type { LiveEventType } from "#core/events/live-event-types.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import type { ScheduleRow } from "./wire.ts"

/** One event a hub, so that a minute in which thousands run is a handful of messages. */
export async function publishSchedules(
  tx: Tx,
  live: LiveEvents,
  kind: LiveEventType,
  schedules: readonly Pick<ScheduleRow, "organizationId" | "hubId" | "id">[],
): Promise<void> {
  for (const group of Map.groupBy(schedules, (row) => `${row.organizationId}/${row.hubId}`).values()) {
    const first = group[0]
    if (!first) continue
    await publish(tx, live, kind, {
      organizationId: first.organizationId,
      hubId: first.hubId,
      content: { scheduleIds: group.map((row) => row.id) },
    })
  }
}
