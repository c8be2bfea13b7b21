import type { Tx } from "#core/database/database.ts"
import { eachEvent, storedName } from "#core/domain-events.ts"
import { automationErrors } from "../errors.ts"
import { startDelivering } from "../jobs.ts"
import { seesEvent } from "../log/visible-events.ts"
import { findOwner } from "../owner.ts"
import type { AutomationRow } from "../queries.ts"
import { fits } from "../references.ts"
import { enqueueDeliveries, keyOf } from "./delivery-queue.ts"

const maxReplayed = 100_000

/** Enqueues the webhook's events since a moment once more, and returns how many they are. */
export async function replay(
  tx: Tx,
  webhook: AutomationRow,
  since: Temporal.Instant,
  now: Temporal.Instant,
): Promise<number> {
  const found = await findOwner(tx, webhook)
  if ("loss" in found) throw automationErrors.ownerLost()
  const stored = tx`organization_id = ${webhook.organizationId} and event = ${storedName(webhook.event)} and created_time >= ${since}`
  const rows = await tx<{ xid: string; number: number; record: Record<string, unknown> }[]>`
    select xid::text, number, record from ${eachEvent(tx, stored)} domain_event
    where ${seesEvent(tx, found.owner)}
    order by domain_event.xid, domain_event.number limit ${maxReplayed}`
  const chosen = rows.filter((row) => fits(webhook.rules, row.record))
  await enqueueDeliveries(
    tx,
    chosen.map(({ xid, number }) => ({ ...keyOf(webhook), eventXid: xid, eventNumber: number, attempt: 0 })),
    "replay",
    now,
  )
  if (chosen.length > 0) await startDelivering(tx)
  return chosen.length
}
