import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { meterErrors } from "./errors.ts"
import { correctMeters, listReadings, readMeters, requireVehicle } from "./queries.ts"
import { MetersSchema, ReadingBody, ReadingSchema } from "./schemas.ts"
import { toWireMeters, toWireReading } from "./wire.ts"

const Params = Type.Object({ vehicleId: IdSchema("vehicle") })
const Success = { status: Type.Literal(true), message: Type.String() }
const success = { status: true as const, message: "Success" }

/** Odometer and engine hours of vehicles. */
export function meterRoutes(app: App): void {
  app.get("/vehicle/:vehicleId/meters", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "getVehicleMeters",
      summary: "Get the odometer and the engine hours of a vehicle",
      description:
        "Counted every five minutes from the tracker in the vehicle or the positions of its driver; they never run backwards. See docs/vehicles-and-equipment.md.",
      params: Params,
      response: { 200: Type.Object({ ...Success, data: MetersSchema }) },
    },
    async handler({ sql, caller, params }) {
      const { id } = await requireVehicle(sql, caller, params.vehicleId)
      const meters = await readMeters(sql, caller.organizationId, [id])
      return { ...success, data: toWireMeters(meters.get(id)) }
    },
  })

  app.get("/vehicle/:vehicleId/readings", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listVehicleReadings",
      summary: "List corrections of a vehicle's meters, newest first",
      params: Params,
      querystring: Type.Object({ page: ListQuery.page, limit: ListQuery.limit }),
      response: { 200: PaginatorSchema(ReadingSchema) },
    },
    async handler({ sql, caller, params, query, address }) {
      const page = readPage(query, "meter")
      const { id } = await requireVehicle(sql, caller, params.vehicleId)
      const { rows, total } = await listReadings(sql, caller.organizationId, id, page)
      return paginate(rows.map(toWireReading), total, page, address)
    },
  })

  app.post("/vehicle/:vehicleId/reading", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "createVehicleReading",
      summary: "Correct the meters of a vehicle",
      description: "Sets them to what the vehicle shows, which may be less; counting continues from there.",
      params: Params,
      body: ReadingBody,
      response: { 201: Type.Object({ ...Success, data: ReadingSchema }) },
    },
    async handler({ sql, caller, params, body }, reply) {
      const row = await inTransaction(sql, async (tx) => {
        const vehicle = await requireVehicle(tx, caller, params.vehicleId)
        const { id, hubId, organizationId } = vehicle
        if (body.odometerKilometers === undefined && body.engineHours === undefined)
          throw meterErrors.noReading()
        const reading = await correctMeters(tx, caller, vehicle, body, app.clock.now())
        await publish(tx, app.live, "vehicle.changed", {
          organizationId,
          hubId,
          content: { vehicleIds: [id] },
        })
        return reading
      })
      reply.code(201)
      return { ...success, data: toWireReading(row) }
    },
  })
}
