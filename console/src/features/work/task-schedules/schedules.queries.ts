import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"

export type Schedule =
  operations["getSchedule"]["responses"]["200"]["content"]["application/json"]["taskSchedules"]
export type ScheduleBody = operations["createSchedule"]["requestBody"]["content"]["application/json"]
export type Recurrence = Pick<
  ScheduleBody,
  "periode" | "frequency" | "interval" | "schedules" | "startTime" | "endTime" | "timeZone"
>
export type ScheduleRun =
  operations["listScheduleRuns"]["responses"]["200"]["content"]["application/json"]["runs"]["data"][number]

export const schedulesQuery = queryOptions({
  queryKey: ["schedules"],
  queryFn: async ({ signal }) => {
    const { taskSchedules } = await responseOf(
      api.GET("/api/v3/task/schedules", { params: { query: { limit: -1 } }, signal }),
    )
    return taskSchedules.data as Schedule[]
  },
})

/** Enough for the calendar of some months of a daily schedule. */
const previewRuns = 100

/** What decides which other schedules a schedule may meet. */
export interface PreviewContext {
  hubId?: string | null | undefined
  flowId?: string | undefined
  assignee?: string[] | undefined
  scheduleId?: string | undefined
}

/** When a schedule would run, in words and as instants. The server computes both, by the rules that run it. */
export function previewQuery(recurrence: Recurrence, context: PreviewContext) {
  const known = Object.fromEntries(Object.entries(context).filter(([, value]) => value))
  const body = { ...recurrence, ...known, limit: previewRuns }
  return queryOptions({
    queryKey: ["schedule-preview", body],
    queryFn: async ({ signal }) =>
      (await responseOf(api.POST("/api/v3/task/schedule/preview", { body, signal }))).data,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Runs that are shown at once; the server keeps those of 90 days. */
const shownRuns = 100

export function runsQuery(scheduleId: string) {
  return queryOptions({
    queryKey: ["schedules", scheduleId, "runs"],
    queryFn: async ({ signal }) => {
      const params = { path: { scheduleId }, query: { limit: shownRuns } }
      const { runs } = await responseOf(
        api.GET("/api/v3/task/schedule/{scheduleId}/runs", { params, signal }),
      )
      return { runs: runs.data, total: runs.total ?? 0 }
    },
  })
}

export function skipDate(scheduleId: string, date: string, skipped: boolean) {
  const params = { path: { scheduleId } }
  return responseOf(api.POST("/api/v3/task/schedule/{scheduleId}/skip", { params, body: { date, skipped } }))
}

export async function saveSchedule(scheduleId: string | undefined, body: ScheduleBody): Promise<void> {
  if (scheduleId)
    await responseOf(
      api.PATCH("/api/v3/task/schedule/{scheduleId}", { params: { path: { scheduleId } }, body }),
    )
  else await responseOf(api.POST("/api/v3/task/schedule", { body }))
}

export const scheduleActions = {
  pause: (scheduleId: string) =>
    responseOf(api.PUT("/api/v3/task/schedule/{scheduleId}/pause", { params: { path: { scheduleId } } })),
  resume: (scheduleId: string) =>
    responseOf(api.PUT("/api/v3/task/schedule/{scheduleId}/resume", { params: { path: { scheduleId } } })),
  run: (scheduleId: string) =>
    responseOf(api.POST("/api/v3/task/schedule/{scheduleId}/run", { params: { path: { scheduleId } } })),
  remove: (scheduleId: string) =>
    responseOf(api.DELETE("/api/v3/task/schedule/{scheduleId}", { params: { path: { scheduleId } } })),
}
export type ScheduleAction = keyof typeof scheduleActions
