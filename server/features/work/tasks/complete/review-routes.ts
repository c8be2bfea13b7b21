import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { taskErrors } from "../errors.ts"
import { findWritten } from "../queries.ts"
import { TaskResponse } from "../schemas.ts"
import { toWireTask } from "../wire.ts"
import { readAttemptOptions } from "../write/next-attempt.ts"
import { acceptFinish, scheduleAttempt } from "./review-tasks.ts"

const TaskParams = Type.Object({ taskId: IdSchema("task") })

export function taskReviewRoutes(app: App): void {
  app.put("/task-reviews/:taskId", {
    config: { permission: "edit/task" },
    schema: {
      operationId: "acceptFinishedTask",
      summary: "Accept a finished task that needs a review",
      description:
        "For tasks with `needsReview: true`: finished outside a location lock, without a position, or against another rule of the flow. The history records who accepted it, the reasons and the note. A repeated call changes nothing.",
      params: TaskParams,
      body: Type.Optional(Type.Object({ note: Type.Optional(Type.String({ maxLength: 1000 })) })),
      response: { 200: TaskResponse },
    },
    async handler({ sql, caller, params, body }) {
      const context = { now: app.clock.now(), live: app.live }
      const note = body?.note?.trim()
      const task = await inTransaction(sql, (tx) => acceptFinish(tx, caller, params.taskId, note, context))
      return { status: true as const, message: "Success", task: toWireTask(task) }
    },
  })

  app.post("/task-attempts/:taskId", {
    config: { permission: "add/task" },
    schema: {
      operationId: "scheduleNextAttempt",
      summary: "Create the next attempt of a task whose work was not done",
      description:
        "For tasks finished with the outcome partial, failed or returned. The new task has the planned values of this one and, unless stated otherwise, the same time of day later and no assignee. The tasks name each other (`nextTaskId`, `previousTaskId`). A repeated call returns the same task with 200.",
      params: TaskParams,
      body: Type.Optional(
        Type.Object({
          startTime: Type.Optional(Type.String({ format: "wire-date-time" })),
          endTime: Type.Optional(Type.String({ format: "wire-date-time" })),
          assignee: Type.Optional(Type.Array(Type.String(), { description: "Needs assign/task" })),
        }),
      ),
      response: { 200: TaskResponse, 201: TaskResponse },
    },
    async handler({ sql, caller, params, body }, reply) {
      const context = { now: app.clock.now(), live: app.live }
      const { isNew, task } = await inTransaction(sql, async (tx) => {
        const attempt = await scheduleAttempt(tx, caller, params.taskId, readAttemptOptions(body), context)
        const [created] = await findWritten(tx, caller, [attempt.taskId])
        return { isNew: attempt.isNew, task: created }
      })
      if (!task) throw taskErrors.notFound()
      reply.code(isNew ? 201 : 200)
      return {
        status: true as const,
        message: isNew ? "Task has been created" : "Success",
        task: toWireTask(task),
      }
    },
  })
}
