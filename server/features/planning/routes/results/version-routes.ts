import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { findVersion, lockDone, resetResult, restoreVersion } from "../adjust/edit-result.ts"
import { resultErrors } from "../errors.ts"
import { originOf } from "../plan/routing-routes.ts"
import { findResult, type ResultRow } from "../queries.ts"
import { DroppedSchema, ResultSchema, SummarySchema, VehicleRouteSchema } from "../result-schemas.ts"
import { HistorySchema, listHistory } from "./history.ts"
import { toWireResult } from "./wire.ts"

const Params = Type.Object({ resultId: IdSchema("result") })

const Replaced = Type.Object({
  status: Type.Literal(true),
  statusCode: Type.Integer(),
  message: Type.String(),
  property: ResultSchema,
  data: ResultSchema,
})

/** The versions of a plan: what was changed by hand, and the way back. */
export function versionRoutes(app: App): void {
  const context = (request: Parameters<typeof originOf>[0]) => ({
    now: app.clock.now(),
    live: app.live,
    createdFrom: originOf(request),
  })

  app.get("/result/:resultId/history", {
    config: { permission: "view/result" },
    schema: {
      operationId: "listResultHistory",
      summary: "List manual changes, newest first",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(HistorySchema) }) },
    },
    async handler({ sql, caller, params }) {
      const row = await findResult(sql, caller, params.resultId)
      if (!row) throw resultErrors.notFound()
      return { status: true as const, data: await listHistory(sql, row) }
    },
  })

  app.get("/result/:resultId/version/:version", {
    config: { permission: "view/result" },
    schema: {
      operationId: "getResultVersion",
      summary: "Get the routes of a version; 0 is the first plan",
      params: Type.Object({ ...Params.properties, version: Type.Integer({ minimum: 0 }) }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: Type.Object({
            version: Type.Integer(),
            result: Type.Object({
              routing: Type.Array(VehicleRouteSchema),
              dropped: Type.Array(DroppedSchema),
            }),
            summary: SummarySchema,
          }),
        }),
      },
    },
    async handler({ sql, caller, params }) {
      const row = await findResult(sql, caller, params.resultId)
      if (!row) throw resultErrors.notFound()
      const state = row.status === "done" ? await findVersion(sql, caller, row, params.version) : undefined
      if (!state) throw resultErrors.notFound({ message: "This version of the result does not exist" })
      const { routing: result, summary } = state
      return { status: true as const, data: { version: params.version, result, summary } }
    },
  })

  app.put("/result/:resultId/restore/:version", {
    config: { permission: "edit/result" },
    schema: {
      operationId: "restoreResult",
      summary: "Restore a version; 0 is the first plan",
      params: Type.Object({ ...Params.properties, version: Type.Integer({ minimum: 0 }) }),
      response: { 200: Replaced },
    },
    async handler(request) {
      const { sql, caller, params } = request
      const row = await inTransaction(sql, async (tx) =>
        restoreVersion(
          tx,
          caller,
          await lockDone(tx, caller, params.resultId),
          params.version,
          context(request),
        ),
      )
      return replaced(row, `Version ${params.version} is back`)
    },
  })

  app.put("/result/:resultId/reset", {
    config: { permission: "edit/result" },
    schema: {
      operationId: "resetResult",
      summary: "Restore the first plan",
      params: Params,
      response: { 200: Replaced },
    },
    async handler(request) {
      const { sql, caller, params } = request
      const row = await inTransaction(sql, async (tx) =>
        resetResult(tx, caller, await lockDone(tx, caller, params.resultId), context(request)),
      )
      return replaced(row, "The first plan is back")
    },
  })
}

function replaced(row: ResultRow, message: string) {
  const data = toWireResult(row)
  return { status: true as const, statusCode: 200, message, property: data, data }
}
