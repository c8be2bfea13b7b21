import { queryOptions } from "@tanstack/react-query"
import type { RowFilter } from "#shared/row-filter.ts"
import { dataQuery, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import { type RowPage, windowRows } from "../../../ui/tables/list-window.ts"
import type { LogOrder } from "./log-search.ts"

export type Automation = ResponseBody<"getAutomation">["data"]
export type AutomationBody = RequestBody<"createAutomation">
export type LogHit = Omit<ResponseBody<"listAutomationLog">["data"][number], "_score">

/** All automations, including webhooks, up to a thousand. */
export const automationsQuery = queryOptions({
  queryKey: ["automations", "all"],
  queryFn: async ({ signal }) => {
    const query = { limit: 1000, sortBy: "name", sortOrder: "asc" } as const
    const answer = await server.get("/api/v3/automations", { query, signal })
    return answer.data.data as Automation[]
  },
})

export const automationQuery = (automationId: string) =>
  dataQuery(["automations", "one", automationId], "/api/v3/automation/{automationId}", { automationId })

interface LogFilter {
  automationId?: string | undefined
  isSuccess?: boolean | undefined
  /** A calendar date in UTC. */
  day?: string | undefined
  referenceId?: string | undefined
  built?: RowFilter | undefined
  sortBy?: LogOrder | undefined
  sortOrder?: "asc" | undefined
}

/** Attempts publish no event, so a visible log is refetched every few seconds. */
const logRefreshMilliseconds = 5_000

/** What was tried, newest first: a page of the log and its length. */
export function logPageQuery(filter: LogFilter, page: number, limit = windowRows) {
  const { automationId, isSuccess, day, referenceId, built, sortBy, sortOrder } = filter
  const query = {
    page,
    limit,
    ...(sortBy && { sortBy }),
    ...(sortOrder && { sortOrder }),
    ...(automationId && { automationId }),
    ...(isSuccess !== undefined && { isSuccess }),
    ...(day && { startDate: day, endDate: day }),
    ...(referenceId && { taskId: referenceId }),
    ...(built && { filter: JSON.stringify(built) }),
  }
  return {
    queryKey: ["automations", "log", query],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<RowPage<LogHit>> => {
      const { data, total } = await server.get("/api/v3/automation-log", { query, signal })
      return { rows: data, total }
    },
    refetchInterval: logRefreshMilliseconds,
  }
}

export const switchAutomation = (automationId: string, isActive: boolean) =>
  server.patch("/api/v3/automation/{automationId}", { automationId, body: { isActive } })

export function saveAutomation(automationId: string | undefined, body: AutomationBody) {
  return automationId === undefined
    ? server.post("/api/v3/automation", { body })
    : server.put("/api/v3/automation/{automationId}", { automationId, body })
}

/** The previous secret signs as well for a day. */
export const rotateSecret = (automationId: string) =>
  server.post("/api/v3/automation/{automationId}/rotate-secret", { automationId, body: {} })
