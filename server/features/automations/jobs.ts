import { Type } from "typebox"
import { inTransaction, type Tx } from "#core/database.ts"
import { type DomainEventName, eachEvent, fromNumber, type KeptEvent } from "#core/domain-events.ts"
import { defineJob, type Job, send, sendAll } from "#core/jobs/define-job.ts"
import { type AutomationRow, automationColumns } from "./queries.ts"
import { fits } from "./references.ts"
import { RunPayload, runOnce } from "./run-automation.ts"

/** Called in the transaction of every event: where somebody waits for it, the match is enqueued with it. */
export async function enqueueAutomations(
  tx: Tx,
  organizationId: string,
  event: DomainEventName,
): Promise<void> {
  const rows = await tx<{ xid: string }[]>`
    select pg_current_xact_id()::text as xid from automations
    where organization_id = ${organizationId} and event = ${event} and is_active limit 1`
  const xid = rows[0]?.xid
  if (xid)
    await send(
      tx,
      matchAutomations,
      { organizationId, xid },
      { key: `automation.match:${organizationId}:${xid}` },
    )
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
        where organization_id = ${organizationId} and is_active order by created_time, id`
      const byEvent = Map.groupBy(automations, (automation) => automation.event as string)
      const dispatchedAt = clock.now().toString()
      const stored = (after: number) =>
        tx`organization_id = ${organizationId} and xid = ${xid}::text::xid8 and ${fromNumber(tx, after)}`
      for (let after = 0; ; ) {
        const events = await tx<KeptEvent[]>`
          select number, event, depth, record from ${eachEvent(tx, stored(after))} happened where number > ${after}
          order by number limit ${pageSize}`
        const runs = events.flatMap((event) =>
          (byEvent.get(event.event) ?? [])
            .filter((automation) => fits(automation.rules, event.record))
            .map((automation) => ({
              organizationId,
              automationId: automation.id as string,
              xid,
              number: event.number,
              attempt: 0,
              dispatchedAt,
              queue: queueOf(automation),
            })),
        )
        await sendAll(tx, runAutomation, runs, "queue")
        const last = events.at(-1)
        if (!last || events.length < pageSize) return
        after = last.number
      }
    })
  },
})

/** One call at a time to each endpoint, in order: one that hangs holds up nobody else. */
function queueOf(automation: AutomationRow): string | null {
  return automation.automationType === "webhook" ? `webhook:${automation.id}` : null
}

/** One try of one automation for one event. */
export const runAutomation = defineJob({
  name: "automation.run",
  payload: RunPayload,
  maxAttempts: 5,
  timeoutSeconds: 60,
  async handle(context, payload) {
    const next = { ...payload, attempt: payload.attempt + 1 }
    const key = `automation.retry:${payload.automationId}:${payload.xid}:${payload.number}`
    const queue = payload.queue ? { queue: payload.queue } : {}
    await runOnce(context, payload, (tx, runAt) => send(tx, runAutomation, next, { runAt, key, ...queue }))
  },
})

/** Events and the log are kept for 30 days. */
const removeOld = defineJob({
  name: "automation.remove-old",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "41 * * * *",
  async handle({ sql, signal }) {
    for (const [table, column] of [
      ["domain_events", "created_time"],
      ["automation_log", "finished_time"],
    ] as const) {
      let removed = 1
      while (removed > 0 && !signal.aborted) {
        const rows = await sql`
          delete from ${sql(table)} where ctid = any (array(
            select ctid from ${sql(table)} where ${sql(column)} < now() - interval '30 days' limit 5000)) returning 1`
        removed = rows.length
      }
    }
  },
})

export const automationJobs: readonly Job[] = [matchAutomations, runAutomation, removeOld]
