import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { answerOf, api } from "../../api/client.ts"
import type { operations } from "../../api/schema.d.ts"

export type Schedule =
  operations["getSchedule"]["responses"]["200"]["content"]["application/json"]["taskSchedules"]
export type ScheduleBody = operations["createSchedule"]["requestBody"]["content"]["application/json"]
export type Recurrence = Pick<ScheduleBody, "periode" | "schedules" | "startTime" | "endTime" | "timeZone">

export const schedulesQuery = queryOptions({
  queryKey: ["schedules"],
  queryFn: async ({ signal }) => {
    const { taskSchedules } = await answerOf(
      api.GET("/api/v3/task/schedules", { params: { query: { limit: -1 } }, signal }),
    )
    return taskSchedules.data as Schedule[]
  },
})

const previewRuns = 8

/** When a schedule would run, in words and as instants. The server computes both, by the rules that run it. */
export function previewQuery(recurrence: Recurrence) {
  return queryOptions({
    queryKey: ["schedule-preview", recurrence],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.POST("/api/v3/task/schedule/preview", { body: { ...recurrence, limit: previewRuns }, signal }),
        )
      ).data,
    placeholderData: keepPreviousData,
    retry: false,
  })
}

export async function saveSchedule(scheduleId: string | undefined, body: ScheduleBody): Promise<void> {
  if (scheduleId)
    await answerOf(
      api.PATCH("/api/v3/task/schedule/{scheduleId}", { params: { path: { scheduleId } }, body }),
    )
  else await answerOf(api.POST("/api/v3/task/schedule", { body }))
}

export const scheduleActions = {
  pause: (scheduleId: string) =>
    answerOf(api.PUT("/api/v3/task/schedule/{scheduleId}/pause", { params: { path: { scheduleId } } })),
  resume: (scheduleId: string) =>
    answerOf(api.PUT("/api/v3/task/schedule/{scheduleId}/resume", { params: { path: { scheduleId } } })),
  run: (scheduleId: string) =>
    answerOf(api.POST("/api/v3/task/schedule/{scheduleId}/run", { params: { path: { scheduleId } } })),
  remove: (scheduleId: string) =>
    answerOf(api.DELETE("/api/v3/task/schedule/{scheduleId}", { params: { path: { scheduleId } } })),
}
export type ScheduleAction = keyof typeof scheduleActions
