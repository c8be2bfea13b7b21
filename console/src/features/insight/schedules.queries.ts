import { dataQuery, type RequestBody, type ResponseBody, server } from "../../api/server.ts"

export type Schedule = ResponseBody<"listReportSchedules">["data"][number]
export type ScheduleInput = RequestBody<"createReportSchedule">

export const schedulesQuery = dataQuery(["report-schedules"], "/api/v3/report-schedules")

export async function saveSchedule(id: string | undefined, body: ScheduleInput): Promise<void> {
  if (id === undefined) await server.post("/api/v3/report-schedule", { body })
  else
    await server.put("/api/v3/report-schedule/{reportScheduleId}", {
      reportScheduleId: id,
      body: inputOf(body),
    })
}

/** What the server adds to a schedule is no part of a change. */
function inputOf(schedule: ScheduleInput): ScheduleInput {
  const { name, metrics, groupBy, compareTo, hubId, flowId, person, period, every } = schedule
  const { weekday, day, time, files, recipients, page, isActive } = schedule
  const body = {
    name,
    metrics,
    groupBy,
    compareTo,
    hubId,
    flowId,
    person,
    period,
    every,
    time,
    files,
    recipients,
  }
  return JSON.parse(JSON.stringify({ ...body, weekday, day, page, isActive })) as ScheduleInput
}

export const deleteSchedule = (reportScheduleId: string) =>
  server.delete("/api/v3/report-schedule/{reportScheduleId}", { reportScheduleId })
export const trySchedule = (reportScheduleId: string) =>
  server.post("/api/v3/report-schedule/{reportScheduleId}/try", { reportScheduleId })
