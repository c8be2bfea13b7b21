import pLimit from "p-limit"
import { Type } from "typebox"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { ListQuery, readDirection, readPage } from "#core/paging.ts"
import { FilterParameter } from "#core/row-filter.ts"
import { automationErrors } from "../errors.ts"
import { LogResponse } from "../schemas.ts"
import { type Outside, retryEntry } from "../webhooks/retry-entry.ts"
import { listLog, toWireEntry } from "./read-log.ts"

const LogId = Type.String({ minLength: 1, maxLength: 100 })
const max = 200

export function automationLogRoutes(app: App): void {
  const outside: Outside = { sql: app.sql, clock: app.clock, config: app.settings, live: app.live }

  app.get("/automation-log", {
    config: { permission: "view/automation" },
    schema: {
      operationId: "listAutomationLog",
      summary: "List all automation attempts of the last 30 days",
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
        filter: FilterParameter,
      }),
      response: { 200: LogResponse },
    },
    async handler({ sql, caller, query }) {
      const page = readPage(query, "auto", { default: 10 })
      const direction = readDirection(query.sortOrder)
      const built = query.filter === undefined ? undefined : { text: query.filter, now: app.clock.now() }
      const { rows, total } = await listLog(sql, caller, { ...query, direction, built }, page)
      const { page: _page, limit: _limit, sortBy = "@timestamp", sortOrder: _order, ...filter } = query
      const must = Object.entries(filter).map(([field, value]) => ({ match: { [field]: value } }))
      return {
        status: true as const,
        message: "elasticData",
        total,
        data: rows.map((row) => toWireEntry(row, caller)),
        params: {
          from: page.offset,
          size: page.limit,
          query: { bool: { must } },
          sort: [{ [sortBy]: { order: direction } }],
        },
      }
    },
  })

  app.patch("/automation-retry/:logId", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "retryAutomation",
      summary: "Resend the request of a log entry",
      params: Type.Object({ logId: LogId }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ caller, params }) {
      await retryEntry(outside, caller, params.logId)
      return { status: true as const, message: "Retry executed" }
    },
  })

  app.post("/automation-retries", {
    config: { permission: "edit/automation" },
    schema: {
      operationId: "retryAutomations",
      summary: "Resend the requests of up to 200 log entries",
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
    async handler({ caller, body }) {
      if (body.id.length > max) throw automationErrors.tooMany()
      const ids = [...new Set(body.id)]
      const details: Record<string, string> = {}
      // A few at a time: two hundred calls that hang one after the other would take an hour and a half.
      await pLimit(10).map(ids, async (id) => {
        details[id] = await retryOne(outside, caller, id)
      })
      const success = Object.values(details).filter((text) => text === succeeded).length
      return {
        status: true as const,
        message: "Success.",
        data: { total: ids.length, success, failed: ids.length - success, details },
      }
    },
  })
}

const succeeded = "Success."

async function retryOne(
  outside: Outside,
  caller: Parameters<typeof retryEntry>[1],
  id: string,
): Promise<string> {
  try {
    return (await retryEntry(outside, caller, id)) ? succeeded : "The retry failed. See the log"
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
