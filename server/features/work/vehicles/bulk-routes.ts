import { Type } from "typebox"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { vehicleErrors } from "./errors.ts"
import { VehiclePatch } from "./schemas.ts"
import { changeVehicle, deleteVehicle } from "./write-vehicles.ts"

const maxVehicles = 1000
const Ids = Type.Array(IdSchema("vehicle"), { minItems: 1 })
const Outcomes = Type.Object({
  success: Type.Integer(),
  failed: Type.Integer(),
  data: Type.Array(
    Type.Object(
      { _id: Type.String(), status: Type.Boolean(), message: Type.String() },
      { title: "VehicleOutcome" },
    ),
  ),
})

/** One action for many vehicles: it has one entry in the audit log, and is undone at once. */
export function bulkVehicleRoutes(app: App): void {
  const context = () => ({ now: app.clock.now(), live: app.live })

  app.patch("/vehicles/bulk", {
    config: { body: "bulk", permission: "edit/vehicle" },
    schema: {
      operationId: "changeVehicles",
      summary: "Change some fields of many vehicles; those that are refused do not affect the others",
      body: Type.Object({ vehicleIds: Ids, change: VehiclePatch }),
      response: { 200: Outcomes },
    },
    handler: ({ sql, caller, body }) =>
      inTransaction(sql, (tx) =>
        each(tx, body.vehicleIds, (step, vehicleId) =>
          changeVehicle(step, caller, { vehicleId, body: body.change, replaces: false }, context()),
        ),
      ),
  })

  app.delete("/vehicles/bulk", {
    config: { body: "bulk", permission: "delete/vehicle" },
    schema: {
      operationId: "deleteVehicles",
      summary: "Delete many vehicles; they stay in the trash for 30 days",
      body: Type.Object({ vehicleIds: Ids }),
      response: { 200: Outcomes },
    },
    handler: ({ sql, caller, body }) =>
      inTransaction(sql, (tx) =>
        each(tx, body.vehicleIds, (step, id) => deleteVehicle(step, caller, id, context())),
      ),
  })
}

/** In the order of their ids, so that two calls that lock the same vehicles wait instead of blocking each other. */
async function each(tx: Tx, ids: readonly string[], act: (step: Tx, id: string) => Promise<unknown>) {
  if (ids.length > maxVehicles) throw vehicleErrors.tooMany()
  const data: { _id: string; status: boolean; message: string }[] = []
  for (const id of [...new Set(ids.map((id) => id.toLowerCase()))].toSorted()) {
    try {
      await inTransaction(tx, (step) => act(step, id))
      data.push({ _id: id, status: true, message: "Success" })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      data.push({ _id: id, status: false, message: error.message })
    }
  }
  const success = data.filter(({ status }) => status).length
  return { success, failed: data.length - success, data }
}
