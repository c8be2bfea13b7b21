import { Type } from "typebox"
import { inTransaction } from "#core/database.ts"
import { eachEvent } from "#core/domain-events.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { sendAll } from "#core/jobs/define-job.ts"
import { ListQuery, readDirection, readPage } from "#core/paging.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import { automationErrors } from "./errors.ts"
import { runAutomation } from "./jobs.ts"
import { findAutomation } from "./queries.ts"
import { listLog, toWireEntry } from "./read-log.ts"
import { fits } from "./references.ts"
import { LogAnswer } from "./schemas.ts"
import { type Outside, testWebhook, tryAgain } from "./try-again.ts"

const tags = ["Automations"]
const Params = Type.Object({ automationId: IdSchema("automation") })
const LogId = Type.String({ minLength: 1, maxLength: 100 })
const most = 200

export function automationLogRoutes(app: App): void {
  const outside: Outside = { sql: app.sql, clock: app.clock, config: app.settings, live: app.live }

  app.get(
    "/automation-log",
    {
      config: { permission: "view/automation" },
      schema: {
        tags,
        operationId: "listAutomationLog",
        summary: "Every try of every automation, of the last 30 days",
        querystring: Type.Object({
          page: ListQuery.page,
          limit: ListQuery.limit,
          sortOrder: ListQuery.sortOrder,
          sortBy: Type.Optional(Type.String()),
          startDate: Type.Optional(Type.String({ format: "wire-date" })),
          endDate: Type.Optional(Type.String({ format: "wire-date" })),
          taskId: Type.Optional(Type.String({ description: "Id of the task, record or trip" })),
          automationId: Type.Optional(Type.String()),
          isSuccess: Type.Optional(Type.Boolean()),
        }),
        response: { 200: LogAnswer },
      },
    },
    async ({ sql, caller, query }) => {
      const page = readPage(query, "auto", { default: 10 })
      const direction = readDirection(query.sortOrder)
      const { rows, total } = await listLog(sql, caller, { ...query, direction }, page)
      const { page: _page, limit: _limit, sortBy = "@timestamp", sortOrder: _order, ...filter } = query
      return {
        status: true as const,
        message: "elasticData",
        total,
        data: rows.map((row) => toWireEntry(row, caller)),
        params: { from: page.offset, size: page.limit, query: filter, sort: [{ [sortBy]: direction }] },
      }
    },
  )

  app.patch(
    "/automation-retry/:logId",
    {
      config: { permission: "edit/automation" },
      schema: {
        tags,
        operationId: "retryAutomation",
        summary: "Send what an entry of the log sent once more",
        params: Type.Object({ logId: LogId }),
        response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
      },
    },
    async ({ caller, params }) => {
      await tryAgain(outside, caller, params.logId)
      return { status: true as const, message: "Retry executed" }
    },
  )

  app.post(
    "/automation-retries",
    {
      config: { permission: "edit/automation" },
      schema: {
        tags,
        operationId: "retryAutomations",
        summary: "Send up to 200 entries of the log once more",
        body: Type.Object({ id: Type.Array(LogId) }),
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            message: Type.String(),
            data: Type.Object({
              total: Type.Integer(),
              success: Type.Integer(),
              failed: Type.Integer(),
              details: Type.Record(Type.String(), Type.String()),
            }),
          }),
        },
      },
    },
    async ({ caller, body }) => {
      if (body.id.length > most) throw automationErrors.tooMany()
      const ids = [...new Set(body.id)]
      const details: Record<string, string> = {}
      // A few at a time: two hundred calls that hang one after the other would take an hour and a half.
      const waiting = [...ids]
      const work = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
          details[id] = await retryOne(outside, caller, id)
      }
      await Promise.all(Array.from({ length: 10 }, work))
      const success = Object.values(details).filter((text) => text === succeeded).length
      return {
        status: true as const,
        message: "Success.",
        data: { total: ids.length, success, failed: ids.length - success, details },
      }
    },
  )

  app.post(
    "/automation/:automationId/test",
    {
      config: { permission: "edit/automation" },
      schema: {
        tags,
        operationId: "testAutomation",
        summary: "Call a webhook now with the newest record of its event",
        params: Params,
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            message: Type.String(),
            data: Type.Object({
              logId: Type.String(),
              isSuccess: Type.Boolean(),
              statusCode: Type.Integer({ description: "0 when nothing answered" }),
              response: Type.String(),
            }),
          }),
        },
      },
    },
    async ({ sql, caller, params }) => {
      const automation = await findAutomation(sql, caller, params.automationId)
      if (!automation) throw automationErrors.notFound()
      if (automation.automationType !== "webhook")
        throw automationErrors.badTrigger({ message: "Only webhooks can be tested" })
      const { id, exchange } = await testWebhook(outside, automation)
      const { isSuccess, statusCode, response } = exchange
      return {
        status: true as const,
        message: "Test sent",
        data: { logId: id, isSuccess, statusCode, response },
      }
    },
  )

  app.post(
    "/automation/:automationId/replay",
    {
      config: { permission: "edit/automation" },
      schema: {
        tags,
        operationId: "replayAutomation",
        summary: "Call a webhook again, in order, for everything since a moment",
        params: Params,
        body: Type.Object({ since: Type.String({ format: "wire-date-time" }) }),
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            message: Type.String(),
            data: Type.Object({ events: Type.Integer() }),
          }),
        },
      },
    },
    async ({ sql, caller, params, body }) => {
      const automation = await findAutomation(sql, caller, params.automationId)
      if (!automation) throw automationErrors.notFound()
      if (automation.automationType !== "webhook")
        throw automationErrors.badTrigger({ message: "Only webhooks can be replayed" })
      const since = Temporal.Instant.fromEpochMilliseconds(Math.floor(parseDateTime(body.since) ?? 0))
      const events = await inTransaction(sql, async (tx) => {
        const stored = tx`organization_id = ${caller.organizationId} and event = ${automation.event} and created_time >= ${since}`
        const rows = await tx<{ xid: string; number: number; record: Record<string, unknown> }[]>`
          select xid::text, number, record from ${eachEvent(tx, stored)} happened
          order by xid, number limit 100000`
        const chosen = rows.filter((row) => fits(automation.rules, row.record))
        await sendAll(
          tx,
          runAutomation,
          chosen.map(({ xid, number }) => ({
            organizationId: caller.organizationId as string,
            automationId: automation.id as string,
            xid,
            number,
            attempt: replayAttempt,
            dispatchedAt: app.clock.now().toString(),
            queue: `webhook:${automation.id}`,
          })),
          "queue",
        )
        return chosen.length
      })
      return { status: true as const, message: "Replay started", data: { events } }
    },
  )
}

/** Replayed calls stand apart from the tries of the event itself, and are not tried again by themselves. */
const replayAttempt = -1
const succeeded = "Success."

async function retryOne(
  outside: Outside,
  caller: Parameters<typeof tryAgain>[1],
  id: string,
): Promise<string> {
  try {
    return (await tryAgain(outside, caller, id)) ? succeeded : "It failed again: see the log"
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
