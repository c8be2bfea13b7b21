import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Pool } from "#core/database/database.ts"
import { trackerProtocols } from "#packages/tracker-protocols/index.ts"
import { toT1 } from "#shared/wire-time.ts"
import { findMember, isVisible, type Member, retentionDays, visiblePeople } from "../positions/index.ts"
import { trackerErrors } from "./errors.ts"
import { keptMessageDays, listMessages, lockTracker, type MessageRow } from "./queries.ts"

/** The last messages of a device, for people who may see the positions of its person. */
export async function readMessages(
  sql: Pool,
  caller: Caller,
  trackerId: string,
  now: Temporal.Instant,
): Promise<{ person: Member; messages: ReturnType<typeof toWireMessage>[] }> {
  const tracker = await inTransaction(sql, (tx) => lockTracker(tx, caller, trackerId))
  const person = tracker && (await findMember(sql, caller, tracker.userId))
  if (!tracker || !person) throw trackerErrors.notFound()
  if (!isVisible(await visiblePeople(sql, caller), person.number)) throw trackerErrors.forbidden()
  const days = Math.min(keptMessageDays, await retentionDays(sql, caller))
  const rows = await listMessages(sql, caller, tracker.id, now.subtract({ hours: 24 * days }))
  const { isText } = trackerProtocols[tracker.protocol]
  return { person, messages: rows.map((row) => toWireMessage(row, isText)) }
}

function toWireMessage(row: MessageRow, isText: boolean) {
  const text = row.content.toString("latin1")
  return {
    number: row.number,
    receivedTime: toT1(row.receivedAt),
    kind: row.kind,
    hex: row.content.toString("hex"),
    text: isText && /^[\x20-\x7e\r\n]*$/.test(text) ? text : null,
    size: row.size,
    positions: row.positions,
    note: row.note,
  }
}
