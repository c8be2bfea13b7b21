import { keepPreviousData, queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"

export type Automation =
  operations["getAutomation"]["responses"]["200"]["content"]["application/json"]["data"]
export type AutomationBody = operations["createAutomation"]["requestBody"]["content"]["application/json"]
export type LogHit = Omit<
  operations["listAutomationLog"]["responses"]["200"]["content"]["application/json"]["data"][number],
  "_score"
>

/** All automations, webhooks among them; a thousand is more than anybody overlooks. */
export const automationsQuery = queryOptions({
  queryKey: ["automations", "all"],
  queryFn: async ({ signal }) => {
    const query = { limit: 1000, sortBy: "name", sortOrder: "asc" } as const
    const answer = await responseOf(api.GET("/api/v3/automations", { params: { query }, signal }))
    return answer.data.data as Automation[]
  },
})

export function automationQuery(automationId: string) {
  return queryOptions({
    queryKey: ["automations", "one", automationId],
    queryFn: async ({ signal }) => {
      const params = { path: { automationId } }
      return (await responseOf(api.GET("/api/v3/automation/{automationId}", { params, signal }))).data
    },
  })
}

export interface LogFilter {
  automationId?: string | undefined
  isSuccess?: boolean | undefined
  /** A calendar date in UTC. */
  day?: string | undefined
  referenceId?: string | undefined
}

export const logPageSize = 50

/** Tries come without an event of their own, so a shown log asks again every few seconds. */
const logRefreshMilliseconds = 5_000

export function logQuery({ automationId, isSuccess, day, referenceId }: LogFilter, page: number) {
  const query = {
    page,
    limit: logPageSize,
    ...(automationId && { automationId }),
    ...(isSuccess !== undefined && { isSuccess }),
    ...(day && { startDate: day, endDate: day }),
    ...(referenceId && { taskId: referenceId }),
  }
  return queryOptions({
    queryKey: ["automations", "log", query],
    queryFn: ({ signal }) => responseOf(api.GET("/api/v3/automation-log", { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: logRefreshMilliseconds,
  })
}

export function switchAutomation(automationId: string, isActive: boolean) {
  return responseOf(
    api.PATCH("/api/v3/automation/{automationId}", {
      params: { path: { automationId } },
      body: { isActive },
    }),
  )
}

export function saveAutomation(automationId: string | undefined, body: AutomationBody) {
  return automationId === undefined
    ? responseOf(api.POST("/api/v3/automation", { body }))
    : responseOf(api.PUT("/api/v3/automation/{automationId}", { params: { path: { automationId } }, body }))
}

/** The previous secret signs as well for a day. */
export function rotateSecret(automationId: string) {
  return responseOf(
    api.POST("/api/v3/automation/{automationId}/rotate-secret", {
      params: { path: { automationId } },
      body: {},
    }),
  )
}
