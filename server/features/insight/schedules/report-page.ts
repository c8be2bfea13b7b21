import { isReportDimension, isReportMetric } from "#shared/report-metrics.ts"
import { reportNames, reports } from "#shared/report-presets.ts"
import type { ScheduleSettings } from "./schemas.ts"

/** The page of the console that shows what a schedule sends, where the schedule does not name one. */
export function pageOf(settings: Omit<ScheduleSettings, "page">): string {
  const metrics = settings.metrics.split(",").map((name) => name.trim())
  const [group = ""] = (settings.groupBy ?? "").split(",").map((name) => name.trim())
  const shared = (name: (typeof reportNames)[number]) => {
    const preset: readonly string[] = reports[name].metrics
    return metrics.filter((metric) => preset.includes(metric)).length
  }
  const [report = "onTime"] = reportNames.toSorted((one, other) => shared(other) - shared(one))
  const metric = metrics.find((name) => isReportMetric(name))
  const page = new URLSearchParams({ report, period: settings.period })
  if (isReportDimension(group)) page.set("groupBy", group)
  if (metric) page.set("metric", metric)
  if (settings.compareTo) page.set("compare", settings.compareTo)
  // The page takes one flow and one person.
  for (const key of ["flowId", "person"] as const) {
    const value = settings[key]
    if (value && !value.includes(",")) page.set(key, value)
  }
  return `/reports?${page}`
}
