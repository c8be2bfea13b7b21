import type { Tx } from "#core/database/database.ts"
import { defineEvent, type EventKind, type LiveEvents, publish } from "#core/events/live-events.ts"
import type { ScheduleRow } from "./wire.ts"

/** A schedule was made, changed, paused, resumed or deleted. Content: `scheduleIds`. */
export const scheduleChanged = defineEvent("schedule.changed", "view/schedule")
/** Schedules ran, well or not: their log says how. Content: `scheduleIds`, at most a thousand. */
export const scheduleExecuted = defineEvent("schedule.executed", "view/schedule")

/** One event a hub, so that a minute in which thousands run is a handful of messages. */
export async function publishSchedules(
  tx: Tx,
  live: LiveEvents,
  kind: EventKind,
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
