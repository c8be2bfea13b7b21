import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { dimensionsOfMetric, isReportMetric, reportMetrics } from "#shared/report-metrics.ts"
import { answerPanel } from "./query.ts"
import { MetricsResponse, QueryBody, QueryResponse } from "./schemas.ts"

/** What Grafana's JSON data source asks for, below one address. */
export function grafanaRoutes(app: App): void {
  const permission = "view/dashboard"
  const metrics = Object.keys(reportMetrics).filter(isReportMetric)

  app.get("/grafana", {
    config: { permission },
    schema: {
      operationId: "checkGrafana",
      summary: "Check the connection of Grafana's JSON data source",
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler() {
      return { status: true as const, message: "Success" }
    },
  })

  app.post("/grafana/search", {
    config: { permission, idempotent: false },
    schema: {
      operationId: "searchGrafanaMetrics",
      summary: "List the names of metrics for Grafana",
      body: Type.Object({}),
      response: { 200: Type.Array(Type.String()) },
    },
    async handler() {
      return metrics
    },
  })

  app.post("/grafana/metrics", {
    config: { permission, idempotent: false },
    schema: {
      operationId: "listGrafanaMetrics",
      summary: "List the metrics for Grafana, with the options of each",
      body: Type.Object({}),
      response: { 200: MetricsResponse },
    },
    async handler() {
      return metrics.map((value) => ({
        value,
        label: `${value}: ${reportMetrics[value].description}`,
        payloads: [
          {
            ...{ name: "groupBy", label: "Group by", type: "multi-select" },
            options: dimensionsOfMetric(value).map((name) => ({ label: name, value: name })),
          },
          ...["hubId", "flowId", "person"].map((name) => ({ name, label: name, type: "input" })),
        ],
      }))
    },
  })

  app.post("/grafana/query", {
    config: { permission, idempotent: false, reads: "replica" },
    schema: {
      operationId: "queryGrafana",
      summary: "Get the figures of a Grafana panel",
      description:
        "The same figures as GET /reports/figures, at most 1,000 rows. Grouped by day (the default) or month they are series over time, otherwise a table.",
      body: QueryBody,
      response: { 200: QueryResponse },
    },
    async handler({ sql, caller, body }) {
      return answerPanel(sql, caller, body)
    },
  })
}
