import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { BinaryFile } from "#core/http/openapi/openapi.ts"
import type { App } from "#core/http/types.ts"
import { readPage } from "#core/paging.ts"
import { dimensionsOfMetric, isReportMetric, reportMetrics } from "#shared/report-metrics.ts"
import { listAlarms, listSessions } from "./events.ts"
import { makeReport, type RowOrder } from "./report.ts"
import { type FileType, fileTypes, makeReportFile } from "./report-file.ts"
import {
  AlarmEvents,
  AlarmKindInput,
  EventsInput,
  MetricInfo,
  ReportData,
  ReportInput,
  RowsQuery,
  SessionEvents,
  VehicleInput,
} from "./schemas.ts"
import { InsightSettings, readInsightSettings, writeInsightSettings } from "./settings.ts"

const Data = <Schema extends Parameters<typeof Type.Array>[0]>(data: Schema) =>
  Type.Object({ status: Type.Literal(true), message: Type.String(), data })

export const pageBounds = { default: 100, max: 1000 }

export function insightRoutes(app: App): void {
  app.get("/reports/figures", {
    config: { permission: "view/dashboard", reads: "replica" },
    schema: {
      operationId: "getReportFigures",
      summary: "Figures of a range of days, by group",
      description:
        "Counts, rates, times, distances and costs from hourly rollups. They match the lists exactly: `tasks` of each row has the query of GET /tasks that lists the tasks of a figure. Hubs that you may not see are left out; people who see only their own work, or that of their teams, get figures of that.",
      querystring: Type.Object({ ...ReportInput, ...RowsQuery }),
      response: { 200: Data(ReportData) },
    },
    async handler({ sql, caller, query }) {
      const order = orderOf(query)
      const data = await makeReport(sql, caller, query, { page: readPage(query, "insgt", pageBounds), order })
      return { status: true as const, message: "Success", data }
    },
  })

  app.get("/reports/file", {
    config: { permission: "view/dashboard", produces: "other" },
    schema: {
      operationId: "getReportFile",
      summary: "Every row of a report as XLSX or CSV, or a report to read as PDF",
      description:
        "XLSX and CSV have every row and the total. A PDF has a chart, the totals and the first 500 rows.",
      querystring: Type.Object({
        ...ReportInput,
        sortBy: RowsQuery.sortBy,
        sortOrder: RowsQuery.sortOrder,
        download: Type.Unsafe<FileType>(
          Type.String({ enum: Object.keys(fileTypes), description: "Kind of file" }),
        ),
        language: Type.Optional(
          Type.String({
            maxLength: 35,
            description: "Of the headings, such as de; English without it",
          }),
        ),
      }),
      response: { 200: BinaryFile },
    },
    async handler({ sql, caller, query }, reply) {
      const type = query.download
      const file = await makeReportFile(sql, caller, query, {
        type,
        order: orderOf(query),
        language: query.language ?? "en",
      })
      return reply
        .type(fileTypes[type])
        .header("content-disposition", `attachment; filename="report-${query.from}-${query.until}.${type}"`)
        .header("cache-control", "no-store")
        .send(file)
    },
  })

  app.get("/reports/sessions", {
    config: { permission: "view/dashboard", reads: "replica" },
    schema: {
      operationId: "listReportSessions",
      summary: "The sessions behind figures",
      description:
        "`sessions` of a row of GET /reports/figures has the query: the list has as many sessions as the figure counts, and its hours and distances add up to it. Sessions of others need view/tracking.",
      querystring: Type.Object({ ...EventsInput, ...VehicleInput }),
      response: { 200: Data(SessionEvents) },
    },
    async handler({ sql, caller, query }) {
      return { status: true as const, message: "Success", data: await listSessions(sql, caller, query) }
    },
  })

  app.get("/reports/alarms", {
    config: { permission: "view/dashboard", reads: "replica" },
    schema: {
      operationId: "listReportAlarms",
      summary: "Speeding and harsh driving that trackers reported, behind figures",
      description:
        "`alarms` of a row of GET /reports/figures has the query. Those of others need view/tracking.",
      querystring: Type.Object({ ...EventsInput, ...AlarmKindInput }),
      response: { 200: Data(AlarmEvents) },
    },
    async handler({ sql, caller, query }) {
      return { status: true as const, message: "Success", data: await listAlarms(sql, caller, query) }
    },
  })

  app.get("/reports/metrics", {
    config: { permission: "view/dashboard" },
    schema: {
      operationId: "listReportMetrics",
      summary: "What reports can show",
      response: { 200: Data(Type.Array(MetricInfo)) },
    },
    async handler() {
      const data = Object.keys(reportMetrics)
        .filter(isReportMetric)
        .map((name) => ({
          name,
          unit: reportMetrics[name].unit,
          description: reportMetrics[name].description,
          groupBy: dimensionsOfMetric(name),
        }))
      return { status: true as const, message: "Success", data }
    },
  })

  app.get("/reports/settings", {
    config: { permission: "view/dashboard" },
    schema: {
      operationId: "getReportTargets",
      summary: "Get the targets and costs of reports",
      response: { 200: Data(InsightSettings) },
    },
    async handler({ sql, caller }) {
      const data = await readInsightSettings(sql, caller.organizationId)
      return { status: true as const, message: "Success", data }
    },
  })

  app.put("/reports/settings", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "replaceReportTargets",
      summary: "Replace the targets and costs of reports",
      body: InsightSettings,
      response: { 200: Data(InsightSettings) },
    },
    async handler({ sql, caller, body }) {
      const data = await inTransaction(sql, (tx) => writeInsightSettings(tx, caller, body))
      return { status: true as const, message: "Saved", data }
    },
  })
}

function orderOf({ sortBy, sortOrder }: RowOrder): RowOrder {
  return { ...(sortBy ? { sortBy } : {}), ...(sortOrder ? { sortOrder } : {}) }
}
