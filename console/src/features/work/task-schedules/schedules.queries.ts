import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { dataOf, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"

export type Schedule = ResponseBody<"getSchedule">["taskSchedules"]
export type ScheduleBody = RequestBody<"createSchedule">
export type Recurrence = Pick<
  ScheduleBody,
  "periode" | "frequency" | "interval" | "schedules" | "startTime" | "endTime" | "timeZone"
>
export type ScheduleRun = ResponseBody<"listScheduleRuns">["runs"]["data"][number]

export const schedulesQuery = queryOptions({
  queryKey: ["schedules"],
  queryFn: async ({ signal }) => {
    const { taskSchedules } = await server.get("/api/v3/task/schedules", { query: { limit: -1 }, signal })
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
    queryFn: ({ signal }) => dataOf(server.post("/api/v3/task/schedule/preview", { body, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Runs on one page; the server stores them for 90 days. */
const shownRuns = 100

export function runsQuery(scheduleId: string) {
  return queryOptions({
    queryKey: ["schedules", scheduleId, "runs"],
    queryFn: async ({ signal }) => {
      const { runs } = await server.get("/api/v3/task/schedule/{scheduleId}/runs", {
        scheduleId,
        query: { limit: shownRuns },
        signal,
      })
      return { runs: runs.data, total: runs.total ?? 0 }
    },
  })
}

export const skipDate = (scheduleId: string, date: string, skipped: boolean) =>
  server.post("/api/v3/task/schedule/{scheduleId}/skip", { scheduleId, body: { date, skipped } })

export async function saveSchedule(scheduleId: string | undefined, body: ScheduleBody): Promise<void> {
  if (scheduleId) await server.patch("/api/v3/task/schedule/{scheduleId}", { scheduleId, body })
  else await server.post("/api/v3/task/schedule", { body })
}

export const scheduleActions = {
  pause: (scheduleId: string) => server.put("/api/v3/task/schedule/{scheduleId}/pause", { scheduleId }),
  resume: (scheduleId: string) => server.put("/api/v3/task/schedule/{scheduleId}/resume", { scheduleId }),
  run: (scheduleId: string) => server.post("/api/v3/task/schedule/{scheduleId}/run", { scheduleId }),
  remove: (scheduleId: string) => server.delete("/api/v3/task/schedule/{scheduleId}", { scheduleId }),
}
export type ScheduleAction = keyof typeof scheduleActions
