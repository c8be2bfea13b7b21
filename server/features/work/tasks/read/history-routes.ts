import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, paginate, readDirection, readPage } from "#core/paging.ts"
import { toT2 } from "#shared/wire-time.ts"
import { taskErrors } from "../errors.ts"
import { findTask } from "../queries.ts"
import { maxHistories, toWireTask } from "../wire.ts"
import { listHistoryPage } from "./histories.ts"

const HistoryEntry = Type.Object(
  {
    _id: Type.String(),
    action: Type.String({ description: "create, put, patch, delete, assign, unassign, move, add or review" }),
    notes: Type.String(),
    changeData: Type.Unknown({ description: "The task before the change; of `create`, as it was created" }),
    details: Type.Optional(
      Type.Unknown({
        description:
          "notApplied: values that were sent and not applied, by component id; reviewReasons and reviewNote: what a supervisor accepted",
      }),
    ),
    createdAt: Type.String(),
  },
  { title: "TaskHistory" },
)

export function taskHistoryRoutes(app: App): void {
  app.get("/task-histories/:taskId", {
    config: { permission: "view/task" },
    schema: {
      operationId: "listTaskHistories",
      summary: "Every change of a task, newest first",
      description: `A task carries its newest ${maxHistories} entries in \`histories\`; this list has all of them.`,
      params: Type.Object({ taskId: IdSchema("task") }),
      querystring: Type.Object({
        page: ListQuery.page,
        limit: ListQuery.limit,
        sortOrder: ListQuery.sortOrder,
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          histories: PaginatorSchema(HistoryEntry),
        }),
      },
    },
    async handler({ sql, caller, params, query, address }) {
      const page = readPage(query, "task", { max: 1_000 })
      const task = await findTask(sql, caller, params.taskId)
      if (!task) throw taskErrors.notFound()
      const { rows, total } = await listHistoryPage(sql, task, {
        ...page,
        direction: readDirection(query.sortOrder),
      })
      const entries = rows.map(({ id, action, notes, changeData, details, createdAt }) => ({
        _id: id,
        action,
        notes,
        changeData: changeData ?? (action === "create" ? toWireTask(task) : null),
        ...(details ? { details } : {}),
        createdAt: toT2(createdAt),
      }))
      return { status: true as const, message: "Success", histories: paginate(entries, total, page, address) }
    },
  })
}
