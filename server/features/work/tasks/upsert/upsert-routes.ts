import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { AppError } from "#core/errors.ts"
import { reportIgnored } from "#core/http/ignored-parameters.ts"
import type { App } from "#core/http/types.ts"
import { entryReader } from "#core/http/validation.ts"
import { listHistories } from "../read/histories.ts"
import { ignoredKeys } from "../read/ignored-keys.ts"
import { BulkResponse, TaskResponse } from "../schemas.ts"
import { taskETag, toWireTask } from "../wire.ts"
import { attempt, bulkResponse, checkSize, maxTasks, refused, warningsOf } from "../write/bulk-response.ts"
import { TaskBody, TaskPatch } from "../write/task-body.ts"
import { type UpsertContext, type Upserted, upsertTasks } from "./upsert-tasks.ts"

const UpsertBody = Type.Object(
  {
    ...TaskPatch.properties,
    refId: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "\\S",
      description: "Your own key of the task",
    }),
    createdFrom: TaskBody.properties.createdFrom,
  },
  {
    additionalProperties: true,
    description: "A new task requires flow and hubId; absent keys of an existing task are unchanged",
  },
)
const readUpsert = entryReader(UpsertBody, "task")
const readNew = entryReader(TaskBody, "task")
const Event = Type.Unsafe<"create" | "update">(Type.String({ enum: ["create", "update"] }))
const rules =
  "Creating needs add/task, updating edit/task. Calls about one refId run one after the other. Several tasks with the refId, or a finished one: task-032."

/** Tasks by the caller's own key: a repeated call changes the task that the first one created. */
export function taskUpsertRoutes(app: App): void {
  const contextOf = (ifMatch?: string): UpsertContext => ({
    now: app.clock.now(),
    live: app.live,
    readNew,
    ifMatch,
  })

  app.put("/tasks/upsert", {
    config: { anyOf: ["add/task", "edit/task"], idempotent: true },
    schema: {
      operationId: "upsertTask",
      summary: "Create a task, or change the task with this refId",
      description: rules,
      body: UpsertBody,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          event: Event,
          task: TaskResponse.properties.task,
          warnings: TaskResponse.properties.warnings,
        }),
      },
    },
    async handler(request, reply) {
      const { sql, caller, body, headers } = request
      const { event, task, warnings, ...written } = await inTransaction(sql, async (tx) => {
        const [outcome] = await upsertTasks(tx, caller, [body], contextOf(headers["if-match"]))
        if (!outcome || "refusal" in outcome) throw outcome?.refusal ?? new Error("an upsert had no outcome")
        reportIgnored(request, reply, await ignoredKeys(tx, caller, outcome.task, body))
        return outcome
      })
      reply.header("etag", taskETag(task))
      const histories =
        event === "create" ? written.histories : await listHistories(sql, caller.organizationId, [task.id])
      const message = event === "create" ? "Task has been created" : "Task has been updated"
      return {
        status: true as const,
        message,
        event,
        task: toWireTask(task, histories),
        ...warningsOf({ warnings }),
      }
    },
  })

  app.put("/tasks/bulk/upsert", {
    config: { body: "bulk", anyOf: ["add/task", "edit/task"], idempotent: true },
    schema: {
      operationId: "upsertTasks",
      summary: "Create or change many tasks by their refId; invalid ones do not affect the others",
      description: rules,
      body: Type.Object({
        tasks: Type.Array(Type.Unknown(), {
          minItems: 1,
          description: `1 to ${maxTasks}; each is processed separately; results are in the order sent`,
        }),
      }),
      response: { 200: BulkResponse },
    },
    async handler({ sql, caller, body }) {
      checkSize(body.tasks)
      const entries = body.tasks.map((entry) => attempt(entry, readUpsert))
      const read = entries.flatMap((entry) => ("read" in entry ? [entry.read] : []))
      const outcomes = (await inTransaction(sql, (tx) => upsertTasks(tx, caller, read, contextOf()))).values()
      return bulkResponse(
        entries.map((entry, index) => {
          const outcome: Upserted | { refusal: AppError } | undefined =
            "read" in entry ? outcomes.next().value : entry
          return upsertedEntry(outcome, body.tasks[index])
        }),
      )
    },
  })
}

function upsertedEntry(outcome: Upserted | { refusal: AppError } | undefined, sent: unknown) {
  const { refId } = (sent ?? {}) as { refId?: unknown }
  const own = typeof refId === "string" ? { refId } : {}
  if (!outcome || "refusal" in outcome) return { ...refused(outcome?.refusal), ...own }
  const message = outcome.event === "create" ? "Task has been created" : "Task has been updated"
  return {
    ...{ status: true, message, event: outcome.event, _id: outcome.task.id },
    ...own,
    ...warningsOf(outcome),
  }
}
