import { type Static, Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { unstorablePart } from "#core/database/storable-json.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { readLine } from "#core/plain-text.ts"
import { parseTimeBound, toT7 } from "#shared/wire-time.ts"
import { deleteResult, lockDone, renameResult, replaceRouting } from "../adjust/edit-result.ts"
import { resultErrors } from "../errors.ts"
import { originOf } from "../plan/routing-routes.ts"
import { findResult, listResults, lockResult } from "../queries.ts"
import { DroppedSchema, ResultSchema, type Routing, VehicleRouteSchema } from "../result-schemas.ts"
import { lineRoutes } from "../roads/line-routes.ts"
import { versionRoutes } from "./version-routes.ts"
import { toWireResult } from "./wire.ts"

const Params = Type.Object({ resultId: IdSchema("result") })

export function resultRoutes(app: App): void {
  app.get("/results", {
    config: { permission: "view/result" },
    schema: {
      operationId: "listResults",
      summary: "List routing results",
      querystring: Type.Object({
        ...ListQuery,
        sortBy: Type.Optional(Type.String({ description: "Default createdTime" })),
        resultCode: Type.Optional(Type.String()),
        hubId: Type.Optional(Type.String({ description: "Comma-separated list of ids" })),
        s: Type.Optional(Type.String({ description: "Part of the name or of an assignee's e-mail" })),
        dateFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
        dateTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          data: PaginatorSchema(ResultSchema),
          dataVersion: Type.String({ description: "Unix seconds of the latest change of any result" }),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "reslt")
      const fields = query.fields === undefined ? [] : commaList(query.fields)
      const filter = {
        resultCode: query.resultCode,
        hubIds: query.hubId === undefined ? undefined : commaList(query.hubId.toLowerCase()),
        text: query.s,
        from: boundOf(query.dateFrom, "from"),
        to: boundOf(query.dateTo, "to"),
      }
      const { rows, total, lastChange } = await listResults(sql, caller, filter, {
        page,
        sortBy: query.sortBy ?? "createdTime",
        direction: readDirection(query.sortOrder),
        withRoutes: fields.length === 0 || fields.includes("result"),
      })
      const found = rows.map((row) => pickFields(toWireResult(row), query.fields))
      const dataVersion = toT7(lastChange ?? app.clock.now())
      return { status: true as const, data: paginate(found, total, page, address), dataVersion }
    },
  })

  app.get("/result/:resultId", {
    config: { permission: "view/result" },
    schema: {
      operationId: "getResult",
      summary: "Get a routing result with its routes",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), data: ResultSchema }) },
    },
    async handler({ sql, caller, params }) {
      const row = await findResult(sql, caller, params.resultId)
      if (!row) throw resultErrors.notFound()
      return { status: true as const, data: toWireResult(row) }
    },
  })

  const context = (request: Parameters<typeof originOf>[0]) => ({
    now: app.clock.now(),
    live: app.live,
    createdFrom: originOf(request),
  })

  app.put("/result/:resultId", {
    config: { body: "bulk", permission: "edit/result" },
    schema: {
      operationId: "replaceResult",
      summary: "Replace the routes of a result; times and distances are stored as sent",
      params: Params,
      body: Type.Object({ result: SentRouting }),
      response: {
        200: Type.Object({ status: Type.Literal(true), property: ResultSchema, data: ResultSchema }),
      },
    },
    async handler(request) {
      const { sql, caller, params, body } = request
      const routing = readRouting(body.result)
      const row = await inTransaction(sql, async (tx) =>
        replaceRouting(tx, caller, await lockDone(tx, caller, params.resultId), routing, context(request)),
      )
      const data = toWireResult(row)
      return { status: true as const, property: data, data }
    },
  })

  app.patch("/result/:resultId", {
    config: { body: "bulk", permission: "edit/result" },
    schema: {
      operationId: "renameResult",
      summary: "Rename a result",
      params: Params,
      body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }),
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: ResultSchema }),
      },
    },
    async handler(request) {
      const { sql, caller, params, body } = request
      const name = readLine(body.name, "reslt", "name")
      const row = await inTransaction(sql, async (tx) => {
        const found = await lockResult(tx, caller, params.resultId)
        if (!found) throw resultErrors.notFound()
        return renameResult(tx, caller, found, name, context(request))
      })
      return { status: true as const, message: "Success", data: toWireResult(row) }
    },
  })

  app.delete("/result/:resultId", {
    config: { permission: "delete/result" },
    schema: {
      operationId: "deleteResult",
      summary: "Move a result to the trash; dispatched tasks stay",
      params: Params,
      response: {
        200: Type.Object({ _id: Type.String(), status: Type.Literal(true), message: Type.String() }),
      },
    },
    async handler({ sql, caller, params }) {
      const _id = await inTransaction(sql, async (tx) => {
        const found = await lockResult(tx, caller, params.resultId)
        if (!found) throw resultErrors.notFound()
        await deleteResult(tx, caller, found, app.live)
        return found.id
      })
      return { _id, status: true as const, message: "Deleted" }
    },
  })

  versionRoutes(app)
  lineRoutes(app)
}

function boundOf(text: string | undefined, end: "from" | "to"): Temporal.Instant | undefined {
  const at = text === undefined ? undefined : parseTimeBound(text, end)
  return at === undefined ? undefined : Temporal.Instant.fromEpochMilliseconds(at)
}

const SentRouting = Type.Object(
  {
    routing: Type.Array(VehicleRouteSchema, { maxItems: 1000 }),
    dropped: Type.Optional(Type.Array(DroppedSchema, { maxItems: 5000 })),
  },
  { additionalProperties: true },
)

/** The routes as sent, without the copies inside responses; the older name of the address is accepted too. */
export function readRouting(sent: Static<typeof SentRouting>): Routing {
  const problem = unstorablePart(sent)
  if (problem) throw resultErrors.badInput({ message: `result ${problem}`, fields: { result: [problem] } })
  return {
    routing: sent.routing.map((vehicle) => ({
      ...vehicle,
      trips: vehicle.trips.map((node) => {
        const { visitAddress, ...kept } = node as typeof node & { visitAddress?: unknown }
        const address = kept.address ?? (typeof visitAddress === "string" ? visitAddress : undefined)
        return { ...kept, isHub: kept.isHub ?? false, ...(address === undefined ? {} : { address }) }
      }),
    })),
    dropped: sent.dropped ?? [],
  }
}
