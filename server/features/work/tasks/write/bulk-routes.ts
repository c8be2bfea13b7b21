import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { entryReader } from "#core/http/validation.ts"
import { IdSchema, newId } from "#core/ids.ts"
import { longQueue, send } from "#core/jobs/define-job.ts"
import { deleteTasks } from "../remove/delete-tasks.ts"
import { BulkResponse } from "../schemas.ts"
import { createInBackground } from "./background.ts"
import {
  attempt,
  type BulkEntry,
  bulkResponse,
  changedEntry,
  checkSize,
  maxTasks,
  refused,
  storableEntries,
  warningsOf,
} from "./bulk-response.ts"
import type { ChangeKind } from "./change-rules.ts"
import { changeTasks } from "./change-tasks.ts"
import { createTasks } from "./create-tasks.ts"
import { TaskBody, TaskPatch, TaskReplacement } from "./task-body.ts"

const entriesWith = (fields: string) =>
  Type.Array(Type.Unknown(), {
    minItems: 1,
    description: `1 to ${maxTasks} objects with ${fields}; each is processed separately; results are in the order sent`,
  })
const TaskId = { _id: Type.String({ minLength: 1 }) }
const readTask = entryReader(TaskBody, "task")
const readers = {
  put: entryReader(
    Type.Object({ ...TaskId, ...TaskReplacement.properties }, { additionalProperties: true }),
    "task",
  ),
  patch: entryReader(
    Type.Object({ ...TaskId, ...TaskPatch.properties }, { additionalProperties: true }),
    "task",
  ),
  assign: entryReader(Type.Object({ ...TaskId, assignee: Type.Array(Type.String()) }), "task"),
  move: entryReader(Type.Object({ ...TaskId, hubId: IdSchema("hub") }), "task"),
}
/** What the handlers of bulk changes use of their request. */
interface BulkRequest {
  sql: Sql
  caller: Caller
  body: { tasks: unknown[] }
}

const readDeletion = entryReader(Type.Object(TaskId), "task")

export function taskBulkRoutes(app: App): void {
  app.post("/tasks/bulk", {
    config: { body: "bulk", permission: "add/task" },
    schema: {
      operationId: "createTasks",
      summary: "Create many tasks; invalid ones do not affect the others",
      description: "With background true the tasks are accepted and created shortly afterwards.",
      body: Type.Object({
        tasks: entriesWith("the fields of a new task"),
        background: Type.Optional(Type.Boolean()),
      }),
      response: {
        201: Type.Union([BulkResponse, Type.Object({ status: Type.Literal(true), message: Type.String() })]),
      },
    },
    async handler({ sql, caller, body }, reply) {
      checkSize(body.tasks)
      reply.code(201)
      if (body.background) {
        const { organizationId, userId } = caller
        const tasks = storableEntries(body.tasks)
        const payload = { organizationId, userId, receiptId: newId(), tasks }
        const queue = longQueue("readingImportDatasource", organizationId)
        await send(sql, createInBackground, payload, { queue })
        return { status: true as const, message: "The tasks have been accepted and will be created shortly" }
      }
      const entries = body.tasks.map((entry) => attempt(entry, readTask))
      const bodies = entries.flatMap((entry) => ("read" in entry ? [entry.read] : []))
      const context = { now: app.clock.now(), live: app.live }
      const outcomes = (await inTransaction(sql, (tx) => createTasks(tx, caller, bodies, context))).values()
      const tasks = entries.map((entry, index): BulkEntry => {
        const outcome = "read" in entry ? outcomes.next().value : entry
        const sent = body.tasks[index] as { refId?: unknown } | null
        const refId = typeof sent?.refId === "string" ? { refId: sent.refId } : {}
        if (outcome && "task" in outcome)
          return {
            status: true,
            message: "Task has been created",
            _id: outcome.task.id,
            ...refId,
            ...warningsOf(outcome),
          }
        return { ...refused(outcome?.refusal), ...refId }
      })
      return bulkResponse(tasks)
    },
  })

  const bodyWith = (fields: string) => Type.Object({ tasks: entriesWith(fields) })
  const change = async (kind: ChangeKind, { sql, caller, body }: BulkRequest) => {
    checkSize(body.tasks)
    const entries = body.tasks.map((entry) => attempt(entry, readers[kind]))
    const changes = entries.flatMap((entry) => {
      if (!("read" in entry)) return []
      const { _id, ...patch } = entry.read
      return [{ taskId: _id, kind, patch }]
    })
    const context = { now: app.clock.now(), live: app.live }
    const outcomes = await inTransaction(sql, (tx) => changeTasks(tx, caller, changes, context))
    const next = outcomes.values()
    return bulkResponse(
      entries.map((entry, index) =>
        changedEntry("read" in entry ? next.next().value : entry, body.tasks[index]),
      ),
    )
  }

  app.put("/tasks/bulk", {
    config: { body: "bulk", anyOf: ["edit/task", "do/task"] },
    schema: {
      operationId: "replaceTasks",
      summary: "Replace many tasks",
      body: bodyWith("_id and all fields of the task"),
      response: { 200: BulkResponse },
    },
    handler: (request) => change("put", request),
  })

  app.patch("/tasks/bulk", {
    config: { body: "bulk", anyOf: ["edit/task", "do/task", "task/reorder"] },
    schema: {
      operationId: "patchTasks",
      summary: "Change some fields of many tasks",
      body: bodyWith("_id and the fields to change"),
      response: { 200: BulkResponse },
    },
    handler: (request) => change("patch", request),
  })

  app.put("/tasks/bulk/assign", {
    config: { body: "bulk", permission: "assign/task" },
    schema: {
      operationId: "assignTasks",
      summary: "Assign or unassign many tasks",
      body: bodyWith("_id and assignee, a list of e-mail addresses"),
      response: { 200: BulkResponse },
    },
    handler: (request) => change("assign", request),
  })

  app.put("/tasks/bulk/move", {
    config: { body: "bulk", permission: "move/task" },
    schema: {
      operationId: "moveTasks",
      summary: "Move many tasks to other hubs of the caller",
      body: bodyWith("_id and hubId"),
      response: { 200: BulkResponse },
    },
    handler: (request) => change("move", request),
  })

  app.delete("/tasks/bulk", {
    config: { body: "bulk", permission: "delete/task" },
    schema: {
      operationId: "deleteTasks",
      summary: "Delete many open tasks; they stay in the trash for 30 days",
      body: bodyWith("_id"),
      response: { 200: BulkResponse },
    },
    async handler({ sql, caller, body }) {
      checkSize(body.tasks)
      const entries = body.tasks.map((entry) => attempt(entry, readDeletion))
      const deletions = entries.flatMap((entry) => ("read" in entry ? [{ taskId: entry.read._id }] : []))
      const context = { now: app.clock.now(), live: app.live }
      const outcomes = await inTransaction(sql, (tx) => deleteTasks(tx, caller, deletions, context))
      const next = outcomes.values()
      return bulkResponse(
        entries.map((entry, index) =>
          changedEntry("read" in entry ? next.next().value : entry, body.tasks[index]),
        ),
      )
    },
  })
}
