import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { ListQuery, paginate, readPage } from "#core/paging.ts"
import { scheduleErrors } from "../errors.ts"
import { previewSchedule } from "../preview.ts"
import { findSchedule, listRuns } from "../queries.ts"
import { ScheduleParams } from "../routes.ts"
import { PreviewBody, PreviewResponse, RunListResponse, ScheduleRan, ScheduleWritten } from "../schemas.ts"
import { type ScheduleRow, scheduleETag, toWireRun, toWireSchedule } from "../wire.ts"
import { pauseSchedule, resumeSchedule, skipDate } from "./change-runs.ts"
import { runNow } from "./run-now.ts"

/** What the runs of a schedule are, were, and are made to be. */
export function scheduleRunRoutes(app: App): void {
  const written = (row: ScheduleRow, message: string) => ({
    status: true as const,
    message,
    data: toWireSchedule(row, app.clock.now()),
  })

  app.post("/task/schedule/preview", {
    config: { anyOf: ["view/schedule", "add/schedule", "edit/schedule"], idempotent: false },
    schema: {
      operationId: "previewSchedule",
      summary: "Preview the next runs of an unsaved schedule and their clashes with other schedules",
      description:
        "Compares the schedule with the next 200 schedules of the same people, or of the same flow at the same hub. Clashes are allowed.",
      body: PreviewBody,
      response: { 200: PreviewResponse },
    },
    handler: async ({ sql, caller, body }) => ({
      status: true as const,
      message: "Success",
      data: await previewSchedule(sql, caller, body, app.clock.now()),
    }),
  })

  app.get("/task/schedule/:scheduleId/runs", {
    config: { permission: "view/schedule" },
    schema: {
      operationId: "listScheduleRuns",
      summary: "How the runs of a schedule went, the latest first; kept for 90 days",
      params: ScheduleParams,
      querystring: Type.Object({ page: ListQuery.page, limit: ListQuery.limit }),
      response: { 200: RunListResponse },
    },
    async handler({ sql, caller, params, query, address }) {
      const page = readPage(query, "sched")
      const row = await findSchedule(sql, caller, params.scheduleId)
      if (!row) throw scheduleErrors.notFound()
      const { rows, total } = await listRuns(sql, row, page)
      const runs = paginate(rows.map(toWireRun), total, page, address)
      return { status: true as const, message: "Success", runs }
    },
  })

  app.put("/task/schedule/:scheduleId/pause", {
    config: { versioned: true, permission: "edit/schedule" },
    schema: {
      operationId: "pauseSchedule",
      summary: "Pause a schedule",
      params: ScheduleParams,
      response: { 200: ScheduleWritten },
    },
    async handler({ sql, caller, params, headers }, reply) {
      const context = { now: app.clock.now(), live: app.live, ifMatch: headers["if-match"] }
      const row = await inTransaction(sql, (tx) => pauseSchedule(tx, caller, params.scheduleId, context))
      reply.header("etag", scheduleETag(row))
      return written(row, "Task Scheduler has been paused")
    },
  })

  app.put("/task/schedule/:scheduleId/resume", {
    config: { versioned: true, permission: "edit/schedule" },
    schema: {
      operationId: "resumeSchedule",
      summary: "Resume a paused schedule; runs missed during the pause are not repeated",
      params: ScheduleParams,
      response: { 200: ScheduleWritten },
    },
    async handler({ sql, caller, params, headers }, reply) {
      const context = { now: app.clock.now(), live: app.live, ifMatch: headers["if-match"] }
      const row = await inTransaction(sql, (tx) => resumeSchedule(tx, caller, params.scheduleId, context))
      reply.header("etag", scheduleETag(row))
      return written(row, "Task Scheduler has been resumed")
    },
  })

  app.post("/task/schedule/:scheduleId/skip", {
    config: { versioned: true, permission: "edit/schedule" },
    schema: {
      operationId: "skipScheduleDate",
      summary: "Skip a date of a schedule, or restore it",
      params: ScheduleParams,
      body: Type.Object({
        date: Type.String({ format: "wire-date", description: "Y-m-d in the schedule's time zone" }),
        skipped: Type.Optional(Type.Boolean({ description: "false restores the date; default true" })),
      }),
      response: { 200: ScheduleWritten },
    },
    async handler({ sql, caller, params, body, headers }, reply) {
      const context = { now: app.clock.now(), live: app.live, ifMatch: headers["if-match"] }
      const options = { date: body.date, isSkipped: body.skipped ?? true }
      const row = await inTransaction(sql, (tx) => skipDate(tx, caller, params.scheduleId, options, context))
      reply.header("etag", scheduleETag(row))
      return written(row, options.isSkipped ? "The date is skipped" : "The date is back in the schedule")
    },
  })

  app.post("/task/schedule/:scheduleId/run", {
    config: { permission: "edit/schedule" },
    schema: {
      operationId: "runSchedule",
      summary: "Create the schedule's task now, in addition to its runs",
      params: ScheduleParams,
      response: { 200: ScheduleRan },
    },
    async handler({ sql, caller, params }) {
      const context = { now: app.clock.now(), live: app.live }
      const { row, outcome } = await inTransaction(sql, (tx) =>
        runNow(tx, caller, params.scheduleId, context),
      )
      if (outcome.taskId === null) throw new AppError(400, outcome.failedCode, outcome.message.join(" "))
      return { ...written(row, "Task has been created successfully."), taskId: outcome.taskId }
    },
  })
}
