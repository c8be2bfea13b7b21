import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { reportMetrics } from "#shared/report-metrics.ts"
import { filterWords, groupsOf, metricNames, optionsOf } from "./options.ts"
import { answerPanel } from "./query.ts"
import {
  MetricsResponse,
  PayloadOptionsBody,
  PayloadOptionsResponse,
  QueryBody,
  QueryResponse,
  SearchBody,
  VariableBody,
} from "./schemas.ts"

const permission = "view/dashboard"

/** What Grafana's JSON data source asks for, below one address. */
export function grafanaRoutes(app: App): void {
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

  optionRoutes(app)
  variableRoutes(app)

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

/** What the editor of a query offers. */
function optionRoutes(app: App): void {
  app.post("/grafana/metrics", {
    config: { permission, idempotent: false },
    schema: {
      operationId: "listGrafanaMetrics",
      summary: "List the metrics for Grafana, with the options of each",
      body: Type.Object({}),
      response: { 200: MetricsResponse },
    },
    async handler() {
      return metricNames.map((value) => ({
        value,
        label: `${value}: ${reportMetrics[value].description}`,
        payloads: [
          { name: "groupBy", label: "Group by", type: "multi-select", options: groupsOf(value) },
          // Without options here, their list is asked for when it is opened.
          { name: "hubId", label: "Hubs", type: "multi-select" },
          { name: "flowId", label: "Flows", type: "multi-select" },
          { name: "person", label: "People", type: "multi-select" },
        ],
      }))
    },
  })

  app.post("/grafana/metric-payload-options", {
    config: { permission, idempotent: false },
    schema: {
      operationId: "listGrafanaPayloadOptions",
      summary: "List the options of a query field in Grafana",
      body: PayloadOptionsBody,
      response: { 200: PayloadOptionsResponse },
    },
    async handler({ sql, caller, body }) {
      return optionsOf(sql, caller, body.name, body.metric)
    },
  })
}

/** Variables and ad hoc filters of dashboards. */
function variableRoutes(app: App): void {
  app.post("/grafana/search", {
    config: { permission, idempotent: false },
    schema: {
      operationId: "searchGrafanaMetrics",
      summary: "List metrics, or hubs, flows or people, for older versions of Grafana's JSON data source",
      body: SearchBody,
      response: { 200: Type.Array(Type.Object({ text: Type.String(), value: Type.String() })) },
    },
    async handler({ sql, caller, body }) {
      const listed = filterWords.find((word) => word === body.target) ?? "metric"
      const options = await optionsOf(sql, caller, listed)
      return options.map(({ label, value }) => ({ text: label, value }))
    },
  })

  app.post("/grafana/variable", {
    config: { permission, idempotent: false },
    schema: {
      operationId: "listGrafanaVariable",
      summary: "List the values of a variable of a dashboard in Grafana",
      body: VariableBody,
      response: { 200: Type.Array(Type.Object({ __text: Type.String(), __value: Type.String() })) },
    },
    async handler({ sql, caller, body }) {
      const options = await optionsOf(sql, caller, body.payload?.target ?? "metric")
      return options.map(({ label, value }) => ({ __text: label, __value: value }))
    },
  })

  app.post("/grafana/tag-keys", {
    config: { permission, idempotent: false },
    schema: {
      operationId: "listGrafanaFilters",
      summary: "List the ad hoc filters of a dashboard in Grafana",
      body: Type.Object({}),
      response: { 200: Type.Array(Type.Object({ type: Type.Literal("string"), text: Type.String() })) },
    },
    async handler() {
      return filterWords.map((text) => ({ type: "string" as const, text }))
    },
  })

  app.post("/grafana/tag-values", {
    config: { permission, idempotent: false },
    schema: {
      operationId: "listGrafanaFilterValues",
      summary: "List the values of an ad hoc filter of a dashboard in Grafana",
      body: Type.Object({ key: Type.String({ maxLength: 100 }) }),
      response: { 200: Type.Array(Type.Object({ text: Type.String() })) },
    },
    async handler({ sql, caller, body }) {
      const options = await optionsOf(sql, caller, body.key)
      return options.map(({ label }) => ({ text: label }))
    },
  })
}
