import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { findEvent } from "#core/domain-events.ts"
import { AppError } from "#core/errors.ts"
import type { JobContext } from "#core/jobs/define-job.ts"
import { findTasks } from "../../work/tasks/index.ts"
import { runAction, type TriggerEvent } from "./actions.ts"
import { automationErrors } from "./errors.ts"
import { insertEntry } from "./log/write-log.ts"
import { findOwner, type OwnerLoss, pauseFor } from "./owner.ts"
import type { AutomationRow } from "./queries.ts"
import type { Exchange } from "./webhooks/call-webhook.ts"

export const RunPayload = Type.Object({
  organizationId: Type.String(),
  automationId: Type.String(),
  /** Which event: its transaction and number. */
  xid: Type.String(),
  number: Type.Integer(),
  attempt: Type.Integer(),
  dispatchedAt: Type.String(),
})
export type RunPayload = Static<typeof RunPayload>

const maxDepth = 5

/**
 * Acts once and keeps what came of it. The entry and the action's effect are one transaction, and an entry
 * stands once, so a job that runs again does nothing twice.
 */
export async function runOnce(
  context: JobContext,
  automation: AutomationRow,
  payload: RunPayload,
): Promise<void> {
  const { sql } = context
  const event = await findEvent(sql, payload.organizationId, payload)
  if (!event) return
  const tried = await sql`
    select 1 from automation_log where organization_id = ${payload.organizationId} and automation_id = ${payload.automationId}
      and event_xid = ${payload.xid}::text::xid8 and event_number = ${payload.number} and attempt = ${payload.attempt}
      and origin = 'event'`
  if (tried.length > 0) return
  await act(context, automation, event, {
    origin: "event",
    eventXid: payload.xid,
    eventNumber: payload.number,
    attempt: payload.attempt,
    dispatchedTime: Temporal.Instant.from(payload.dispatchedAt),
  })
}

type Trace = Pick<
  Parameters<typeof insertEntry>[2],
  "origin" | "eventXid" | "eventNumber" | "attempt" | "dispatchedTime"
>

/** Carries out an action. A refusal is its outcome and is in the log; a fault of ours is thrown. */
export async function act(
  { sql, clock, live, config }: Pick<JobContext, "sql" | "clock" | "live" | "config">,
  automation: AutomationRow,
  event: TriggerEvent,
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
          `Automations triggered each other ${maxDepth} times in a row. The chain was stopped to prevent an endless loop`,
        )
      const owner = await ownerOn(tx, automation, event)
      const response = await runAction(
        tx,
        automation,
        owner,
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
    if (error instanceof OwnerLost)
      await inTransaction(sql, (tx) => pauseFor(tx, automation, error.loss, clock.now()))
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

/** The action is refused because of what its owner lost; the automation pauses. */
class OwnerLost extends AppError {
  readonly loss: OwnerLoss

  constructor(loss: OwnerLoss, message: string) {
    super(403, "auto-035", message)
    this.loss = loss
  }
}

/** The owner with their rights of this moment, who must see the task that is to be changed. */
async function ownerOn(tx: Tx, automation: AutomationRow, event: TriggerEvent): Promise<Caller> {
  const found = await findOwner(tx, automation)
  if ("loss" in found) {
    const what =
      found.loss === "membership" ? "is not an active member" : "lacks a permission for this action"
    throw new OwnerLost(
      found.loss,
      `The owner of the automation ${what}. The automation is paused until someone saves it`,
    )
  }
  const changesTask = automation.automationType === "moveTask" || automation.automationType === "assignTask"
  if (changesTask && (await findTasks(tx, found.owner, [event.referenceId])).length === 0)
    throw automationErrors.missingDependency({
      message: "The automation's owner does not have access to this task",
    })
  return found.owner
}
