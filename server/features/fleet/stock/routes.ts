import { Type } from "typebox"
import { type Caller, hasHub } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { publish } from "#core/events/publish.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { toT1 } from "#shared/wire-time.ts"
import { findHub } from "../../organization/hubs/index.ts"
import { findVehicles } from "../../work/vehicles/index.ts"
import { stockErrors } from "./errors.ts"
import { changeItem, createItem, deleteItem, findItem, type ItemRow, listItems } from "./items.ts"
import { type Holder, move } from "./levels.ts"
import { listLevels, listMovements, type MovementRow } from "./queries.ts"
import {
  type HolderInput,
  ItemBody,
  ItemSchema,
  LevelSchema,
  MovementBody,
  type MovementInput,
  MovementSchema,
} from "./schemas.ts"

const Params = Type.Object({ stockItemId: IdSchema("stock-item") })
const Success = { status: Type.Literal(true), message: Type.String() }
const success = { status: true as const, message: "Success" }
const OneItem = Type.Object({ ...Success, data: ItemSchema })
const stockQuery = {
  page: ListQuery.page,
  limit: ListQuery.limit,
  vehicleId: Type.Optional(IdSchema("vehicle")),
  hubId: Type.Optional(IdSchema("hub")),
  itemId: Type.Optional(IdSchema("stock-item")),
}

/** Parts in vehicles and hubs, and their movements. */
export function stockRoutes(app: App): void {
  itemRoutes(app)

  app.get("/stock", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listStock",
      summary: "List what is in stock in vehicles and hubs of the caller",
      querystring: Type.Object(stockQuery),
      response: { 200: PaginatorSchema(LevelSchema) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "stock")
      const { rows, total } = await listLevels(sql, caller, query, page)
      return paginate(rows, total, page, address)
    },
  })

  app.get("/stock-movements", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listStockMovements",
      summary: "List movements of stock, newest first",
      querystring: Type.Object({
        ...stockQuery,
        isMissing: Type.Optional(
          Type.Boolean({ description: "Only where finished tasks used more than was in stock" }),
        ),
      }),
      response: { 200: PaginatorSchema(MovementSchema) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "stock")
      const { rows, total } = await listMovements(sql, caller, query, page)
      return paginate(rows.map(toWireMovement), total, page, address)
    },
  })

  app.post("/stock-movement", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "createStockMovement",
      summary: "Receive, issue, transfer or count stock",
      description:
        "Taking more than is in stock is refused with stock-003. With an Idempotency-Key a repeated request moves once.",
      body: MovementBody,
      response: { 201: Type.Object({ ...Success, data: Type.Object({ _id: IdSchema("stock-movement") }) }) },
    },
    async handler({ sql, caller, body }, reply) {
      const id = await inTransaction(sql, async (tx) => {
        const { organizationId, email: by } = caller
        const item = await findItem(tx, caller, body.itemId)
        const { from, to } = await readHolders(tx, caller, body)
        const { kind, quantity } = body
        const note = body.note?.trim() || null
        const made = await move(tx, organizationId, {
          ...{ kind, itemId: item.id, quantity, from, to, note, by, now: app.clock.now() },
        })
        await publish(tx, app.live, "vehicle.changed", { organizationId, content: { vehicleIds: [] } })
        return made
      })
      reply.code(201)
      return { ...success, data: { _id: id } }
    },
  })
}

function itemRoutes(app: App): void {
  app.get("/stock-items", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listStockItems",
      summary: "List stock items by name",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        q: Type.Optional(Type.String({ maxLength: 200, description: "Part of name or code" })),
      }),
      response: { 200: PaginatorSchema(ItemSchema) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "stock")
      const { rows, total } = await listItems(sql, caller, query.q, page)
      return paginate(rows.map(toWireItem), total, page, address)
    },
  })

  app.post("/stock-item", {
    config: { permission: "add/vehicle" },
    schema: {
      operationId: "createStockItem",
      summary: "Create a stock item",
      body: ItemBody,
      response: { 201: OneItem },
    },
    async handler({ sql, caller, body }, reply) {
      const row = await inTransaction(sql, (tx) => createItem(tx, caller, body, app.clock.now()))
      reply.code(201)
      return { ...success, data: toWireItem(row) }
    },
  })

  app.put("/stock-item/:stockItemId", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "updateStockItem",
      summary: "Replace a stock item",
      params: Params,
      body: ItemBody,
      response: { 200: OneItem },
    },
    async handler({ sql, caller, params, body }) {
      const row = await inTransaction(sql, (tx) =>
        changeItem(tx, caller, params.stockItemId, body, app.clock.now()),
      )
      return { ...success, data: toWireItem(row) }
    },
  })

  app.delete("/stock-item/:stockItemId", {
    config: { permission: "delete/vehicle" },
    schema: {
      operationId: "deleteStockItem",
      summary: "Delete a stock item of which nothing is left, with its movements",
      params: Params,
      response: { 200: Type.Object(Success) },
    },
    async handler({ sql, caller, params }) {
      await inTransaction(sql, (tx) => deleteItem(tx, caller, params.stockItemId))
      return { status: true as const, message: "The stock item has been deleted" }
    },
  })
}

const needs = {
  receipt: { from: false, to: true },
  issue: { from: true, to: false },
  transfer: { from: true, to: true },
  count: { from: false, to: true },
} as const

async function readHolders(sql: Sql, caller: Caller, { kind, quantity, from, to }: MovementInput) {
  const wanted = needs[kind]
  if ((from !== undefined) !== wanted.from || (to !== undefined) !== wanted.to)
    throw stockErrors.invalid({
      message: `${kind} needs ${[wanted.from && "from", wanted.to && "to"].filter(Boolean).join(" and ")}, and nothing else`,
    })
  if (quantity === 0 && kind !== "count")
    throw stockErrors.invalid({ message: "quantity must be more than 0", fields: { quantity: ["is 0"] } })
  const holders = { from: await readHolder(sql, caller, from), to: await readHolder(sql, caller, to) }
  if (holders.from && holders.from.id === holders.to?.id)
    throw stockErrors.invalid({ message: "from and to are the same" })
  return holders
}

async function readHolder(sql: Sql, caller: Caller, holder: HolderInput | undefined): Promise<Holder | null> {
  if (!holder) return null
  const { vehicleId, hubId } = holder
  if ((vehicleId === undefined) === (hubId === undefined))
    throw stockErrors.invalid({ message: "Send either vehicleId or hubId" })
  if (vehicleId !== undefined) {
    const [vehicle] = await findVehicles(sql, caller, [vehicleId])
    if (!vehicle) throw stockErrors.badHolder()
    return { kind: "vehicle", id: vehicle.id, hubId: vehicle.hubId }
  }
  const id = (hubId ?? "").toLowerCase()
  if (!hasHub(caller, id) || !(await findHub(sql, caller, id))) throw stockErrors.badHolder()
  return { kind: "hub", id, hubId: id }
}

function toWireItem({ id, ...row }: ItemRow) {
  return { _id: id, ...row }
}

function toWireMovement({ id, createdTime, ...row }: MovementRow) {
  return { _id: id, ...row, createdTime: toT1(createdTime) }
}
