import { type Static, Type } from "typebox"
import { inTransaction, type Sql } from "#core/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { readLine } from "#core/plain-text.ts"
import { unstorablePart } from "#core/storable-json.ts"
import { parseTimeBound, toT2 } from "#shared/wire-time.ts"
import {
  deleteResult,
  findVersion,
  lockDone,
  renameResult,
  replaceRouting,
  resetResult,
  restoreVersion,
} from "./edit-result.ts"
import { resultErrors } from "./errors.ts"
import { lineRoutes } from "./line-routes.ts"
import { findResult, listResults, lockResult, type ResultRow } from "./queries.ts"
import {
  DroppedSchema,
  ResultSchema,
  type Routing,
  SummarySchema,
  VehicleRouteSchema,
} from "./result-schemas.ts"
import { originOf } from "./routing-routes.ts"
import { toWireResult } from "./wire.ts"

const Params = Type.Object({ resultId: IdSchema("result") })

const HistorySchema = Type.Object({
  _id: Type.String(),
  resultId: Type.String(),
  organizationId: Type.String(),
  action: Type.String({ description: "move, sequence or reset" }),
  description: Type.String(),
  visits: Type.Array(Type.Object({ visitId: Type.String(), visitName: Type.String() })),
  vehicleFrom: Type.String({ description: "Name of a vehicle, or dropped" }),
  vehicleTo: Type.String(),
  createdFrom: Type.String(),
  createdType: Type.String(),
  createdBy: Type.String({ description: "Name of the person" }),
  version: Type.Integer(),
  createdTime: Type.String(),
  updatedTime: Type.String(),
})

const Replaced = Type.Object({
  status: Type.Literal(true),
  statusCode: Type.Integer(),
  message: Type.String(),
  property: ResultSchema,
  data: ResultSchema,
})

export function resultRoutes(app: App): void {
  app.get(
    "/results",
    {
      config: { permission: "view/result" },
      schema: {
        tags: ["Routes"],
        operationId: "listResults",
        summary: "A page of routing results",
        querystring: Type.Object({
          ...ListQuery,
          sortBy: Type.Optional(Type.String({ description: "createdTime unless given" })),
          resultCode: Type.Optional(Type.String()),
          hubId: Type.Optional(Type.String({ description: "One id, or several separated by commas" })),
          s: Type.Optional(Type.String({ description: "Part of the name, or of an assignee's e-mail" })),
          dateFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
          dateTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
        }),
        response: { 200: Type.Object({ status: Type.Literal(true), data: PaginatorSchema(ResultSchema) }) },
      },
    },
    async ({ sql, caller, query, address }) => {
      const page = readPage(query, "reslt")
      const fields = query.fields === undefined ? [] : commaList(query.fields)
      const filter = {
        resultCode: query.resultCode,
        hubIds: query.hubId === undefined ? undefined : commaList(query.hubId.toLowerCase()),
        text: query.s,
        from: boundOf(query.dateFrom, "from"),
        to: boundOf(query.dateTo, "to"),
      }
      const { rows, total } = await listResults(sql, caller, filter, {
        page,
        sortBy: query.sortBy ?? "createdTime",
        direction: readDirection(query.sortOrder),
        withRoutes: fields.length === 0 || fields.includes("result"),
      })
      const found = rows.map((row) => pickFields(toWireResult(row), query.fields))
      return { status: true as const, data: paginate(found, total, page, address) }
    },
  )

  app.get(
    "/result/:resultId",
    {
      config: { permission: "view/result" },
      schema: {
        tags: ["Routes"],
        operationId: "getResult",
        summary: "A routing result with its routes",
        params: Params,
        response: { 200: Type.Object({ status: Type.Literal(true), data: ResultSchema }) },
      },
    },
    async ({ sql, caller, params }) => {
      const row = await findResult(sql, caller, params.resultId)
      if (!row) throw resultErrors.notFound()
      return { status: true as const, data: toWireResult(row) }
    },
  )

  const context = (request: Parameters<typeof originOf>[0]) => ({
    now: app.clock.now(),
    live: app.live,
    createdFrom: originOf(request),
  })

  app.put(
    "/result/:resultId",
    {
      config: { permission: "edit/result" },
      schema: {
        tags: ["Routes"],
        operationId: "replaceResult",
        summary: "Replace the routes of a result; times and distances are taken as sent",
        params: Params,
        body: Type.Object({ result: SentRouting }),
        response: {
          200: Type.Object({ status: Type.Literal(true), property: ResultSchema, data: ResultSchema }),
        },
      },
    },
    async (request) => {
      const { sql, caller, params, body } = request
      const routing = readRouting(body.result)
      const row = await inTransaction(sql, async (tx) =>
        replaceRouting(tx, caller, await lockDone(tx, caller, params.resultId), routing, context(request)),
      )
      const data = toWireResult(row)
      return { status: true as const, property: data, data }
    },
  )

  app.patch(
    "/result/:resultId",
    {
      config: { permission: "edit/result" },
      schema: {
        tags: ["Routes"],
        operationId: "renameResult",
        summary: "Give a result another name",
        params: Params,
        body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) }),
        response: {
          200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: ResultSchema }),
        },
      },
    },
    async (request) => {
      const { sql, caller, params, body } = request
      const name = readLine(body.name, "reslt", "name")
      const row = await inTransaction(sql, async (tx) => {
        const found = await lockResult(tx, caller, params.resultId)
        if (!found) throw resultErrors.notFound()
        return renameResult(tx, caller, found, name, context(request))
      })
      return { status: true as const, message: "Success", data: toWireResult(row) }
    },
  )

  app.delete(
    "/result/:resultId",
    {
      config: { permission: "delete/result" },
      schema: {
        tags: ["Routes"],
        operationId: "deleteResult",
        summary: "Move a result to the trash; dispatched tasks stay",
        params: Params,
        response: {
          200: Type.Object({ _id: Type.String(), status: Type.Literal(true), message: Type.String() }),
        },
      },
    },
    async ({ sql, caller, params }) => {
      const _id = await inTransaction(sql, async (tx) => {
        const found = await lockResult(tx, caller, params.resultId)
        if (!found) throw resultErrors.notFound()
        await deleteResult(tx, caller, found, app.live)
        return found.id
      })
      return { _id, status: true as const, message: "Deleted" }
    },
  )

  app.get(
    "/result/:resultId/history",
    {
      config: { permission: "view/result" },
      schema: {
        tags: ["Routes"],
        operationId: "listResultHistory",
        summary: "What was changed by hand, newest first",
        params: Params,
        response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(HistorySchema) }) },
      },
    },
    async ({ sql, caller, params }) => {
      const row = await findResult(sql, caller, params.resultId)
      if (!row) throw resultErrors.notFound()
      return { status: true as const, data: await listHistory(sql, row) }
    },
  )

  app.get(
    "/result/:resultId/version/:version",
    {
      config: { permission: "view/result" },
      schema: {
        tags: ["Routes"],
        operationId: "getResultVersion",
        summary: "The routes of a version, to compare with another; 0 is the first plan",
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
    },
    async ({ sql, caller, params }) => {
      const row = await findResult(sql, caller, params.resultId)
      if (!row) throw resultErrors.notFound()
      const state = row.status === "done" ? await findVersion(sql, caller, row, params.version) : undefined
      if (!state) throw resultErrors.notFound({ message: "This result has no such version" })
      const { routing: result, summary } = state
      return { status: true as const, data: { version: params.version, result, summary } }
    },
  )

  app.put(
    "/result/:resultId/restore/:version",
    {
      config: { permission: "edit/result" },
      schema: {
        tags: ["Routes"],
        operationId: "restoreResult",
        summary: "Go back to a version; 0 is the first plan",
        params: Type.Object({ ...Params.properties, version: Type.Integer({ minimum: 0 }) }),
        response: { 200: Replaced },
      },
    },
    async (request) => {
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
  )

  app.put(
    "/result/:resultId/reset",
    {
      config: { permission: "edit/result" },
      schema: {
        tags: ["Routes"],
        operationId: "resetResult",
        summary: "Go back to the first plan",
        params: Params,
        response: { 200: Replaced },
      },
    },
    async (request) => {
      const { sql, caller, params } = request
      const row = await inTransaction(sql, async (tx) =>
        resetResult(tx, caller, await lockDone(tx, caller, params.resultId), context(request)),
      )
      return replaced(row, "The first plan is back")
    },
  )
  lineRoutes(app)
}

function replaced(row: ResultRow, message: string) {
  const data = toWireResult(row)
  return { status: true as const, statusCode: 200, message, property: data, data }
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

/** The routes as sent, without the copies that answers carry inside; the older name of the address is taken too. */
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

async function listHistory(sql: Sql, row: ResultRow): Promise<Static<typeof HistorySchema>[]> {
  const entries = await sql<
    (Omit<Static<typeof HistorySchema>, "_id" | "createdTime" | "updatedTime"> & {
      id: string
      createdTime: Temporal.Instant
    })[]
  >`
    select id, result_id, organization_id, action, description, visits, vehicle_from, vehicle_to, created_from, created_type,
      created_by, version, created_time
    from routing_result_histories where organization_id = ${row.organizationId} and result_id = ${row.id} order by version desc`
  return entries.map(({ id, createdTime, ...entry }) => ({
    _id: id,
    ...entry,
    createdTime: toT2(createdTime),
    updatedTime: toT2(createdTime),
  }))
}
