import type { FastifyRequest } from "fastify"
import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { routeErrors } from "../errors.ts"
import { sendPlan } from "../jobs.ts"
import { cancelResult, lockResult, restartResult } from "../queries.ts"
import { startWhatIf, WhatIfBody } from "../replan/what-if.ts"
import { OlderRoutingBody, RoutingBody } from "../request-schemas.ts"
import { ResultSchema } from "../result-schemas.ts"
import { toWireResult } from "../results/wire.ts"
import { planAndWait, type RunRequest, startRun } from "./start-run.ts"

const Params = Type.Object({ resultId: IdSchema("result") })
const MessageResponse = Type.Object({ status: Type.Literal(true), message: Type.String() })

/** Where a call came from, as results keep it: the console presents its cookie, programs a token. */
export function originOf(request: Pick<FastifyRequest, "headers">): "WEB" | "API" {
  return request.headers.authorization === undefined && request.headers["x-api-key"] === undefined
    ? "WEB"
    : "API"
}

export function planRoutes(app: App): void {
  const runRequest = (request: FastifyRequest): RunRequest => ({
    app,
    sql: request.sql,
    isInTransaction: request.transaction !== undefined,
    caller: request.caller,
    createdFrom: originOf(request),
    log: request.log,
  })

  app.post("/routing", {
    config: { admission: "waiting", body: "bulk", permission: "route-optimization" },
    schema: {
      operationId: "planRoutes",
      summary: "Assign visits to vehicles; waits for the plan, or returns at once with background",
      body: RoutingBody,
      response: { 200: Type.Object({ status: Type.Literal(true), data: ResultSchema }) },
    },
    async handler(request) {
      const { body } = request
      const row = body.background
        ? await startRun(runRequest(request), body)
        : await planAndWait(runRequest(request), body)
      return { status: true as const, data: toWireResult(row) }
    },
  })

  app.post("/route-optimization", {
    config: { admission: "waiting", body: "bulk", permission: "route-optimization" },
    schema: {
      operationId: "optimizeRoutes",
      summary: "Plan routes (older form)",
      body: OlderRoutingBody,
      response: {
        200: Type.Object(
          {
            resultCode: Type.String(),
            countryCode: Type.Union([Type.String(), Type.Null()]),
            result: Type.Object({ status: Type.Literal(true), model: ResultSchema }),
          },
          { additionalProperties: true },
        ),
      },
    },
    async handler(request) {
      const { hub, resultCode, routing } = request.body
      const row = await planAndWait(runRequest(request), { hubId: hub, resultCode, ...routing })
      const { countryCode, summary, result } = row
      return {
        routing: result.routing,
        dropped: result.dropped,
        summary,
        countryCode,
        resultCode: row.resultCode,
        result: { status: true as const, model: toWireResult(row) },
      }
    },
  })

  app.post("/routing/:resultId", {
    config: { admission: "waiting", permission: "route-optimization", idempotent: false },
    schema: {
      operationId: "retryRouting",
      summary: "Retry a failed run with the same visits and vehicles",
      params: Params,
      response: { 200: MessageResponse },
    },
    async handler({ sql, caller, params }) {
      await inTransaction(sql, async (tx) => {
        const row = await lockResult(tx, caller, params.resultId)
        if (!row) throw routeErrors.notFound()
        if (!(await restartResult(tx, row, app.clock.now()))) throw routeErrors.notFailed()
        await sendPlan(tx, caller.organizationId, row.id)
        const { organizationId, hubId } = row
        await publish(tx, app.live, "routing.changed", {
          organizationId,
          hubId,
          content: { resultIds: [row.id] },
        })
      })
      return { status: true as const, message: "The run has been restarted" }
    },
  })

  app.post("/routing/:resultId/what-if", {
    config: { permission: "route-optimization" },
    schema: {
      operationId: "planWhatIf",
      summary: "Plan the same visits without some of the vehicles, to compare",
      description:
        "The plan is made in the background as a new result with `basedOn`; the one that it is based on stays as it is.",
      params: Params,
      body: WhatIfBody,
      response: { 200: Type.Object({ status: Type.Literal(true), data: ResultSchema }) },
    },
    async handler(request) {
      const row = await startWhatIf(runRequest(request), request.params.resultId, request.body)
      if (!row) throw routeErrors.notFound()
      return { status: true as const, data: toWireResult(row) }
    },
  })

  app.post("/routing/:resultId/cancel", {
    config: { permission: "route-optimization", idempotent: false },
    schema: {
      operationId: "cancelRouting",
      summary: "Stop a run and keep the best plan found",
      params: Params,
      response: { 200: MessageResponse },
    },
    async handler({ sql, caller, params }) {
      await inTransaction(sql, async (tx) => {
        const row = await lockResult(tx, caller, params.resultId)
        if (!row) throw routeErrors.notFound()
        if (row.status !== "ongoing") throw routeErrors.notRunning()
        await cancelResult(tx, row)
      })
      return { status: true as const, message: "The run stops and keeps the best plan found" }
    },
  })
}
