import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { scheduleErrors } from "./errors.ts"
import { findSchedule, listSchedules } from "./queries.ts"
import {
  ScheduleBody,
  ScheduleListQuery,
  ScheduleListResponse,
  SchedulePatch,
  ScheduleResponse,
  ScheduleWritten,
} from "./schemas.ts"
import { type ScheduleRow, scheduleETag, toWireSchedule } from "./wire.ts"
import { createSchedule, deleteSchedule, patchSchedule, replaceSchedule } from "./write-schedule.ts"

export const ScheduleParams = Type.Object({ scheduleId: IdSchema("schedule") })

export function scheduleCrudRoutes(app: App): void {
  const written = (row: ScheduleRow, message: string) => ({
    status: true as const,
    message,
    data: toWireSchedule(row, app.clock.now()),
  })

  app.get("/task/schedules", {
    config: { permission: "view/schedule" },
    schema: {
      operationId: "listSchedules",
      summary: "List schedules",
      querystring: ScheduleListQuery,
      response: { 200: ScheduleListResponse },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "sched")
      const direction = readDirection(query.sortOrder)
      const { rows, total } = await listSchedules(sql, caller, query, { page, direction })
      const now = app.clock.now()
      const shown = rows.map((row) => pickFields(toWireSchedule(row, now), query.fields))
      return {
        status: true as const,
        message: "Success",
        taskSchedules: paginate(shown, total, page, address),
      }
    },
  })

  app.get("/task/schedule/:scheduleId", {
    config: { versioned: true, permission: "view/schedule", quick: true },
    schema: {
      operationId: "getSchedule",
      summary: "Get a schedule",
      params: ScheduleParams,
      response: { 200: ScheduleResponse },
    },
    async handler({ sql, caller, params }, reply) {
      const row = await findSchedule(sql, caller, params.scheduleId)
      if (!row) throw scheduleErrors.notFound()
      reply.header("etag", scheduleETag(row))
      return {
        status: true as const,
        message: "Success",
        taskSchedules: toWireSchedule(row, app.clock.now()),
      }
    },
  })

  app.post("/task/schedule", {
    config: { versioned: true, permission: "add/schedule" },
    schema: {
      operationId: "createSchedule",
      summary: "Create a schedule that creates tasks",
      body: ScheduleBody,
      response: { 200: ScheduleWritten },
    },
    async handler({ sql, caller, body }, reply) {
      const context = { now: app.clock.now(), live: app.live }
      const row = await inTransaction(sql, (tx) => createSchedule(tx, caller, body, context))
      reply.header("etag", scheduleETag(row))
      return written(row, "Task Scheduler has been created")
    },
  })

  app.put("/task/schedule/:scheduleId", {
    config: { versioned: true, permission: "edit/schedule" },
    schema: {
      operationId: "replaceSchedule",
      summary: "Replace a schedule; tasks that it created are unchanged",
      params: ScheduleParams,
      body: ScheduleBody,
      response: { 201: ScheduleWritten },
    },
    async handler({ sql, caller, params, body, headers }, reply) {
      const context = { now: app.clock.now(), live: app.live, ifMatch: headers["if-match"] }
      const row = await inTransaction(sql, (tx) =>
        replaceSchedule(tx, caller, params.scheduleId, body, context),
      )
      reply.code(201).header("etag", scheduleETag(row))
      return written(row, "Update data success")
    },
  })

  app.patch("/task/schedule/:scheduleId", {
    config: { versioned: true, permission: "edit/schedule" },
    schema: {
      operationId: "patchSchedule",
      summary: "Change some fields of a schedule; the result must be valid as a whole",
      params: ScheduleParams,
      body: Type.Optional(SchedulePatch),
      response: { 201: ScheduleWritten },
    },
    async handler({ sql, caller, params, body, headers }, reply) {
      const context = { now: app.clock.now(), live: app.live, ifMatch: headers["if-match"] }
      const row = await inTransaction(sql, (tx) =>
        patchSchedule(tx, caller, params.scheduleId, body ?? {}, context),
      )
      reply.code(201).header("etag", scheduleETag(row))
      return written(row, "Update data success")
    },
  })

  app.delete("/task/schedule/:scheduleId", {
    config: { versioned: true, permission: "delete/schedule" },
    schema: {
      operationId: "deleteSchedule",
      summary: "Move a schedule to the trash; tasks that it created stay",
      params: ScheduleParams,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, headers }) {
      const context = { now: app.clock.now(), live: app.live, ifMatch: headers["if-match"] }
      await inTransaction(sql, (tx) => deleteSchedule(tx, caller, params.scheduleId, context))
      return { status: true as const, message: "Delete success." }
    },
  })
}
