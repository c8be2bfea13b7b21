import { type Static, Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { entryReader } from "#core/http/validation.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readDirection, readPage } from "#core/paging.ts"
import { FilterParameter } from "#core/row-filter.ts"
import { bulkVehicleRoutes } from "./bulk-routes.ts"
import { vehicleErrors } from "./errors.ts"
import { findVehicles, listVehicles } from "./queries.ts"
import { VehicleBody, VehiclePatch, VehicleSchema } from "./schemas.ts"
import { toWireVehicle } from "./wire.ts"
import { changeVehicle, createVehicles, deleteVehicle, deleteVehiclesOfHub } from "./write-vehicles.ts"

const maxVehicles = 1000
const VehicleParams = Type.Object({ vehicleId: IdSchema("vehicle") })
const VehicleResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: VehicleSchema,
})
const readVehicle = entryReader(VehicleBody, "vehic")
const { fields: _fields, ...listQuery } = ListQuery

export function vehicleRoutes(app: App): void {
  const context = () => ({ now: app.clock.now(), live: app.live })
  const success = (data: Static<typeof VehicleSchema>) => ({
    status: true as const,
    message: "Success",
    data,
  })

  app.get("/vehicles", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listVehicles",
      summary: "List the vehicles of the caller's hubs",
      querystring: Type.Object({
        ...listQuery,
        sortBy: Type.Optional(
          Type.String({ description: "A field of vehicles, hub.name or assignee.name; default createdTime" }),
        ),
        hubId: Type.Optional(Type.String({ description: "Comma-separated list of hub ids" })),
        name: Type.Optional(Type.String({ description: "Part of a name" })),
        q: Type.Optional(Type.String({ description: "Part of a name" })),
        tags: Type.Optional(Type.String({ description: "Part of a tag" })),
        assignee: Type.Optional(Type.String({ description: "Part of the assignee's e-mail" })),
        filter: FilterParameter,
      }),
      response: { 200: PaginatorSchema(VehicleSchema) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "vehic")
      const { hubId, sortBy = "createdTime", name, q, tags, assignee } = query
      const filter = {
        ...(hubId === undefined ? {} : { hubIds: commaList(hubId.toLowerCase()) }),
        ...(name === undefined ? {} : { name }),
        ...(q === undefined ? {} : { q }),
        ...(tags === undefined ? {} : { tags }),
        ...(assignee === undefined ? {} : { assignee }),
        built: query.filter === undefined ? undefined : { text: query.filter, now: app.clock.now() },
      }
      const direction = readDirection(query.sortOrder)
      const { rows, total } = await listVehicles(sql, caller, filter, { page, sortBy, direction })
      return paginate(rows.map(toWireVehicle), total, page, address)
    },
  })

  bulkVehicleRoutes(app)

  app.get("/vehicle/:vehicleId", {
    config: { permission: "view/vehicle", quick: true },
    schema: {
      operationId: "getVehicle",
      summary: "Get a vehicle",
      params: VehicleParams,
      response: { 200: VehicleResponse },
    },
    async handler({ sql, caller, params }) {
      const [vehicle] = await findVehicles(sql, caller, [params.vehicleId])
      if (!vehicle) throw vehicleErrors.notFound()
      return success(toWireVehicle(vehicle))
    },
  })

  app.post("/vehicle", {
    config: { permission: "add/vehicle" },
    schema: {
      operationId: "createVehicle",
      summary: "Create a vehicle",
      body: VehicleBody,
      response: { 200: VehicleResponse },
    },
    async handler({ sql, caller, body }) {
      const vehicle = await inTransaction(sql, async (tx) => {
        const [made] = await createVehicles(tx, caller, [body], context())
        if (!made || "refusal" in made) throw made?.refusal ?? vehicleErrors.notFound()
        const [row] = await findVehicles(tx, caller, [made.id])
        if (!row) throw new Error("a vehicle vanished in the transaction that made it")
        return row
      })
      return success(toWireVehicle(vehicle))
    },
  })

  app.post("/vehicles", {
    config: { body: "bulk", permission: "add/vehicle" },
    schema: {
      operationId: "createVehicles",
      summary: "Create many vehicles; invalid ones do not affect the others",
      body: Type.Object({ vehicles: Type.Array(Type.Unknown(), { minItems: 1 }) }),
      response: {
        200: Type.Object({
          success: Type.Integer(),
          failed: Type.Integer(),
          data: Type.Array(
            Type.Object({ _id: Type.Union([Type.String(), Type.Null()]), message: Type.String() }),
          ),
        }),
      },
    },
    async handler({ sql, caller, body }) {
      if (body.vehicles.length > maxVehicles) throw vehicleErrors.tooMany()
      const entries = body.vehicles.map(read)
      const bodies = entries.flatMap((entry) => ("body" in entry ? [entry.body] : []))
      const outcomes = await inTransaction(sql, (tx) => createVehicles(tx, caller, bodies, context()))
      const next = outcomes.values()
      const data = entries.map((entry) => {
        const outcome = "body" in entry ? next.next().value : entry
        return outcome && "id" in outcome
          ? { _id: outcome.id as string, message: "Success" }
          : { _id: null, message: outcome?.refusal.message ?? "The vehicle cannot be saved" }
      })
      const success = data.filter((entry) => entry._id !== null).length
      return { success, failed: data.length - success, data }
    },
  })

  for (const method of ["put", "patch"] as const)
    app[method]("/vehicle/:vehicleId", {
      config: { permission: "edit/vehicle" },
      schema: {
        operationId: method === "put" ? "replaceVehicle" : "patchVehicle",
        summary:
          method === "put"
            ? "Replace a vehicle; absent keys return to their defaults"
            : "Change some fields of a vehicle",
        params: VehicleParams,
        body: method === "put" ? VehicleBody : Type.Optional(VehiclePatch),
        response: { 200: VehicleResponse },
      },
      async handler({ sql, caller, params, body }) {
        const change = {
          vehicleId: params.vehicleId,
          body: (body ?? {}) as Static<typeof VehiclePatch>,
          replaces: method === "put",
        }
        const vehicle = await inTransaction(sql, (tx) => changeVehicle(tx, caller, change, context()))
        return success(toWireVehicle(vehicle))
      },
    })

  app.delete("/vehicle/:vehicleId", {
    config: { permission: "delete/vehicle" },
    schema: {
      operationId: "deleteVehicle",
      summary: "Delete a vehicle; it stays in the trash for 30 days",
      params: VehicleParams,
      response: { 200: Type.Object({ status: Type.Literal(true), data: VehicleSchema }) },
    },
    async handler({ sql, caller, params }) {
      const vehicle = await inTransaction(sql, (tx) => deleteVehicle(tx, caller, params.vehicleId, context()))
      return { status: true as const, data: toWireVehicle(vehicle) }
    },
  })

  app.delete("/vehicles/:hubId/hub", {
    config: { permission: "delete/vehicle" },
    schema: {
      operationId: "deleteVehiclesOfHub",
      summary: "Delete every vehicle of a hub",
      params: Type.Object({ hubId: IdSchema("hub") }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params }) {
      await inTransaction(sql, (tx) => deleteVehiclesOfHub(tx, caller, params.hubId, context()))
      return { status: true as const, message: "The vehicles of the hub have been deleted" }
    },
  })
}

function read(entry: unknown): { body: VehicleBody } | { refusal: AppError } {
  try {
    return { body: readVehicle(entry) }
  } catch (error) {
    if (error instanceof AppError) return { refusal: error }
    throw error
  }
}
