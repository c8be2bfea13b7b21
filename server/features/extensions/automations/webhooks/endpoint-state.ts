import type { Sql, Tx } from "#core/database/database.ts"
import { queueMail } from "../../../organization/mails/index.ts"
import { listOwners } from "../failure-alert.ts"
import type { AutomationRow } from "../queries.ts"
import { type EndpointKey, keyOf } from "./delivery-queue.ts"
import type { Tried } from "./record-deliveries.ts"

/** An endpoint is dead after this many consecutive failures over at least this much time. */
const deadAfterFailures = 20
const deadAfterMinutes = 60

/** `owner`: the automation is paused because its owner lacks a permission that it needs. */
export type PauseReason = "dead" | "gone" | "person" | "owner"

/** `isGone`: the last response was 410 Gone. */
export function pauseReasonOf(
  { failureCount, failingSince }: { failureCount: number; failingSince: Temporal.Instant | null },
  isGone: boolean,
  now: Temporal.Instant,
): PauseReason | undefined {
  if (isGone) return "gone"
  if (failureCount < deadAfterFailures || !failingSince) return undefined
  return now.since(failingSince).total("minutes") >= deadAfterMinutes ? "dead" : undefined
}

/** Updates the counts of consecutive failures and pauses dead endpoints whose webhook has `pauseWhenDead`. */
export async function noteOutcomes(
  tx: Tx,
  groups: readonly (readonly Tried[])[],
  now: Temporal.Instant,
): Promise<void> {
  const changes = groups.flatMap((group) => {
    const last = group.at(-1)
    if (!last) return []
    const lastSuccess = group.findLastIndex(({ exchange }) => exchange.isSuccess)
    const trailing = group.slice(lastSuccess + 1)
    return {
      ...keyOf(last.automation),
      hasSucceeded: lastSuccess >= 0,
      failures: trailing.length,
      failingSince: trailing[0]?.exchange.finishedTime ?? null,
      notBefore: last.exchange.notBefore ?? null,
    }
  })
  if (changes.length === 0) return
  const rows = await tx<(EndpointKey & { failureCount: number; failingSince: Temporal.Instant | null })[]>`
    update webhook_endpoints state set
      failure_count = case when "hasSucceeded" then failures else failure_count + failures end,
      failing_since = case when "hasSucceeded" then "failingSince" else coalesce(failing_since, "failingSince") end,
      not_before = "notBefore"
    from json_to_recordset(${JSON.stringify(changes)}::text::json) as change (
      "organizationId" text, "automationId" text, "hasSucceeded" boolean, failures int, "failingSince" timestamptz,
      "notBefore" timestamptz)
    where state.organization_id = change."organizationId" and state.automation_id = change."automationId"
      and (failures > 0 or failing_since is not null)
    returning state.organization_id, state.automation_id, failure_count, failing_since`
  for (const row of rows) {
    const group = groups.find(([tried]) => tried?.automation.id === row.automationId)
    const last = group?.at(-1)
    if (last?.automation.details.pauseWhenDead !== true) continue
    const reason = pauseReasonOf(row, last.exchange.statusCode === 410, now)
    if (reason && (await pauseEndpoint(tx, row, reason, now)))
      await notifyOwners(tx, last.automation, row, now)
  }
}

/**
 * Holds deliveries from now on. A failed delivery returns to the head of the queue when the endpoint is resumed.
 * Returns false if it was paused already.
 */
export async function pauseEndpoint(
  tx: Tx,
  { organizationId, automationId }: EndpointKey,
  reason: PauseReason,
  now: Temporal.Instant,
): Promise<boolean> {
  const paused = await tx`
    insert into webhook_endpoints as state (organization_id, automation_id, paused_time, pause_reason)
    values (${organizationId}, ${automationId}, ${now}, ${reason})
    on conflict (organization_id, automation_id) do update set
      paused_time = excluded.paused_time, pause_reason = excluded.pause_reason
    where state.paused_time is null`
  return paused.count > 0
}

/** Releases the waiting deliveries in the order of their events. Returns how many there are. */
export async function resumeEndpoint(
  tx: Tx,
  { organizationId, automationId }: EndpointKey,
  now: Temporal.Instant,
): Promise<number> {
  const resumed = await tx`
    update webhook_endpoints set paused_time = null, pause_reason = null, failure_count = 0, failing_since = null,
      not_before = null
    where organization_id = ${organizationId} and automation_id = ${automationId} and paused_time is not null`
  if (resumed.count === 0) return 0
  await tx`
    update webhook_deliveries set due_time = dispatched_time
    where organization_id = ${organizationId} and automation_id = ${automationId} and due_time <> dispatched_time`
  const [waiting] = await tx<{ count: number; first: Temporal.Instant | null }[]>`
    select count(*) as count, min(due_time) as first from webhook_deliveries
    where organization_id = ${organizationId} and automation_id = ${automationId}`
  await tx`
    update webhook_endpoints set next_due = ${waiting?.first ? now : null}
    where organization_id = ${organizationId} and automation_id = ${automationId}`
  return waiting?.count ?? 0
}

/** Ends a pause whose reason is `owner`; other pauses stay. */
export async function resumeForOwner(tx: Tx, key: EndpointKey, now: Temporal.Instant): Promise<number> {
  const held = await tx`
    select 1 from webhook_endpoints
    where organization_id = ${key.organizationId} and automation_id = ${key.automationId} and pause_reason = 'owner'`
  return held.length > 0 ? resumeEndpoint(tx, key, now) : 0
}

export interface EndpointState {
  automationId: string
  pausedTime: Temporal.Instant | null
  pauseReason: PauseReason | null
  failureCount: number
  failingSince: Temporal.Instant | null
  /** Waiting deliveries, counted up to `maxCounted`. */
  waiting: number
}

export const maxCounted = 10_000

export async function listEndpointStates(
  sql: Sql,
  organizationId: string,
  automationIds: readonly string[],
): Promise<Map<string, EndpointState>> {
  if (automationIds.length === 0) return new Map()
  const rows = await sql<EndpointState[]>`
    select automation_id, paused_time, pause_reason, failure_count, failing_since, (
      select count(*)::int from (
        select from webhook_deliveries waiting
        where waiting.organization_id = state.organization_id and waiting.automation_id = state.automation_id
        limit ${maxCounted}) counted) as waiting
    from webhook_endpoints state
    where organization_id = ${organizationId} and automation_id = any (${[...automationIds]})`
  return new Map(rows.map((row) => [row.automationId, row]))
}

async function notifyOwners(
  tx: Tx,
  automation: AutomationRow,
  { failureCount, failingSince }: { failureCount: number; failingSince: Temporal.Instant | null },
  now: Temporal.Instant,
): Promise<void> {
  const hours = failingSince ? Math.round(now.since(failingSince).total("hours")) : 0
  for (const owner of await listOwners(tx, automation.organizationId))
    await queueMail(tx, owner, "webhookPaused", {
      name: automation.name,
      endpoint: String(automation.details.url),
      failed: failureCount,
      hours,
    })
}
