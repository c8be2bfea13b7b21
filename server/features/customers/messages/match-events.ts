import { Type } from "typebox"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { eachEvent, fromNumber, type KeptEvent, type StoredEventName } from "#core/domain-events.ts"
import { defineJob, send } from "#core/jobs/define-job.ts"
import { toT1 } from "#shared/wire-time.ts"
import { type Occurrence, planMessages } from "./plan-messages.ts"
import { activeTemplates } from "./templates/templates.ts"
import { type Trigger, triggersOfEvent } from "./triggers.ts"

/** Called in the transaction of every event: where a template waits for it, a job looks for its customers. */
export async function enqueueCustomerMessages(
  tx: Tx,
  organizationId: string,
  event: StoredEventName,
): Promise<void> {
  const events = triggersOfEvent[event]
  if (!events) return
  const rows = await tx<{ xid: string }[]>`
    select pg_current_xact_id()::text as xid from message_templates
    where organization_id = ${organizationId} and event = any (${[...events]}) and is_active limit 1`.reusePlan()
  const xid = rows[0]?.xid
  if (!xid) return
  const options = {
    key: `customer-messages.match:${organizationId}:${xid}`,
    queue: `customer-messages.match:${organizationId}`,
  }
  await send(tx, matchEvents, { organizationId, xid }, options)
}

const pageSize = 500

/** Finds the messages that the events of one transaction cause. Running twice enqueues nothing a second time. */
export const matchEvents = defineJob({
  name: "customer-messages.match",
  payload: Type.Object({ organizationId: Type.String(), xid: Type.String() }),
  maxAttempts: 10,
  timeoutSeconds: 120,
  async handle({ sql, clock, signal }, { organizationId, xid }) {
    const known = [...new Set(Object.values(triggersOfEvent).flat())]
    const templates = await activeTemplates(sql, organizationId, known)
    for (let after = 0; !signal.aborted; ) {
      const stored = sql`organization_id = ${organizationId} and xid = ${xid}::text::xid8 and ${fromNumber(sql, after)}`
      const events = await sql<KeptEvent[]>`
        select number, event, reference_id, depth, record from ${eachEvent(sql, stored)} domain_event
        where number > ${after} order by number limit ${pageSize}`
      const context = { pool: sql, now: clock.now() }
      await inTransaction(sql, (tx) =>
        planMessages(tx, context, organizationId, events.flatMap(occurrencesOf), templates),
      )
      const last = events.at(-1)
      if (!last || events.length < pageSize) return
      after = last.number
    }
  },
})

function occurrencesOf({ event, referenceId, record }: KeptEvent): Occurrence[] {
  return (triggersOfEvent[event] ?? []).map((trigger) => ({
    taskId: referenceId,
    event: trigger,
    key: keyOf(trigger, record),
  }))
}

/** Sends a customer who chose another time a message about it, once: a later assignment has the same key. */
export async function announceNewTime(
  tx: Tx,
  context: { pool: Sql; now: Temporal.Instant },
  task: { organizationId: string; id: string; startTime: Temporal.Instant; endTime: Temporal.Instant },
): Promise<void> {
  const { organizationId, id } = task
  const times = { startTime: toT1(task.startTime), endTime: toT1(task.endTime) }
  const occurrence: Occurrence = { taskId: id, event: "planned", key: keyOf("planned", times) }
  const templates = await activeTemplates(tx, organizationId, ["planned"])
  await planMessages(tx, context, organizationId, [occurrence], templates)
}

/** A planned time window is an occurrence of its own: moved appointments are announced again, repeated events are not. */
function keyOf(trigger: Trigger, { startTime, endTime }: Record<string, unknown>): string {
  return trigger === "planned" ? `planned:${String(startTime)}/${String(endTime)}` : trigger
}
