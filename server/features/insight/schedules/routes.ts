import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { send } from "#core/jobs/define-job.ts"
import { readLine } from "#core/plain-text.ts"
import { daysOfPeriod } from "#shared/report-periods.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import { findContacts } from "../../people/users/index.ts"
import { readReportQuery } from "../reports/index.ts"
import { scheduleErrors } from "./errors.ts"
import { queueOf, sendReport } from "./jobs.ts"
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  listSchedules,
  type ScheduleRow,
  type ScheduleValues,
  updateSchedule,
} from "./queries.ts"
import { ScheduleBody, type ScheduleInput, ScheduleSchema } from "./schemas.ts"

const Params = Type.Object({ reportScheduleId: IdSchema("report-schedule") })
const Success = { status: Type.Literal(true), message: Type.String() }
const One = Type.Object({ ...Success, data: ScheduleSchema })

/** Reports that are mailed on a schedule. Members see their own schedules, administrators all. */
export function reportScheduleRoutes(app: App): void {
  app.get("/report-schedules", {
    config: { permission: "view/dashboard" },
    schema: {
      operationId: "listReportSchedules",
      summary: "List report schedules",
      description:
        "Your own; all of them with edit/organization. At most 200, which is how many there can be.",
      response: { 200: Type.Object({ ...Success, data: Type.Array(ScheduleSchema) }) },
    },
    async handler({ sql, caller }) {
      const data = (await listSchedules(sql, caller)).map(toWire)
      return { status: true as const, message: "Success", data }
    },
  })

  app.post("/report-schedule", {
    config: { permission: "view/dashboard" },
    schema: {
      operationId: "createReportSchedule",
      summary: "Mail a report on a schedule",
      description:
        "The report shows what you may see. Each time is sent once; after downtime the last missed one.",
      body: ScheduleBody,
      response: { 201: One },
    },
    async handler({ sql, caller, body }, reply) {
      const row = await inTransaction(sql, async (tx) =>
        insertSchedule(tx, caller, await readSchedule(tx, caller, body), app.clock.now()),
      )
      reply.code(201)
      return { status: true as const, message: "Schedule created", data: toWire(row) }
    },
  })

  app.put("/report-schedule/:reportScheduleId", {
    config: { permission: "view/dashboard" },
    schema: {
      operationId: "updateReportSchedule",
      summary: "Replace a report schedule",
      description: "Its owner stays: the report shows what they may see.",
      params: Params,
      body: ScheduleBody,
      response: { 200: One },
    },
    async handler({ sql, caller, params, body }) {
      const row = await inTransaction(sql, async (tx) => {
        const { id } = await findSchedule(tx, caller, params.reportScheduleId)
        return updateSchedule(tx, caller, id, await readSchedule(tx, caller, body), app.clock.now())
      })
      return { status: true as const, message: "Saved", data: toWire(row) }
    },
  })

  app.delete("/report-schedule/:reportScheduleId", {
    config: { permission: "view/dashboard" },
    schema: {
      operationId: "deleteReportSchedule",
      summary: "Delete a report schedule",
      params: Params,
      response: { 200: Type.Object(Success) },
    },
    async handler({ sql, caller, params }) {
      await inTransaction(sql, async (tx) =>
        deleteSchedule(tx, await findSchedule(tx, caller, params.reportScheduleId)),
      )
      return { status: true as const, message: "The schedule has been deleted" }
    },
  })

  app.post("/report-schedule/:reportScheduleId/try", {
    config: { permission: "view/dashboard" },
    schema: {
      operationId: "tryReportSchedule",
      summary: "Mail the report to yourself now",
      description: "The times of the schedule stay as they are.",
      params: Params,
      response: { 200: Type.Object(Success) },
    },
    async handler({ sql, caller, params }) {
      const { organizationId, id } = await findSchedule(sql, caller, params.reportScheduleId)
      const payload = {
        organizationId,
        scheduleId: id,
        due: app.clock.now().toString(),
        trialFor: caller.userId,
      }
      await send(sql, sendReport, payload, { ...queueOf(organizationId), key: `try:${id}:${caller.userId}` })
      return { status: true as const, message: "The report is on its way" }
    },
  })
}

/** Refuses what could never be sent: figures that do not exist, recipients who are no members. */
async function readSchedule(sql: Sql, caller: Caller, body: ScheduleInput): Promise<ScheduleValues> {
  const { name, isActive = true, ...settings } = body
  readReportQuery(caller, { ...settings, ...daysOfPeriod(settings.period, "2031-05-07") })
  const recipients = [...new Set(settings.recipients.map((id) => id.toLowerCase()))]
  const known = await findContacts(sql, caller.organizationId, recipients)
  if (known.length < recipients.length) throw scheduleErrors.badRecipient()
  return {
    name: readLine(name, "rpsch", "name"),
    isActive,
    settings: { ...settings, recipients: settings.recipients },
  }
}

function toWire({ id, name, settings, isActive, ownerId, error, updatedBy, ...times }: ScheduleRow) {
  return {
    _id: id,
    name,
    ...settings,
    ...{ isActive, ownerId, error, updatedBy },
    nextTime: orNull(times.nextAt, toT1),
    sentTime: orNull(times.sentFor, toT1),
    createdTime: toT1(times.createdTime),
    updatedTime: toT1(times.updatedTime),
  }
}
