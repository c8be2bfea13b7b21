import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import {
  ListQuery,
  PaginatorSchema,
  paginate,
  pickFields,
  readDirection,
  readPage,
  SparseSchema,
} from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import { flowErrors } from "./errors.ts"
import { findFlow, listFlows, toWireFlow } from "./queries.ts"
import { DeletedFlowResponse, FlowBody, FlowSchema } from "./schemas.ts"
import { createFlow, deleteFlow, replaceFlow } from "./write-flow.ts"

export const flowReaders = ["view/flow", "add/task", "do/task"] as const
const FlowResponse = Type.Object({ status: Type.Literal(true), message: Type.String(), flow: FlowSchema })

export function flowRoutes(app: App): void {
  app.get("/flows", {
    // All flows of an organization are a small list, and its people wait for it on many pages.
    config: { anyOf: flowReaders, admission: "medium", valueCode: "flow-001" },
    schema: {
      operationId: "listFlows",
      summary: "List the organization's flows",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        fields: ListQuery.fields,
        sort_by: Type.Optional(
          Type.String({ description: "orderIndex (default), name, createdTime, updatedTime" }),
        ),
        sort_order: ListQuery.sortOrder,
        permission: Type.Optional(
          Type.Boolean({ description: "Only flows of which the caller may create tasks" }),
        ),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          flows: PaginatorSchema(SparseSchema(FlowSchema)),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "flow")
      const filter = {
        ...(query.sort_by === undefined ? {} : { sortBy: query.sort_by }),
        direction: readDirection(query.sort_order),
        onlyAllowed: query.permission ?? false,
      }
      const { rows, total } = await listFlows(sql, caller, filter, page)
      const flows = rows.map((row) => pickFields(toWireFlow(row), query.fields))
      return { status: true as const, message: "Success", flows: paginate(flows, total, page, address) }
    },
  })

  app.get("/flow/:flowId", {
    config: { anyOf: flowReaders, quick: true },
    schema: {
      operationId: "getFlow",
      summary: "Get a flow",
      params: Type.Object({ flowId: IdSchema("flow") }),
      response: { 200: FlowResponse },
    },
    async handler({ sql, caller, params }) {
      const flow = await findFlow(sql, caller, params.flowId)
      if (!flow) throw flowErrors.notFound()
      return { status: true as const, message: "Success", flow: toWireFlow(flow) }
    },
  })

  app.post("/flow", {
    config: { permission: "add/flow" },
    schema: {
      operationId: "createFlow",
      summary: "Create a flow",
      body: FlowBody,
      response: { 201: FlowResponse },
    },
    async handler({ sql, caller, body }, reply) {
      const flow = await inTransaction(sql, (tx) => createFlow(tx, caller, body, app.live))
      reply.code(201)
      return { status: true as const, message: "Flow has been created", flow: toWireFlow(flow) }
    },
  })

  app.put("/flow/:flowId", {
    config: { permission: "edit/flow" },
    schema: {
      operationId: "replaceFlow",
      summary: "Replace a flow's name, pages and configurations, which creates its next version",
      params: Type.Object({ flowId: IdSchema("flow") }),
      body: FlowBody,
      response: { 200: FlowResponse },
    },
    async handler({ sql, caller, params, body }) {
      const flow = await inTransaction(sql, (tx) => replaceFlow(tx, caller, params.flowId, body, app.live))
      return { status: true as const, message: "Flow has been updated", flow: toWireFlow(flow) }
    },
  })

  app.delete("/flow/:flowId", {
    config: { permission: "delete/flow" },
    schema: {
      operationId: "deleteFlow",
      summary: "Delete a flow; its tasks stay",
      params: Type.Object({ flowId: IdSchema("flow") }),
      response: { 200: DeletedFlowResponse },
    },
    async handler({ sql, caller, params }) {
      const flow = await inTransaction(sql, (tx) => deleteFlow(tx, caller, params.flowId, app.live))
      return { status: true as const, data: { ...toWireFlow(flow), deleted_at: toT2(app.clock.now()) } }
    },
  })
}
