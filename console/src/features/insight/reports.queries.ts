import { dimensionsOfMetric, type ReportDimension, type ReportMetricName } from "#shared/report-metrics.ts"
import { type Preset, reports } from "#shared/report-presets.ts"
import { dataQuery, type RequestBody, type ResponseBody, server } from "../../api/server.ts"
import type { EventsSearch } from "./events-search.ts"
import { daysOf, type ReportSearch } from "./report-search.ts"

export type Report = ResponseBody<"getReportFigures">["data"]
export type ReportRow = Report["rows"][number]
export type InsightSettings = RequestBody<"replaceReportTargets">

/** The most rows that a page shows; files have all. */
export const maxRows = 500

/** What a search asks for: metrics that can be shown by its group, of the chosen hub. */
export function optionsOf(search: ReportSearch, { hub, today }: { hub: string | undefined; today: string }) {
  const preset: Preset = reports[search.report ?? "onTime"]
  const groupBy: ReportDimension = search.groupBy ?? preset.groupBy
  const isOffered = (metric: ReportMetricName) =>
    dimensionsOfMetric(metric).includes(groupBy) &&
    (!search.flowId || dimensionsOfMetric(metric).includes("flow"))
  const metrics = preset.metrics.filter(isOffered)
  const shown = [search.metric, preset.chart].find((name) => name && metrics.includes(name))
  return {
    groupBy,
    metrics,
    /** Of the chart. */
    metric: shown ?? metrics[0],
    query: {
      metrics: metrics.join(",") || "finished",
      groupBy,
      ...daysOf(search, today),
      ...(search.compare ? { compareTo: search.compare } : {}),
      ...(search.flowId ? { flowId: search.flowId } : {}),
      ...(search.person ? { person: search.person } : {}),
      ...(hub ? { hubId: hub } : {}),
    },
  }
}

export function reportQuery(options: ReturnType<typeof optionsOf>) {
  const { query, groupBy, metrics } = options
  // People and reasons with the most first, times in their order.
  const isTime = ["day", "week", "month", "weekday", "hour"].includes(groupBy)
  const order = isTime || !metrics[0] ? {} : { sortBy: metrics[0], sortOrder: "desc" }
  return dataQuery(["reports", query], "/api/v3/reports/figures", {
    query: { ...query, ...order, limit: maxRows },
  })
}

export function sessionsQuery({ kind: _, ...query }: EventsSearch) {
  return dataQuery(["reports", "sessions", query], "/api/v3/reports/sessions", { query })
}

export function alarmsQuery({ vehicleId: _, ...query }: EventsSearch) {
  return dataQuery(["reports", "alarms", query], "/api/v3/reports/alarms", { query })
}

export const settingsQuery = dataQuery(["reports", "settings"], "/api/v3/reports/settings")
export const saveSettings = (body: InsightSettings) => server.put("/api/v3/reports/settings", { body })
