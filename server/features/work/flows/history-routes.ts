import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { AppError } from "#core/errors.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readDirection, readPage, SparseSchema } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import { flowLogActions, listFlowLogs, toWireFlowLog } from "./flow-logs.ts"
import { allowedFlowIds, findFlows, toWireFlow } from "./queries.ts"
import { type ReorderOutcome, reorderFlows } from "./reorder-flows.ts"
import { flowReaders } from "./routes.ts"
import { DeletedFlowSchema, FlowLogSchema, FlowSchema } from "./schemas.ts"
import { restoreFlow } from "./write-flow.ts"

const Code = Type.Literal(200)

/** What became of flows over time, and the saving of their list as a whole. */
export function flowHistoryRoutes(app: App): void {
  app.get("/flow-logs", {
    config: { permission: "view/flow", valueCode: "flow-001" },
    schema: {
      operationId: "listFlowLogs",
      summary: "List changes of flows with the states before and after, newest first",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        sortOrder: ListQuery.sortOrder,
        action: Type.Optional(
          Type.Unsafe<(typeof flowLogActions)[number]>({ type: "string", enum: flowLogActions }),
        ),
        flowId: Type.Optional(Type.String({ description: "Comma-separated list of flow ids" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Code,
          message: Type.String(),
          data: PaginatorSchema(FlowLogSchema),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "flow")
      const filter = {
        action: query.action,
        flowIds: query.flowId === undefined ? undefined : commaList(query.flowId.toLowerCase()),
        direction: readDirection(query.sortOrder),
      }
      const { rows, total } = await listFlowLogs(sql, caller, filter, page)
      const data = paginate(rows.map(toWireFlowLog), total, page, address)
      return { status: true as const, code: 200 as const, message: "Success", data }
    },
  })

  app.put("/flow/:flowId/restore/:flowLogId", {
    config: { permission: "edit/flow" },
    schema: {
      operationId: "restoreFlow",
      summary: "Restore a flow to its state before a logged change",
      params: Type.Object({ flowId: IdSchema("flow"), flowLogId: IdSchema("flow-log") }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Code,
          message: Type.String(),
          data: FlowSchema,
        }),
      },
    },
    async handler({ sql, caller, params }) {
      const flow = await inTransaction(sql, (tx) =>
        restoreFlow(tx, caller, params.flowId, params.flowLogId, app.live),
      )
      const message = "Flow has been restored"
      return { status: true as const, code: 200 as const, message, data: toWireFlow(flow) }
    },
  })

  app.post("/flows/check-version", {
    config: { anyOf: flowReaders, idempotent: false },
    schema: {
      operationId: "checkFlowVersions",
      summary: "List all flows that the caller may use, for clients that store copies",
      body: Type.Object({
        flows: Type.Array(
          Type.Object({ name: Type.Optional(Type.String()), version: Type.Optional(Type.Integer()) }),
        ),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          flow: Type.Array(FlowSchema),
        }),
      },
    },
    async handler({ sql, caller }) {
      const allowed = allowedFlowIds(caller)
      const flows = await findFlows(sql, caller)
      const usable = flows.filter((flow) => !allowed || allowed.includes(flow.id))
      return { status: true as const, message: "Success", flow: usable.map(toWireFlow) }
    },
  })

  app.put("/flow-reorder", {
    config: { permission: "edit/flow" },
    schema: {
      operationId: "reorderFlows",
      summary: "Save the list of flows: order, names, copies (add/flow) and deletions (delete/flow)",
      body: Type.Object({
        data: Type.Array(
          Type.Object({
            flowId: Type.String(),
            flowName: Type.Optional(Type.String()),
            doDuplicate: Type.Optional(Type.Boolean()),
            doDelete: Type.Optional(Type.Boolean()),
          }),
          { maxItems: 1000 },
        ),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          code: Code,
          message: Type.String(),
          data: Type.Array(
            Type.Object({
              status: Type.Boolean(),
              code: Type.Integer(),
              message: Type.Optional(Type.String()),
              failedCode: Type.Optional(Type.String()),
              flow: Type.Optional(SparseSchema(FlowSchema)),
              data: Type.Optional(DeletedFlowSchema),
            }),
          ),
        }),
      },
    },
    async handler({ sql, caller, body }) {
      const outcomes = await inTransaction(sql, (tx) => reorderFlows(tx, caller, body.data, app.live))
      const now = app.clock.now()
      const data = outcomes.map((outcome) => toWireOutcome(outcome, now))
      return { status: true as const, code: 200 as const, message: "Success", data }
    },
  })
}

function toWireOutcome(outcome: ReorderOutcome, now: Temporal.Instant) {
  switch (outcome.kind) {
    case "placed": {
      const { orderIndex, version } = outcome.flow
      return { status: true, code: 200, message: "Success", flow: { orderIndex, version } }
    }
    case "duplicated":
      return { status: true, code: 200, message: "Success", flow: toWireFlow(outcome.flow) }
    case "deleted":
      return { status: true, code: 200, data: { ...toWireFlow(outcome.flow), deleted_at: toT2(now) } }
    case "refused":
      return refusedEntry(outcome.refusal)
  }
}

function refusedEntry({ http, message, failedCode }: AppError) {
  return { status: false, code: http, message, failedCode }
}
