import { Value } from "typebox/value"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { daysOfWeek } from "#shared/iso-week.ts"
import { isReportMetric, type ReportMetricName } from "#shared/report-metrics.ts"
import { parseTimeBound } from "#shared/wire-time.ts"
import { insightErrors, makeReport } from "../reports/index.ts"
import { readAdhocFilters } from "./options.ts"
import { Payload, type QueryBody, type QueryResult } from "./schemas.ts"

type Report = Awaited<ReturnType<typeof makeReport>>
type Row = Report["rows"][number]
type Target = QueryBody["targets"][number]

const maxRows = 1000

/** The results of a panel's queries: series over days or months, tables by other groups. */
export async function answerPanel(
  sql: Sql,
  caller: Caller,
  { range, targets, adhocFilters = [] }: QueryBody,
): Promise<QueryResult[]> {
  const days = { from: dayOf(caller, range.from, "from"), until: dayOf(caller, range.to, "to") }
  const filters = await readAdhocFilters(sql, caller, adhocFilters)
  const results: QueryResult[] = []
  for (const target of targets)
    if (target.target.trim() !== "")
      results.push(...(await answerTarget(sql, caller, target, { days, filters })))
  return results
}

async function answerTarget(
  sql: Sql,
  caller: Caller,
  { target, refId, payload }: Target,
  { days, filters }: { days: { from: string; until: string }; filters: Payload },
): Promise<QueryResult[]> {
  const { groupBy = "day", hubId = [], flowId = [], person = [] } = { ...readPayload(payload), ...filters }
  const groups = listOf(groupBy)
  const input = {
    hubId: listOf(hubId).join(","),
    flowId: listOf(flowId).join(","),
    person: listOf(person).join(","),
    ...days,
    metrics: listOf(target).join(","),
    groupBy: groups.join(","),
  }
  const report = await makeReport(sql, caller, input, {
    page: { page: 1, limit: maxRows, offset: 0 },
    order: {},
  })
  const named = refId === undefined ? {} : { refId }
  const metrics = Object.keys(report.total.values).filter(isReportMetric)
  const time = groups.find((name) => ["day", "week", "month"].includes(name))
  if (!time) return [{ ...tableOf(report, groups, metrics), ...named }]
  const others = groups.filter((name) => name !== time)
  return seriesOf(report, { time, others, metrics }).map((series) => ({ ...series, ...named }))
}

function tableOf({ rows, total }: Report, groups: readonly string[], metrics: readonly ReportMetricName[]) {
  const shown = groups.length === 0 ? [total] : rows
  return {
    type: "table" as const,
    columns: [
      ...groups.map((text) => ({ text, type: "string" })),
      ...metrics.map((text) => ({ text, type: "number" })),
    ],
    rows: shown.map((row) => [
      ...groups.map((name) => nameIn(row, name)),
      ...metrics.map((metric) => row.values[metric] ?? null),
    ]),
  }
}

interface SeriesOptions {
  time: string
  others: readonly string[]
  metrics: readonly ReportMetricName[]
}

/** One series for each metric and combination of the other groups. */
function seriesOf({ rows, timeZone }: Report, { time, others, metrics }: SeriesOptions) {
  const series = new Map<string, { target: string; datapoints: [number | null, number][] }>()
  for (const row of rows)
    for (const metric of metrics) {
      const target = [metric, ...others.map((name) => nameIn(row, name))].join(" ")
      const found = series.get(target) ?? { target, datapoints: [] }
      found.datapoints.push([row.values[metric] ?? null, beginOf(row.key[time] ?? "", timeZone)])
      series.set(target, found)
    }
  return [...series.values()]
}

function nameIn({ labels, key }: Row, group: string): string {
  return labels[group] ?? key[group] ?? ""
}

/** Of a day, a week or a month. */
function beginOf(text: string, timeZone: string): number {
  const day = text.includes("W") ? daysOfWeek(text).monday : text.length === 7 ? `${text}-01` : text
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds
}

function dayOf({ timeZone }: Caller, text: string, field: string): string {
  const milliseconds = parseTimeBound(text, "from")
  if (milliseconds === undefined)
    throw insightErrors.invalid({
      message: `range.${field} must be a time`,
      fields: { [`range.${field}`]: ["must be a time"] },
    })
  return Temporal.Instant.fromEpochMilliseconds(milliseconds)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toString()
}

/** Panels without a payload send empty text, older versions of the data source send JSON as text. */
function readPayload(payload: Target["payload"] = {}): Payload {
  if (typeof payload !== "string") return payload
  if (payload.trim() === "") return {}
  try {
    const read: unknown = JSON.parse(payload)
    if (Value.Check(Payload, read)) return read
  } catch {
    // Refused below.
  }
  throw insightErrors.invalid({
    message: "payload must be a JSON object",
    fields: { payload: ["must be a JSON object of groupBy, hubId, flowId and person"] },
  })
}

/** Grafana writes the values of a variable that has several as {one,two}, or as (one|two). */
function listOf(names: string | string[]): string[] {
  return [names]
    .flat()
    .flatMap((text) =>
      (/^(?:\{.*\}|\(.*\))$/.test(text.trim()) ? text.trim().slice(1, -1) : text).split(/[,|]/),
    )
    .map((name) => name.trim())
    .filter((name) => name !== "")
}
