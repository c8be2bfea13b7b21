import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import { automationErrors } from "../errors.ts"
import { startDelivering } from "../jobs.ts"
import { type AutomationRow, findAutomation } from "../queries.ts"
import { AutomationResponse } from "../schemas.ts"
import { toWireAutomations } from "../wire.ts"
import { keyOf } from "./delivery-queue.ts"
import { pauseEndpoint, resumeEndpoint } from "./endpoint-state.ts"
import { replay } from "./replay.ts"
import { type Outside, testWebhook } from "./retry-entry.ts"
import { rotateSecret } from "./rotate-secret.ts"

const Params = Type.Object({ automationId: IdSchema("automation") })
const Counted = (field: "events" | "waiting") =>
  Type.Object({
    status: Type.Literal(true),
    message: Type.String(),
    data: Type.Object({ [field]: Type.Integer() }),
  })

/** Trying out a webhook, sending again what happened, and holding back deliveries. */
export function deliveryRoutes(app: App): void {
  const outside: Outside = { sql: app.sql, clock: app.clock, config: app.settings, live: app.live }

  app.post("/automation/:automationId/test", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "testAutomation",
      summary: "Send a test request to a webhook with the newest record of its event",
      params: Params,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({
            logId: Type.String(),
            isSuccess: Type.Boolean(),
            statusCode: Type.Integer({ description: "0 when there was no response" }),
            response: Type.String(),
          }),
        }),
      },
    },
    async handler({ sql, caller, params }) {
      const { id, exchange } = await testWebhook(outside, await findWebhook(sql, caller, params.automationId))
      const { isSuccess, statusCode, response } = exchange
      return {
        status: true as const,
        message: "Test sent",
        data: { logId: id, isSuccess, statusCode, response },
      }
    },
  })

  app.post("/automation/:automationId/replay", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "replayAutomation",
      summary: "Replay the deliveries of a webhook since a point in time, in order",
      params: Params,
      body: Type.Object({ since: Type.String({ format: "wire-date-time" }) }),
      response: { 200: Counted("events") },
    },
    async handler({ sql, caller, params, body }) {
      const webhook = await findWebhook(sql, caller, params.automationId)
      const since = Temporal.Instant.fromEpochMilliseconds(Math.floor(parseDateTime(body.since) ?? 0))
      const events = await inTransaction(sql, (tx) => replay(tx, webhook, since, app.clock.now()))
      return { status: true as const, message: "Replay started", data: { events } }
    },
  })

  app.post("/automation/:automationId/pause", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "pauseAutomation",
      summary: "Pause the deliveries of a webhook; they are queued in order until it is resumed",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      const webhook = await findWebhook(sql, caller, params.automationId)
      await inTransaction(sql, async (tx) => {
        if (await pauseEndpoint(tx, keyOf(webhook), "person", app.clock.now()))
          await note(tx, caller, ip, "automation.pause", webhook)
      })
      return { status: true as const, message: "Deliveries paused" }
    },
  })

  app.post("/automation/:automationId/resume", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "resumeAutomation",
      summary: "Resume the deliveries of a paused webhook, starting with the queued ones",
      params: Params,
      response: { 200: Counted("waiting") },
    },
    async handler({ sql, caller, params, ip }) {
      const webhook = await findWebhook(sql, caller, params.automationId)
      if (webhook.pausedTime) throw automationErrors.ownerLost()
      const waiting = await inTransaction(sql, async (tx) => {
        const count = await resumeEndpoint(tx, keyOf(webhook), app.clock.now())
        await note(tx, caller, ip, "automation.resume", webhook)
        await startDelivering(tx)
        return count
      })
      return { status: true as const, message: "Deliveries resumed", data: { waiting } }
    },
  })
}

const longestPreviousHours = 720

/** Two secrets can be valid at once, so that a receiver changes over without refusing a delivery. */
export function rotationRoutes(app: App): void {
  app.post("/automation/:automationId/rotate-secret", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "rotateAutomationSecret",
      summary: "Rotate the signing secret of a webhook; the previous secret stays valid for a limited time",
      description:
        "Until previousSigningSecretUntil, webhook-signature has one signature for each of the two secrets.",
      params: Params,
      body: Type.Object({
        previousValidHours: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: longestPreviousHours,
            description: "How long the previous secret stays valid; default 24, 0 ends it immediately",
          }),
        ),
      }),
      response: { 200: AutomationResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const settings = {
        previousHours: body.previousValidHours ?? 24,
        now: app.clock.now(),
        ip,
        config: app.settings,
      }
      const row = await inTransaction(sql, (tx) => rotateSecret(tx, caller, params.automationId, settings))
      const [automation] = await toWireAutomations({ sql, config: app.settings }, caller, [row])
      if (!automation) throw automationErrors.notFound()
      return { status: true as const, message: "Secret rotated", data: automation }
    },
  })
}

async function findWebhook(sql: Sql, caller: Caller, automationId: string): Promise<AutomationRow> {
  const automation = await findAutomation(sql, caller, automationId)
  if (!automation) throw automationErrors.notFound()
  if (automation.automationType !== "webhook")
    throw automationErrors.badTrigger({ message: "Only a webhook has deliveries" })
  return automation
}

function note(
  tx: Tx,
  caller: Caller,
  ip: string,
  action: "automation.pause" | "automation.resume",
  { id, name }: AutomationRow,
): Promise<void> {
  return audit(tx, actorOf(caller, ip), { action, targetType: "automation", targetId: id, targetName: name })
}
