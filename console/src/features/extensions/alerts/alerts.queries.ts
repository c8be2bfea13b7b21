import { queryOptions } from "@tanstack/react-query"
import { dataQuery, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"

export type Alert = ResponseBody<"listAlerts">["data"]["data"][number]
export type AlertRule = ResponseBody<"listAlertRules">["data"][number]
export type RuleInput = RequestBody<"createAlertRule">
export type AlertKind = Alert["kind"]
export type AlertState = "open" | "unacknowledged" | "ended"

export const alertKinds = [
  ...(["enter", "exit", "dwell", "speed", "outsideHours"] as const),
  ...(["silent", "battery", "device", "late", "eta", "maintenance", "inspection"] as const),
]
export const pageSize = 100

export interface AlertFilter {
  state?: AlertState | undefined
  kind?: AlertKind | undefined
  hubId?: string | undefined
  page: number
}

export const alertsQuery = (filter: AlertFilter) =>
  queryOptions({
    queryKey: ["alerts", filter],
    queryFn: ({ signal }) => {
      const { page, ...rest } = filter
      const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
      return server.get("/api/v3/alerts", { query: { ...given, page, limit: pageSize }, signal })
    },
  })

/** How many open alerts nobody has acknowledged. */
export const openAlertsQuery = queryOptions({
  queryKey: ["alerts", "count"],
  queryFn: async ({ signal }) => (await server.get("/api/v3/alerts", { query: { limit: 1 }, signal })).open,
  refetchInterval: 60_000,
})

export const vehicleNamesQuery = dataQuery(["vehicles", "names"], "/api/v3/vehicles", {
  query: { limit: 1_000 },
})

export const rulesQuery = dataQuery(["alert-rules"], "/api/v3/alert-rules")

export const acknowledgeAlerts = (alertIds: readonly string[]) =>
  server.post("/api/v3/alerts/acknowledge", {
    body: { alertIds: [...alertIds] } as RequestBody<"acknowledgeAlerts">,
  })

export async function saveRule(id: string | undefined, body: RuleInput): Promise<void> {
  if (id === undefined) await server.post("/api/v3/alert-rule", { body })
  else await server.put("/api/v3/alert-rule/{alertRuleId}", { alertRuleId: id, body })
}

export const deleteRule = (alertRuleId: string) =>
  server.delete("/api/v3/alert-rule/{alertRuleId}", { alertRuleId })
