import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Pool } from "#core/database/database.ts"
import { eachEvent, findEvent, storedName } from "#core/domain-events.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import type { TriggerEvent } from "../actions.ts"
import { openAutomation } from "../automation-secrets.ts"
import { automationErrors } from "../errors.ts"
import { findEntries, type LogRow } from "../log/read-log.ts"
import { seesEvent } from "../log/visible-events.ts"
import { insertEntry } from "../log/write-log.ts"
import { findOwner } from "../owner.ts"
import { type AutomationRow, findAutomation } from "../queries.ts"
import { act } from "../run-automation.ts"
import { bodyOf, callWebhook } from "./call-webhook.ts"

export type Outside = Pick<JobContext, "clock" | "config" | "live"> & { sql: Pool }

/**
 * Repeats the call or action of a log entry and records it as a new entry with the next attempt number. Also works
 * while the automation is switched off, because it is requested explicitly.
 */
export async function retryEntry(outside: Outside, caller: Caller, logId: string): Promise<boolean> {
  const [entry] = await findEntries(outside.sql, caller, [logId])
  const automation = entry && (await findAutomation(outside.sql, caller, entry.automationId))
  if (!entry || !automation) throw automationErrors.logNotFound()
  if ("loss" in (await findOwner(outside.sql, automation))) throw automationErrors.ownerLost()
  const attempt = await nextAttempt(outside, automation, entry)
  const trace = {
    origin: "retry" as const,
    eventXid: entry.eventXid,
    eventNumber: entry.eventNumber,
    attempt,
    dispatchedTime: outside.clock.now(),
  }
  if (automation.automationType === "webhook") {
    const open = await openAutomation(outside, automation)
    const exchange = await callWebhook(outside, open, entry.request, {
      event: entry.event,
      attempt,
      messageId: `${entry.eventXid ?? entry.id}-${entry.eventNumber ?? 0}-${automation.id}`,
    })
    await insertEntry(outside.sql, automation, { ...trace, ...exchange, referenceId: entry.referenceId })
    return exchange.isSuccess
  }
  const { eventXid: xid, eventNumber: number } = entry
  const event =
    xid === null || number === null
      ? undefined
      : await findEvent(outside.sql, caller.organizationId, { xid, number })
  if (!event) throw automationErrors.logNotFound({ message: "The event of this entry is no longer stored" })
  return act(outside, automation, event, trace)
}

async function nextAttempt({ sql }: Outside, automation: AutomationRow, entry: LogRow): Promise<number> {
  const rows = await sql<{ attempt: number }[]>`
    select coalesce(max(attempt), 0) + 1 as attempt from automation_log
    where organization_id = ${automation.organizationId} and automation_id = ${automation.id}
      and event_xid is not distinct from ${entry.eventXid}::text::xid8 and event_number is not distinct from ${entry.eventNumber}`
  return rows[0]?.attempt ?? 1
}

/** Rows of events that are searched for the newest record that the owner can see. */
const searchedRows = 20

/** Calls a webhook once with the newest record of its event, or with a small record marked as a test. */
export async function testWebhook(outside: Outside, automation: AutomationRow) {
  const found = await findOwner(outside.sql, automation)
  if ("loss" in found) throw automationErrors.ownerLost()
  const newestRows = outside.sql`ctid = any (array(
    select ctid from domain_events where organization_id = ${automation.organizationId} and event = ${storedName(automation.event)}
    order by xid desc, number desc limit ${searchedRows}))`
  const [newest] = await outside.sql<(TriggerEvent & { createdTime: Temporal.Instant })[]>`
    select reference_id, depth, record, event, created_time from ${eachEvent(outside.sql, newestRows)} domain_event
    where ${seesEvent(outside.sql, found.owner)} order by xid desc, number desc limit 1`
  const record = newest?.record ?? {
    organizationId: automation.organizationId,
    event: automation.event,
    isTest: true,
  }
  const open = await openAutomation(outside, automation)
  const body = bodyOf(open, {
    event: automation.event,
    record: JSON.stringify(record),
    createdTime: newest?.createdTime ?? outside.clock.now(),
  })
  const exchange = await callWebhook(outside, open, body, {
    event: automation.event,
    attempt: 0,
    messageId: `test-${automation.id}-${outside.clock.now().epochMilliseconds}`,
  })
  const id = await inTransaction(outside.sql, (tx) =>
    insertEntry(tx, automation, {
      ...exchange,
      origin: "test",
      eventXid: null,
      eventNumber: null,
      attempt: 0,
      referenceId: newest?.referenceId ?? "",
      dispatchedTime: exchange.startedTime,
    }),
  )
  return { id, exchange }
}
