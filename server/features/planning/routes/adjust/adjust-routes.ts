import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { roadSupplyOf } from "../../../location/roads/index.ts"
import { resultErrors } from "../errors.ts"
import { originOf } from "../plan/routing-routes.ts"
import { findInput, findResult, updateInput } from "../queries.ts"
import { HelpSchema, ResultSchema, VehicleRouteSchema, ViolationSchema } from "../result-schemas.ts"
import { toWireResult } from "../results/wire.ts"
import { lockDone, replaceRouting } from "./edit-result.ts"
import { applyHelp, helpFor } from "./help-visit.ts"
import { moveVisits } from "./move-visits.ts"
import { violationsOf } from "./plan-violations.ts"

const Params = Type.Object({ resultId: IdSchema("result") })
const Changed = Type.Object({
  status: Type.Literal(true),
  data: ResultSchema,
  violations: Type.Array(ViolationSchema, { description: "Rules that the plan violates" }),
})

/** Changes of a plan by hand that the server computes: moves, and what makes room for a dropped visit. */
export function adjustRoutes(app: App): void {
  const options = (caller: Caller) => ({
    roads: roadSupplyOf({ config: app.settings, sql: app.sql, objects: app.objects }, caller.organizationId),
  })
  const context = (request: Parameters<typeof originOf>[0]) => ({
    now: app.clock.now(),
    live: app.live,
    createdFrom: originOf(request),
  })

  app.put("/result/:resultId/moves", {
    config: { permission: "edit/result" },
    schema: {
      operationId: "moveVisits",
      summary:
        "Move visits to other positions or vehicles and recompute times; dryRun only returns the changed vehicles",
      params: Params,
      body: Type.Object({
        moves: Type.Array(
          Type.Object({
            visitId: Type.String({ minLength: 1, description: "hub-<id> for the stop at a sub-hub" }),
            splitNumber: Type.Optional(Type.String()),
            vehicleId: Type.Union([Type.String(), Type.Null()], {
              description: "Null removes the visit",
            }),
            position: Type.Optional(
              Type.Integer({
                minimum: 0,
                description: "Position among the stops of the trip (visits and handovers), from 0",
              }),
            ),
            trip: Type.Optional(Type.Integer({ minimum: 1 })),
          }),
          { minItems: 1, maxItems: 2000 },
        ),
        dryRun: Type.Optional(Type.Boolean()),
      }),
      response: {
        200: Type.Object({
          ...Changed.properties,
          data: Type.Optional(ResultSchema),
          routing: Type.Array(VehicleRouteSchema, { description: "The changed vehicles" }),
        }),
      },
    },
    async handler(request) {
      const { sql, caller, params, body } = request
      const touched = (before: readonly unknown[], after: readonly unknown[]) =>
        after.filter((route) => !before.includes(route)) as Parameters<
          typeof toWireResult
        >[0]["result"]["routing"]
      if (body.dryRun) {
        const row = await findResult(sql, caller, params.resultId)
        if (!row) throw resultErrors.notFound()
        const input = await findInput(sql, caller.organizationId, row.id)
        if (!input) throw resultErrors.noPlan()
        const { routing, violations } = await moveVisits(input, row.result, body.moves, options(caller))
        return { status: true as const, routing: touched(row.result.routing, routing.routing), violations }
      }
      return inTransaction(sql, async (tx) => {
        const row = await lockDone(tx, caller, params.resultId)
        const input = await findInput(tx, caller.organizationId, row.id)
        if (!input) throw resultErrors.noPlan()
        const moved = await moveVisits(input, row.result, body.moves, options(caller))
        const after = await replaceRouting(tx, caller, row, moved.routing, context(request))
        return {
          status: true as const,
          data: toWireResult(after),
          routing: touched(row.result.routing, moved.routing.routing),
          violations: moved.violations,
        }
      })
    },
  })

  app.get("/result/:resultId/violations", {
    config: { permission: "view/result" },
    schema: {
      operationId: "listViolations",
      summary: "List the rules that a plan currently violates, by the settings that it was created with",
      params: Params,
      response: {
        200: Type.Object({ status: Type.Literal(true), data: Type.Array(ViolationSchema) }),
      },
    },
    async handler({ sql, caller, params }) {
      const row = await findResult(sql, caller, params.resultId)
      if (!row) throw resultErrors.notFound()
      const input = row.status === "done" ? await findInput(sql, caller.organizationId, row.id) : undefined
      return {
        status: true as const,
        data: input ? await violationsOf(input, row.result, options(caller)) : [],
      }
    },
  })

  app.get("/result/:resultId/help", {
    // Without installed roads, computing distances between thousands of visits takes seconds.
    config: { admission: "heavy", permission: "view/result" },
    schema: {
      operationId: "getVisitHelp",
      summary: "List single changes that would make room for a dropped visit, smallest first",
      params: Params,
      querystring: Type.Object({ visitId: Type.String({ minLength: 1 }) }),
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(HelpSchema) }) },
    },
    async handler({ sql, caller, params, query }) {
      const row = await findResult(sql, caller, params.resultId)
      if (!row) throw resultErrors.notFound()
      const input = await findInput(sql, caller.organizationId, row.id)
      if (!input) throw resultErrors.noPlan()
      return { status: true as const, data: await helpFor(input, row.result, query.visitId, options(caller)) }
    },
  })

  app.post("/result/:resultId/help", {
    config: { admission: "heavy", permission: "edit/result" },
    schema: {
      operationId: "applyVisitHelp",
      summary: "Apply one of these changes to the plan and add the visit",
      params: Params,
      body: Type.Object({ visitId: Type.String({ minLength: 1 }), kind: Type.String({ minLength: 1 }) }),
      response: { 200: Changed },
    },
    async handler(request) {
      const { sql, caller, params, body } = request
      return inTransaction(sql, async (tx) => {
        const row = await lockDone(tx, caller, params.resultId)
        const input = await findInput(tx, caller.organizationId, row.id)
        if (!input) throw resultErrors.noPlan()
        const helped = await applyHelp(input, row.result, body, options(caller))
        await updateInput(tx, row, helped.input)
        const after = await replaceRouting(tx, caller, row, helped.routing, context(request))
        return { status: true as const, data: toWireResult(after), violations: helped.violations }
      })
    },
  })
}
