import { Type } from "typebox"
import { actorOf, audit } from "#core/audit.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "#core/paging.ts"
import { cleanText } from "#core/plain-text.ts"
import { referenceOf } from "./confirm.ts"
import { approveRequest, photoKeys, rejectRequest } from "./decide.ts"
import { listRequests, type RequestRow } from "./requests.ts"
import { RequestSchema, requestToWire } from "./schemas.ts"

const Params = Type.Object({ requestId: IdSchema("task-request") })
const photoSeconds = 3600

/** What strangers asked for, and the decisions about it. */
export function taskRequestRoutes(app: App): void {
  app.get("/task-requests", {
    config: { permission: "add/task" },
    schema: {
      operationId: "listTaskRequests",
      summary: "List the requests that came in on forms, newest first",
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        status: Type.Optional(Type.String({ enum: ["pending", "approved", "rejected"] })),
        formId: Type.Optional(IdSchema("request-form")),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: PaginatorSchema(RequestSchema),
        }),
      },
    },
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "rform")
      const { rows, total } = await listRequests(sql, caller, query, page)
      const data = paginate(
        rows.map((row) => requestToWire(row, referenceOf(row.id), openValues(app, row))),
        total,
        page,
        address,
      )
      return { status: true as const, message: "Success", data }
    },
  })

  app.post("/task-request/:requestId/approve", {
    config: { permission: "add/task" },
    schema: {
      operationId: "approveTaskRequest",
      summary: "Approve a request: it becomes a task",
      description:
        "The customer gets the message `requestApproved` where a template has it. A request is decided once; later calls return 409.",
      params: Params,
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), taskId: Type.String() }),
      },
    },
    async handler({ sql, caller, params, ip }) {
      const taskId = await approveRequest(app, caller, params.requestId)
      await audit(sql, actorOf(caller, ip), {
        action: "task-request.approve",
        targetType: "task-request",
        targetId: params.requestId.toLowerCase(),
        after: { taskId },
      })
      return { status: true as const, message: "The task has been created", taskId }
    },
  })

  app.post("/task-request/:requestId/reject", {
    config: { permission: "add/task" },
    schema: {
      operationId: "rejectTaskRequest",
      summary: "Reject a request",
      description:
        "The customer reads `reason` on the page of the request, and in the message `requestRejected` where a template has it. Photos are removed.",
      params: Params,
      body: Type.Object({
        reason: Type.Optional(Type.String({ maxLength: 500, examples: ["We do not repair boilers."] })),
      }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, body, ip }) {
      const reason = cleanText(body.reason ?? "") || null
      await rejectRequest(app, caller, params.requestId, reason)
      await audit(sql, actorOf(caller, ip), {
        action: "task-request.reject",
        targetType: "task-request",
        targetId: params.requestId.toLowerCase(),
        after: { reason },
      })
      return { status: true as const, message: "The request has been rejected" }
    },
  })
}

/** Photos of a request belong to no task yet: their addresses are signed. */
function openValues({ links, clock }: App, row: RequestRow): Record<string, unknown> {
  const own = new Set(photoKeys({ links }, row))
  return Object.fromEntries(
    Object.entries(row.values).map(([name, value]) => {
      const key = typeof value === "string" ? links.keyOf(value) : undefined
      return [name, key && own.has(key) ? links.sign(key, clock.now(), photoSeconds) : value]
    }),
  )
}
