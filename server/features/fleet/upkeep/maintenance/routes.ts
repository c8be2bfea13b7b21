import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { changeFleet } from "../change-fleet.ts"
import { deleteEntry, listEntries } from "./entries.ts"
import { deletePlan, findPlan, listPlans } from "./queries.ts"
import { EntryBody, EntrySchema, PlanBody, PlanChange, PlanSchema } from "./schemas.ts"
import { dayIn } from "./today.ts"
import { toWireEntry, toWirePlan } from "./wire.ts"
import { changePlan, createEntry, createPlan } from "./write-maintenance.ts"

const PlanParams = Type.Object({ maintenancePlanId: IdSchema("maintenance-plan") })
const Success = { status: Type.Literal(true), message: Type.String() }
const success = { status: true as const, message: "Success" }
const OnePlan = Type.Object({ ...Success, data: PlanSchema })
const subjectQuery = {
  page: ListQuery.page,
  limit: ListQuery.limit,
  vehicleId: Type.Optional(IdSchema("vehicle")),
  equipmentId: Type.Optional(IdSchema("equipment")),
}

/** Maintenance plans of vehicles and equipment, and the log of what was done. */
export function maintenanceRoutes(app: App): void {
  planRoutes(app)

  app.get("/maintenance-entries", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listMaintenanceEntries",
      summary: "List what was done at vehicles and equipment, newest first",
      querystring: Type.Object(subjectQuery),
      response: { 200: PaginatorSchema(EntrySchema) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "maint")
      const { rows, total } = await listEntries(sql, caller, query, page)
      return paginate(rows.map(toWireEntry), total, page, address)
    },
  })

  app.post("/maintenance-entry", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "createMaintenanceEntry",
      summary: "Log maintenance",
      description: "Work of a plan moves its next due date and readings on.",
      body: EntryBody,
      response: { 201: Type.Object({ ...Success, data: EntrySchema }) },
    },
    async handler({ sql, caller, body }, reply) {
      const row = await changeFleet(app, { sql, caller }, (tx) =>
        createEntry(tx, caller, body, app.clock.now()),
      )
      reply.code(201)
      return { ...success, data: toWireEntry(row) }
    },
  })

  app.delete("/maintenance-entry/:maintenanceEntryId", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "deleteMaintenanceEntry",
      summary: "Delete an entry of the maintenance log",
      description: "The time at which its plan is due next does not change.",
      params: Type.Object({ maintenanceEntryId: IdSchema("maintenance-entry") }),
      response: { 200: Type.Object(Success) },
    },
    async handler({ sql, caller, params }) {
      await changeFleet(app, { sql, caller }, (tx) => deleteEntry(tx, caller, params.maintenanceEntryId))
      return { status: true as const, message: "The entry has been deleted" }
    },
  })
}

function planRoutes(app: App): void {
  app.get("/maintenance-plans", {
    config: { permission: "view/vehicle" },
    schema: {
      operationId: "listMaintenancePlans",
      summary: "List maintenance plans, the most urgent first",
      querystring: Type.Object({
        ...subjectQuery,
        state: Type.Optional(
          Type.Unsafe<"ok" | "soon" | "overdue" | "due">(
            Type.String({ enum: ["ok", "soon", "overdue", "due"], description: "due: soon or overdue" }),
          ),
        ),
      }),
      response: { 200: PaginatorSchema(PlanSchema) },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "maint")
      const today = await dayIn(sql, caller.organizationId, app.clock.now())
      const { rows, total } = await listPlans(sql, caller, query, { page, today })
      return paginate(rows.map(toWirePlan), total, page, address)
    },
  })

  app.post("/maintenance-plan", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "createMaintenancePlan",
      summary: "Create a maintenance plan",
      description:
        "It counts from when the work was last done: by default today, with what the vehicle shows now.",
      body: PlanBody,
      response: { 201: OnePlan },
    },
    async handler({ sql, caller, body }, reply) {
      const row = await changeFleet(app, { sql, caller }, (tx) =>
        createPlan(tx, caller, body, app.clock.now()),
      )
      reply.code(201)
      return { ...success, data: toWirePlan(row) }
    },
  })

  app.put("/maintenance-plan/:maintenancePlanId", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "updateMaintenancePlan",
      summary: "Replace the settings of a maintenance plan",
      params: PlanParams,
      body: PlanChange,
      response: { 200: OnePlan },
    },
    async handler({ sql, caller, params, body }) {
      const row = await changeFleet(app, { sql, caller }, (tx) =>
        changePlan(tx, caller, params.maintenancePlanId, body, app.clock.now()),
      )
      return { ...success, data: toWirePlan(row) }
    },
  })

  app.delete("/maintenance-plan/:maintenancePlanId", {
    config: { permission: "edit/vehicle" },
    schema: {
      operationId: "deleteMaintenancePlan",
      summary: "Delete a maintenance plan; its log stays",
      params: PlanParams,
      response: { 200: Type.Object(Success) },
    },
    async handler({ sql, caller, params }) {
      await changeFleet(app, { sql, caller }, async (tx) => {
        const today = await dayIn(tx, caller.organizationId, app.clock.now())
        const { id } = await findPlan(tx, caller, params.maintenancePlanId, today)
        await deletePlan(tx, caller.organizationId, id)
      })
      return { status: true as const, message: "The plan has been deleted" }
    },
  })
}
