import type { Tx } from "#core/database/database.ts"
import { emit, type StoredEventName } from "#core/domain-events.ts"
import type { LiveEventType } from "#core/events/live-event-types.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { type RecordRow, toWireRecord } from "./wire.ts"

const maxIds = 1000

/** Informs automations, webhooks and the feed, with the records as they are now. All are of one organization. */
export async function emitRecords(
  tx: Tx,
  live: LiveEvents,
  event: StoredEventName,
  records: readonly RecordRow[],
): Promise<void> {
  const organizationId = records[0]?.organizationId
  if (!organizationId) return
  const changes = records.map((row) => ({
    referenceId: row.id,
    hubId: row.hubId,
    record: toWireRecord(row),
  }))
  await emit(tx, live, organizationId, event, changes)
}

export interface Written {
  id: string
  dataTypeId: string
  hubId: string | null
}

/** One event per type and hub for all records of one call, so that a bulk of thousands is a few messages. */
export async function publishRecords(
  tx: Tx,
  live: LiveEvents,
  kind: LiveEventType,
  organizationId: string,
  records: readonly Written[],
): Promise<void> {
  const groups = Map.groupBy(records, ({ dataTypeId, hubId }) => `${dataTypeId} ${hubId}`)
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += maxIds) {
      const part = group.slice(start, start + maxIds)
      const [first] = part
      if (!first) continue
      const content = { dataTypeId: first.dataTypeId, recordIds: part.map((record) => record.id) }
      await publish(tx, live, kind, { organizationId, hubId: first.hubId, content })
    }
  }
}
