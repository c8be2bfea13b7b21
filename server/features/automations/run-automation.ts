import { type Static, Type } from "typebox"
import { inTransaction, type Tx } from "#core/database.ts"
import { findEvent } from "#core/domain-events.ts"
import { AppError } from "#core/errors.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { type Happened, runAction } from "./actions.ts"
import { callWebhook, type Exchange } from "./call-webhook.ts"
import { watchFailures } from "./failure-alert.ts"
import { type AutomationRow, findAutomation } from "./queries.ts"
import { insertEntry } from "./write-log.ts"

export const RunPayload = Type.Object({
  organizationId: Type.String(),
  automationId: Type.String(),
  /** Which event: its transaction and number. Attempt -1 is a replay. */
  xid: Type.String(),
  number: Type.Integer(),
  attempt: Type.Integer(),
  dispatchedAt: Type.String(),
  queue: Type.Union([Type.String(), Type.Null()]),
})
export type RunPayload = Static<typeof RunPayload>

const maxDepth = 5

/**
 * Tries once and keeps what came of it. The entry and an action's effect are one transaction, and an entry
 * stands once, so a job that runs again does nothing twice; a webhook may be called again when the worker
 * died before its entry was written. `retryAt` enqueues the next try with the entry of the failed one.
 */
export async function runOnce(
  context: JobContext,
  payload: RunPayload,
  retryAt: (tx: Tx, moment: Temporal.Instant) => Promise<void>,
): Promise<void> {
  const { sql, clock } = context
  const automation = await findAutomation(sql, payload as never, payload.automationId)
  // Deleted or switched off in the meantime: nothing is left to do.
  if (!automation?.isActive) return
  const event = await findEvent(sql, payload.organizationId, payload)
  if (!event) return
  const isReplay = payload.attempt < 0
  const tried = await sql`
    select 1 from automation_log where organization_id = ${payload.organizationId} and automation_id = ${payload.automationId}
      and event_xid = ${payload.xid}::text::xid8 and event_number = ${payload.number} and attempt = ${payload.attempt}
      and origin = 'event'`
  if (tried.length > 0) return
  const trace: Trace = {
    origin: isReplay ? "replay" : "event",
    eventXid: payload.xid,
    eventNumber: payload.number,
    attempt: Math.max(0, payload.attempt),
    dispatchedTime: Temporal.Instant.from(payload.dispatchedAt),
  }
  if (automation.automationType !== "webhook") {
    await act(context, automation, event, trace)
    return
  }
  const body = JSON.stringify(event.record)
  const exchange = await callWebhook(context, automation, body, {
    event: event.event,
    attempt: trace.attempt,
    messageId: `${payload.xid}-${payload.number}-${automation.id}`,
  })
  await inTransaction(sql, async (tx) => {
    await insertEntry(tx, automation, { ...trace, ...exchange, referenceId: event.referenceId })
    await watchFailures(tx, automation, exchange.isSuccess, clock.now())
    const next =
      exchange.isSuccess || isReplay ? undefined : nextTry(automation, payload.attempt, clock.now())
    if (next) await retryAt(tx, next)
  })
}

type Trace = Pick<
  Parameters<typeof insertEntry>[2],
  "origin" | "eventXid" | "eventNumber" | "attempt" | "dispatchedTime"
>

/** Carries out an action. A refusal is its outcome and stands in the log; a fault of ours is thrown. */
export async function act(
  { sql, clock, live, config }: Pick<JobContext, "sql" | "clock" | "live" | "config">,
  automation: AutomationRow,
  event: Happened,
  trace: Trace,
): Promise<boolean> {
  const startedTime = clock.now()
  const entry = (outcome: Pick<Exchange, "isSuccess" | "statusCode" | "url" | "request" | "response">) => ({
    ...trace,
    ...outcome,
    responseHeaders: null,
    referenceId: event.referenceId,
    startedTime,
    finishedTime: clock.now(),
  })
  const described = { url: "", request: {} as unknown }
  try {
    await inTransaction(sql, async (tx) => {
      if (event.depth >= maxDepth)
        throw new AppError(
          400,
          "auto-039",
          `Automations started each other ${maxDepth} times: this looks like a circle, so it ends here`,
        )
      const response = await runAction(
        tx,
        automation,
        event,
        { now: clock.now(), live, publicUrl: config.publicUrl },
        described,
      )
      await insertEntry(
        tx,
        automation,
        entry({
          isSuccess: true,
          statusCode: 200,
          url: described.url,
          request: JSON.stringify(described.request),
          response: JSON.stringify(response),
        }),
      )
    })
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await insertEntry(
      sql,
      automation,
      entry({
        isSuccess: false,
        statusCode: error.http,
        url: described.url,
        request: JSON.stringify(described.request),
        response: JSON.stringify({ status: false, message: error.message, failedCode: error.failedCode }),
      }),
    )
    return false
  }
}

/** Seconds until the next try: three times two minutes, or growing up to 24 hours where the webhook asks for it. */
const steady = [120, 120, 120]
const growing = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800]

function nextTry(
  automation: AutomationRow,
  attempt: number,
  now: Temporal.Instant,
): Temporal.Instant | undefined {
  const pauses = automation.details.retry === "exponential" ? growing : steady
  const seconds = pauses[attempt]
  return seconds === undefined ? undefined : now.add({ seconds })
}
