import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { toT1 } from "#shared/wire-time.ts"
import { type DefectRow, listDefects, resolveDefect } from "./defects.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const Success = { status: Type.Literal(true), message: Type.String() }

const DefectSchema = Type.Object(
  {
    _id: IdSchema("vehicle-defect"),
    vehicleId: Type.String(),
    vehicle: Type.String({ description: "Name of the vehicle" }),
    taskId: Type.String({ description: "The inspection that found it" }),
    name: Type.String({ description: "What was inspected" }),
    value: Type.String(),
    foundBy: Type.String(),
    foundTime: Type.String(),
    resolvedTime: NullableText,
    resolvedBy: NullableText,
    note: NullableText,
  },
  { title: "VehicleDefect" },
)

/** Defects that inspections before departure found. */
export function defectRoutes(app: App): void {
  app.get("/vehicle-defects", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listVehicleDefects",
      summary: "List defects that inspections found, open ones first",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        vehicleId: Type.Optional(IdSchema("vehicle")),
        isOpen: Type.Optional(Type.Boolean()),
      }),
      response: { 200: PaginatorSchema(DefectSchema) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "maint")
      const { rows, total } = await listDefects(sql, caller, query, page)
      return paginate(rows.map(toWire), total, page, address)
    },
  })

  app.post("/vehicle-defect/:vehicleDefectId/resolve", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "resolveVehicleDefect",
      summary: "Resolve a defect",
      description: "Who resolves it first is recorded.",
      params: Type.Object({ vehicleDefectId: IdSchema("vehicle-defect") }),
      body: Type.Object(
        { note: Type.Optional(Type.String({ maxLength: 2_000 })) },
        { title: "ResolveVehicleDefect" },
      ),
      response: { 200: Type.Object({ ...Success, data: DefectSchema }) },
    },
    async handler({ sql, caller, params, body }) {
      const row = await inTransaction(sql, async (tx) => {
        const { organizationId } = caller
        const change = { note: body.note?.trim() || null, now: app.clock.now() }
        const defect = await resolveDefect(tx, caller, params.vehicleDefectId, change)
        const content = { vehicleIds: [defect.vehicleId] }
        await publish(tx, app.live, "vehicle.changed", { organizationId, hubId: defect.hubId, content })
        return defect
      })
      return { status: true as const, message: "Resolved", data: toWire(row) }
    },
  })
}

function toWire({ foundAt, resolvedAt, id, hubId: _hub, driver: _driver, ...row }: DefectRow) {
  return { _id: id, ...row, foundTime: toT1(foundAt), resolvedTime: resolvedAt ? toT1(resolvedAt) : null }
}
