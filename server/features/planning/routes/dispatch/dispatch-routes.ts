import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { type DispatchedTask, dispatchResult, previewDispatch } from "./dispatch.ts"
import { undoDispatch } from "./undo-dispatch.ts"

const Report = Type.Object({
  status: Type.Boolean(),
  success: Type.Integer(),
  failed: Type.Integer(),
  statusCode: Type.Integer(),
  tasks: Type.Array(
    Type.Object({
      _id: Type.String(),
      title: Type.Union([Type.String(), Type.Null()]),
      status: Type.Boolean(),
      message: Type.String(),
      action: Type.String({ description: "update or create" }),
    }),
  ),
})

function reportOf(tasks: DispatchedTask[]) {
  const success = tasks.filter(({ status }) => status).length
  return { status: true, success, failed: tasks.length - success, statusCode: 200, tasks }
}

export function dispatchRoutes(app: App): void {
  const context = () => ({ now: app.clock.now(), live: app.live })

  app.post("/dispatch", {
    config: { permission: "dispatch/result" },
    schema: {
      operationId: "dispatchResult",
      summary: "Write a plan into its tasks; dryRun only returns what would change",
      body: Type.Object({ resultId: IdSchema("result"), dryRun: Type.Optional(Type.Boolean()) }),
      response: { 200: Report },
    },
    handler: async ({ sql, caller, body }) =>
      reportOf(
        body.dryRun
          ? await previewDispatch(sql, caller, body.resultId, context())
          : await inTransaction(sql, (tx) => dispatchResult(tx, caller, body.resultId, context())),
      ),
  })

  app.post("/dispatch/undo", {
    config: { permission: "dispatch/result" },
    schema: {
      operationId: "undoDispatch",
      summary: "Undo a dispatch if no work on its tasks has started",
      body: Type.Object({ resultId: IdSchema("result") }),
      response: { 200: Report },
    },
    handler: async ({ sql, caller, body }) =>
      reportOf(await inTransaction(sql, (tx) => undoDispatch(tx, caller, body.resultId, context()))),
  })
}
