import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { toT1 } from "#shared/wire-time.ts"
import { Warnings } from "../schemas.ts"
import { actFor } from "../write/act-for.ts"
import { warningsOf } from "../write/bulk-response.ts"
import { addToFinished } from "./add-to-finished.ts"

const AdditionBody = Type.Object(
  {
    additionId: Type.String({
      pattern: "^[A-Za-z0-9_-]{8,64}$",
      examples: ["8f14e45fceea167a"],
      description: "Chosen by the client. Repeated calls with it attach the addition once",
    }),
    doneTime: Type.Optional(Type.String({ format: "wire-date-time" })),
    isCorrection: Type.Optional(
      Type.Boolean({
        description:
          "The person who finished the task corrects it, within `correctionMinutes` of the organization",
      }),
    ),
  },
  { title: "TaskAddition", additionalProperties: true },
)

const AdditionResponse = Type.Object(
  {
    status: Type.Literal(true),
    message: Type.String(),
    data: Type.Object({
      doneBy: Type.Union([Type.String(), Type.Null()], {
        description: "Who finished the task first, if finished",
      }),
      doneTime: Type.Union([Type.String(), Type.Null()]),
    }),
    warnings: Warnings,
  },
  { title: "TaskAdditionResult" },
)

export function taskAdditionRoutes(app: App): void {
  app.post("/task-additions/:taskId", {
    config: { anyOf: ["edit/task", "do/task"] },
    schema: {
      operationId: "addToFinishedTask",
      summary: "Add a completion to a task that somebody else finished first",
      description:
        "For phones that worked without a network. Takes the same keys as finishing a task. The first completion is unchanged; the addition is listed in `additions` of the task and in its history. Allowed for present and former assignees of the task, and with edit/task.",
      params: Type.Object({ taskId: IdSchema("task") }),
      body: AdditionBody,
      response: { 201: AdditionResponse },
    },
    async handler({ sql, caller, params, body }, reply) {
      const { additionId, isCorrection = false, ...patch } = body
      const context = { now: app.clock.now(), live: app.live }
      const { task, warnings } = await inTransaction(sql, async (tx) => {
        const person = await actFor(tx, caller, params.taskId, patch)
        return addToFinished(tx, person, params.taskId, { additionId, isCorrection, patch }, context)
      })
      reply.code(201)
      const doneTime = task.doneTime ? toT1(task.doneTime) : null
      return {
        status: true as const,
        message: "Success",
        data: { doneBy: task.doneBy, doneTime },
        ...warningsOf({ warnings }),
      }
    },
  })
}
