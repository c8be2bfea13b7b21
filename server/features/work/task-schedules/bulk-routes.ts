import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { entryReader } from "#core/http/validation.ts"
import { scheduleErrors } from "./errors.ts"
import { BulkResponse, ScheduleBody } from "./schemas.ts"
import { createSchedules } from "./write-schedule.ts"

const maxSchedules = 50
const readBody = entryReader(ScheduleBody, "sched")

export function scheduleBulkRoutes(app: App): void {
  app.post("/task/schedules/bulk", {
    config: { body: "bulk", permission: "add/schedule" },
    schema: {
      operationId: "createSchedules",
      summary: "Create up to 50 schedules; invalid ones do not affect the others",
      body: Type.Object({
        schedules: Type.Array(Type.Unknown(), {
          minItems: 1,
          description: `1 to ${maxSchedules} bodies of POST /task/schedule`,
        }),
      }),
      response: { 201: BulkResponse },
    },
    async handler({ sql, caller, body }, reply) {
      if (body.schedules.length > maxSchedules) throw scheduleErrors.tooMany()
      const context = { now: app.clock.now(), live: app.live }
      const readers = body.schedules.map((entry) => () => readBody(entry))
      const outcomes = await inTransaction(sql, (tx) => createSchedules(tx, caller, readers, context))
      const schedules = outcomes.map((outcome, index) => {
        if ("row" in outcome)
          return {
            status: true,
            message: "Task Scheduler has been created",
            _id: outcome.row.id as string,
            name: outcome.row.name,
          }
        const { message, failedCode } = outcome.refusal
        return { status: false, message, _id: "", name: nameOf(body.schedules[index]), failedCode }
      })
      const failedIndex = schedules.flatMap((entry, index) => (entry.status ? [] : [index]))
      reply.code(201)
      return {
        success: schedules.length - failedIndex.length,
        failed: failedIndex.length,
        schedules,
        failed_index: failedIndex,
      }
    },
  })
}

function nameOf(sent: unknown): string {
  const name = (sent as { name?: unknown } | null)?.name
  return typeof name === "string" ? name : ""
}
