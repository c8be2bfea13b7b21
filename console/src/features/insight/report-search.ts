import { daysOfWeek } from "#shared/iso-week.ts"
import {
  isReportDimension,
  isReportMetric,
  type ReportDimension,
  type ReportMetric,
  type ReportMetricName,
  reportMetrics,
} from "#shared/report-metrics.ts"
import { daysOfPeriod, type Period, periods } from "#shared/report-periods.ts"
import { type ReportName, reportNames, reports } from "#shared/report-presets.ts"

/** Figures that a chart shows beside what was planned, if the report has both. */
export const planOf: Partial<Record<ReportMetricName, ReportMetricName>> = {
  finished: "planned",
  kilometers: "plannedKilometers",
}

/** Kinds of figures whose list is not as long as they say. */
export const listNotes = ["sessions", "late", "expectedLate", "failures", "finished"] as const

/** What the list of a figure has, where the figure does not count just that. */
export function listNoteOf(name: ReportMetricName): (typeof listNotes)[number] | undefined {
  const { unit, tasks, facets, listed = facets[0] }: ReportMetric = reportMetrics[name]
  if (listed === "attended") return name === "sessions" ? undefined : "sessions"
  if (!tasks) return undefined
  if (unit === "count" && name !== "stops") return undefined
  if (listed === "open") return "expectedLate"
  return tasks === "late" || tasks === "failures"
    ? tasks
    : tasks === "all" && listed === "finished"
      ? "finished"
      : undefined
}

/** What a report shows, as its address and saved reports have it. */
export interface ReportSearch {
  report?: ReportName
  groupBy?: ReportDimension
  /** The metric of the chart. */
  metric?: ReportMetricName
  period?: Period
  /** Days of the calendar instead of a period. */
  from?: string
  until?: string
  compare?: "previous" | "previousYear"
  flowId?: string
  person?: string
}

/** Reads an address or a saved report; invalid values are ignored. */
export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const text = (name: string) => (typeof search[name] === "string" ? search[name] : "")
  const [groupBy, metric] = [text("groupBy"), text("metric")]
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text(name)) ? { [name]: text(name) } : {})
  const compare = (["previous", "previousYear"] as const).find((name) => name === search.compare)
  const report = reportNames.find((name) => name === search.report)
  const period = periods.find((name) => name === search.period)
  return {
    ...(report ? { report } : {}),
    ...(isReportDimension(groupBy) ? { groupBy } : {}),
    ...(isReportMetric(metric) ? { metric } : {}),
    ...(period ? { period } : {}),
    ...day("from"),
    ...day("until"),
    ...(compare ? { compare } : {}),
    ...(/^[0-9a-f]{24}$/.test(text("flowId")) ? { flowId: text("flowId") } : {}),
    ...(text("person") ? { person: text("person") } : {}),
  }
}

/** The report of one row of another one: of its day, week, month, person or flow. Undefined for other groups. */
export function reportOfRow(
  search: ReportSearch,
  groupBy: ReportDimension,
  key: string,
): ReportSearch | undefined {
  if (key === "") return undefined
  const { metric: _, groupBy: __, period, from, until, ...rest } = search
  const days = { ...(period ? { period } : {}), ...(from && until ? { from, until } : {}) }
  if (groupBy === "person") return { ...rest, ...days, person: key, groupBy: "day" }
  if (groupBy === "flow") return { ...rest, ...days, flowId: key, groupBy: "day" }
  if (groupBy === "month") return { ...rest, from: `${key}-01`, until: lastDayOf(key), groupBy: "day" }
  if (groupBy === "week") {
    const { monday, sunday } = daysOfWeek(key)
    return { ...rest, from: monday, until: sunday, groupBy: "day" }
  }
  if (groupBy !== "day") return undefined
  const day = { ...rest, from: key, until: key }
  const { report = "onTime" } = rest
  // A day that was late is asked for its causes.
  if (report === "onTime") return { ...day, report: "lateness" }
  return reports[report].groupBy === "day" ? { ...day, groupBy: "person" } : day
}

function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}

/** What a report is about at first. */
export function periodOf(report: ReportName | undefined): Period {
  return report === "forecast" ? "next7Days" : "thisMonth"
}

/** The first and the last day that a search is about. */
export function daysOf(
  { report, period = periodOf(report), from, until }: ReportSearch,
  today: string,
): { from: string; until: string } {
  if (from && until) return from <= until ? { from, until } : { from: until, until: from }
  return daysOfPeriod(period, today)
}

/** A tile of a dashboard: a report with a name. */
export interface Tile {
  name: string
  search: ReportSearch
  /** As wide as the dashboard. */
  isWide?: boolean
}

interface DashboardSearch {
  /** Of the dashboard that a link or a saved dashboard shows; otherwise one's own. */
  tiles?: Tile[]
}

const maxTiles = 24

export function readDashboardSearch({ tiles }: Record<string, unknown>): DashboardSearch {
  if (!Array.isArray(tiles)) return {}
  const read = tiles.slice(0, maxTiles).flatMap((tile: unknown) => {
    const { name, search, isWide } = (tile ?? {}) as { name?: unknown; search?: unknown; isWide?: unknown }
    if (typeof name !== "string" || typeof search !== "object" || search === null) return []
    const report = readReportSearch(Object.fromEntries(Object.entries(search)))
    return [{ name: name.slice(0, 60), search: report, ...(isWide === true ? { isWide } : {}) }]
  })
  return { tiles: read }
}
