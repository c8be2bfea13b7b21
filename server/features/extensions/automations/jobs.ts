import { Type } from "typebox"
import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { deleteExpired } from "#core/database/delete-expired.ts"
import {
  eachEvent,
  eventsPerRow,
  fromNumber,
  type KeptEvent,
  namesOf,
  type StoredEventName,
  storedName,
} from "#core/domain-events.ts"
import { defineJob, type Job, send, sendAll } from "#core/jobs/define-job.ts"
import { checkOwners } from "./owner.ts"
import { OwnersSight } from "./owners-sight.ts"
import { type AutomationRow, automationColumns, findAutomation } from "./queries.ts"
import { fits } from "./references.ts"
import { RunPayload, runOnce } from "./run-automation.ts"
import { deliverWebhooks } from "./webhooks/deliver-webhooks.ts"
import { enqueueDeliveries, keyOf } from "./webhooks/delivery-queue.ts"

/** Called in the transaction of every event: where somebody waits for it, the match is enqueued with it. */
export async function enqueueAutomations(
  tx: Tx,
  organizationId: string,
  event: StoredEventName,
): Promise<void> {
  const rows = await tx<{ xid: string }[]>`
    select pg_current_xact_id()::text as xid from automations
    where organization_id = ${organizationId} and event = any (${namesOf(event)}) and is_active limit 1`.reusePlan()
  const xid = rows[0]?.xid
  if (xid)
    await send(
      tx,
      matchAutomations,
      { organizationId, xid },
      { key: `automation.match:${organizationId}:${xid}`, queue: matchQueue(organizationId, xid) },
    )
}

/** Two at a time for an organization: thousands of its changes leave workers for the automations of others. */
function matchQueue(organizationId: string, xid: string): string {
  return `automation.match:${organizationId}:${Number(xid.at(-1)) % 2}`
}

const pageSize = 500

/** Finds the automations that the events of one transaction start, and sends a job for each. */
export const matchAutomations = defineJob({
  name: "automation.match",
  payload: Type.Object({ organizationId: Type.String(), xid: Type.String() }),
  maxAttempts: 10,
  timeoutSeconds: 120,
  async handle({ sql, clock }, { organizationId, xid }) {
    await inTransaction(sql, async (tx) => {
      const automations = await tx<AutomationRow[]>`
        select ${automationColumns(tx)} from automations
        where organization_id = ${organizationId} and is_active and paused_time is null order by created_time, id`
      const byEvent = Map.groupBy(automations, ({ event }) => storedName(event))
      const now = clock.now()
      let hasCalls = false
      const matches = new OwnersSight(tx, now)
      const stored = (after: number) =>
        tx`organization_id = ${organizationId} and xid = ${xid}::text::xid8 and ${fromNumber(tx, after)}`
      for (let after = 0; ; ) {
        const events = await tx<KeptEvent[]>`
          select number, event, depth, record from ${eachEvent(tx, stored(after))} domain_event where number > ${after}
          order by number limit ${pageSize}`
        const fitting = events.flatMap((event) =>
          (byEvent.get(event.event) ?? [])
            .filter((automation) => fits(automation.rules, event.record))
            .map((automation) => ({ automation, number: event.number })),
        )
        const runs = await matches.inSight(fitting, stored(after))
        const [calls, actions] = [runs.filter(isCall), runs.filter((run) => !isCall(run))]
        await enqueueDeliveries(
          tx,
          calls.map(({ automation, number }) => ({
            ...keyOf(automation),
            eventXid: xid,
            eventNumber: number,
            attempt: 0,
          })),
          "event",
          now,
        )
        await sendAll(
          tx,
          runAutomations,
          pagesOf(actions, actionsPerJob).map((page) => ({
            organizationId,
            xid,
            runs: page.map(({ automation, number }) => ({ automationId: automation.id as string, number })),
            dispatchedAt: now.toString(),
          })),
          // One at a time for an organization: what people do there meanwhile goes first.
          "organizationId",
        )
        hasCalls ||= calls.length > 0
        const last = events.at(-1)
        if (!last || events.length < pageSize) break
        after = last.number
      }
      if (hasCalls) await startDelivering(tx)
    })
  },
})

const isCall = ({ automation }: { automation: AutomationRow }) => automation.automationType === "webhook"

/** Has a worker look at the queues of webhooks now. Last in its transaction: others wait for its key. */
export function startDelivering(tx: Tx): Promise<void> {
  return send(tx, deliverWebhooks, {}, { key: "webhook.deliver" })
}

/** Few enough to end well within the time limit, many enough that a job for each action is not what takes the time. */
const actionsPerJob = 50

const RunsPayload = Type.Object({
  ...Type.Omit(RunPayload, ["automationId", "number", "attempt"]).properties,
  runs: Type.Array(Type.Pick(RunPayload, ["automationId", "number"])),
})

/**
 * Actions of one transaction's events, one after the other. What fails by a fault of ours becomes a job of its own, to
 * be tried again and shown alone; those that are done already are left out when this runs twice.
 */
const runAutomations = defineJob({
  name: "automation.run-several",
  payload: RunsPayload,
  maxAttempts: 10,
  timeoutSeconds: 120,
  async handle(context, { runs, ...rest }) {
    const { sql, signal, log } = context
    for (const run of runs) {
      signal.throwIfAborted()
      const payload = { ...rest, ...run, attempt: 0 }
      const automation = await findAutomation(sql, payload, run.automationId)
      // Deleted or switched off in the meantime: nothing is left to do.
      if (!automation?.isActive || automation.pausedTime) continue
      try {
        await runOnce(context, automation, payload)
      } catch (error) {
        log.warn(
          { automationId: run.automationId, reason: String(error) },
          "retrying the automation separately",
        )
        await send(sql, runAutomation, payload, { queue: payload.organizationId })
      }
    }
  },
})

function pagesOf<Entry>(entries: readonly Entry[], size: number): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, page) =>
    entries.slice(page * size, (page + 1) * size),
  )
}

/** One action of one automation for one event, which failed among others. */
export const runAutomation = defineJob({
  name: "automation.run",
  payload: RunPayload,
  maxAttempts: 5,
  timeoutSeconds: 60,
  async handle(context, payload) {
    const { sql, clock } = context
    const { organizationId, automationId, xid, number, attempt } = payload
    const automation = await findAutomation(sql, payload, automationId)
    // Deleted or switched off in the meantime: nothing is left to do.
    if (!automation?.isActive || automation.pausedTime) return
    if (!isCall({ automation })) return runOnce(context, automation, payload)
    // A job of an earlier version, which had one for each call.
    const delivery = { organizationId, automationId, eventXid: xid, eventNumber: number }
    await inTransaction(sql, async (tx) => {
      const origin = attempt < 0 ? "replay" : "event"
      await enqueueDeliveries(tx, [{ ...delivery, attempt: Math.max(0, attempt) }], origin, clock.now())
      await startDelivering(tx)
    })
  },
})

const pauseOrphaned = defineJob({
  name: "automation.check-owners",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "*/10 * * * *",
  handle: ({ sql, clock }) => inTransaction(sql, (tx) => checkOwners(tx, clock.now())),
})

/** Events, what waits of them and the log are kept for 30 days. */
const removeOld = defineJob({
  name: "automation.remove-old",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "41 * * * *",
  async handle({ sql, signal }) {
    let isLeft = true
    while (isLeft && !signal.aborted) isLeft = (await removeOldEvents(sql)) > 0
    await deleteExpired(sql, signal, {
      table: "webhook_deliveries",
      column: "dispatched_time",
      age: "30 days",
    })
    await deleteExpired(sql, signal, { table: "automation_log", column: "finished_time", age: "30 days" })
  },
})

/** Removes some events and keeps up to where that was, per organization. Returns how many rows went. */
async function removeOldEvents(sql: Pool): Promise<number> {
  const rows = await sql<{ count: number }[]>`
    with removed as (
      delete from domain_events where ctid = any (array(
        select ctid from domain_events where created_time < now() - interval '30 days' limit 5000))
      returning organization_id, xid, number
    ), kept as (
      insert into domain_event_removals as known (organization_id, xid, number)
      select distinct on (organization_id) organization_id, xid, number + ${eventsPerRow - 1}::int from removed
      where exists (select from organizations where id = organization_id)
      order by organization_id, removed.xid desc, removed.number desc
      on conflict (organization_id) do update set xid = excluded.xid, number = excluded.number
      where (known.xid::text::numeric, known.number) < (excluded.xid::text::numeric, excluded.number)
    )
    select count(*) as count from removed`
  return rows[0]?.count ?? 0
}

export const automationJobs: readonly Job[] = [
  matchAutomations,
  runAutomations,
  runAutomation,
  deliverWebhooks,
  pauseOrphaned,
  removeOld,
]
