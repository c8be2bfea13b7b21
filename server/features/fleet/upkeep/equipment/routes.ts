import { Type } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { readLine } from "#core/plain-text.ts"
import { toT1 } from "#shared/wire-time.ts"
import { findHub } from "../../../organization/hubs/index.ts"
import { changeFleet } from "../change-fleet.ts"
import { equipmentErrors } from "./errors.ts"
import {
  deleteEquipment,
  type EquipmentRow,
  type EquipmentValues,
  findEquipment,
  insertEquipment,
  listEquipment,
  listEquipmentTasks,
  updateEquipment,
} from "./queries.ts"
import { EquipmentBody, type EquipmentInput, EquipmentSchema, EquipmentTaskSchema } from "./schemas.ts"

const Params = Type.Object({ equipmentId: IdSchema("equipment") })
const Success = { status: Type.Literal(true), message: Type.String() }
const success = { status: true as const, message: "Success" }
const One = Type.Object({ ...Success, data: EquipmentSchema })

/** Equipment at customers: what it is, where it is, and which tasks were done at it. */
export function equipmentRoutes(app: App): void {
  app.get("/equipment", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listEquipment",
      summary: "List equipment of the caller's hubs by name",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        q: Type.Optional(
          Type.String({ maxLength: 200, description: "Part of name, code, customer or address" }),
        ),
        code: Type.Optional(Type.String({ maxLength: 200, description: "As it was scanned" })),
        hubId: Type.Optional(IdSchema("hub")),
        kind: Type.Optional(Type.String({ maxLength: 100 })),
      }),
      response: { 200: PaginatorSchema(EquipmentSchema) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "equip")
      const { rows, total } = await listEquipment(sql, caller, query, page)
      return paginate(rows.map(toWire), total, page, address)
    },
  })

  app.post("/equipment", {
    config: { permission: "add/vehicle" },
    schema: {
      operationId: "createEquipment",
      summary: "Create equipment",
      body: EquipmentBody,
      response: { 201: One },
    },
    async handler({ sql, caller, body }, reply) {
      const row = await changeFleet(app, { sql, caller }, async (tx) =>
        insertEquipment(tx, caller, await readValues(tx, caller, body), app.clock.now()),
      )
      reply.code(201)
      return { ...success, data: toWire(row) }
    },
  })

  app.get("/equipment/:equipmentId", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "getEquipment",
      summary: "Get equipment",
      params: Params,
      response: { 200: One },
    },
    async handler({ sql, caller, params }) {
      return { ...success, data: toWire(await findEquipment(sql, caller, params.equipmentId)) }
    },
  })

  app.put("/equipment/:equipmentId", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "updateEquipment",
      summary: "Replace equipment",
      params: Params,
      body: EquipmentBody,
      response: { 200: One },
    },
    async handler({ sql, caller, params, body }) {
      const row = await changeFleet(app, { sql, caller }, async (tx) => {
        const { id } = await findEquipment(tx, caller, params.equipmentId)
        return updateEquipment(tx, caller, id, await readValues(tx, caller, body), app.clock.now())
      })
      return { ...success, data: toWire(row) }
    },
  })

  app.delete("/equipment/:equipmentId", {
    config: { permission: "delete/vehicle" },
    schema: {
      operationId: "deleteEquipment",
      summary: "Delete equipment with its plans",
      params: Params,
      response: { 200: Type.Object(Success) },
    },
    async handler({ sql, caller, params }) {
      await changeFleet(app, { sql, caller }, (tx) => deleteEquipment(tx, caller, params.equipmentId))
      return { status: true as const, message: "The equipment has been deleted" }
    },
  })

  app.get("/equipment/:equipmentId/tasks", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listEquipmentTasks",
      summary: "List the finished tasks at equipment, newest first",
      description:
        "Tasks with its code among their values, and those that its maintenance plans created; only tasks that the caller sees.",
      params: Params,
      querystring: Type.Object({ page: ListQuery.page, limit: ListQuery.limit }),
      response: { 200: PaginatorSchema(EquipmentTaskSchema) },
    },
    async handler({ sql, caller, params, query, address }) {
      const page = readPage(query, "equip")
      const { id } = await findEquipment(sql, caller, params.equipmentId)
      const { rows, total } = await listEquipmentTasks(sql, caller, id, page)
      const data = rows.map(({ doneAt, ...task }) => ({ ...task, doneTime: toT1(doneAt) }))
      return paginate(data, total, page, address)
    },
  })
}

async function readValues(sql: Sql, caller: Caller, body: EquipmentInput): Promise<EquipmentValues> {
  const hubId = body.hubId.toLowerCase() as EquipmentValues["hubId"]
  if (!hasHub(caller, hubId) || !(await findHub(sql, caller, hubId))) throw equipmentErrors.badHub()
  const line = (name: "kind" | "customer" | "address") =>
    body[name]?.trim() ? readLine(body[name], "equip", name) : null
  const { lat = null, lon = null } = body
  if ((lat === null) !== (lon === null)) throw equipmentErrors.badPlace()
  return {
    hubId,
    code: readLine(body.code, "equip", "code"),
    name: readLine(body.name, "equip", "name"),
    kind: line("kind"),
    customer: line("customer"),
    address: line("address"),
    lat,
    lng: lon,
    note: body.note?.trim() || null,
  }
}

function toWire({ id, lng, createdTime, updatedTime, ...row }: EquipmentRow) {
  return { _id: id, ...row, lon: lng, createdTime: toT1(createdTime), updatedTime: toT1(updatedTime) }
}
