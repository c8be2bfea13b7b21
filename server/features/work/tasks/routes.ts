import type { FastifyRequest } from "fastify"
import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { type ReplyHeaders, reportIgnored } from "#core/http/ignored-parameters.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { taskErrors } from "./errors.ts"
import { findTaskWithHistories } from "./queries.ts"
import { listHistories } from "./read/histories.ts"
import { ignoredKeys } from "./read/ignored-keys.ts"
import { type ProgressFields, readProgress } from "./read/progress-fields.ts"
import { deleteTask } from "./remove/delete-tasks.ts"
import { TaskResponse } from "./schemas.ts"
import { taskETag, toWireTask, type Written } from "./wire.ts"
import { actFor } from "./write/act-for.ts"
import { warningsOf } from "./write/bulk-response.ts"
import type { ChangeKind } from "./write/change-rules.ts"
import { changeTask, type TaskChange } from "./write/change-tasks.ts"
import { createTasks } from "./write/create-tasks.ts"
import { TaskBody, TaskPatch, TaskReplacement } from "./write/task-body.ts"

const TaskParams = Type.Object({ taskId: IdSchema("task") })
const stale = "With If-Match the change is refused with 412 when somebody changed the task meanwhile."

export function taskRoutes(app: App, progressFields: ProgressFields): void {
  app.get("/task/:taskId", {
    config: { versioned: true, permission: "view/task", quick: true },
    schema: {
      operationId: "getTask",
      summary: "Get a task",
      params: TaskParams,
      response: { 200: TaskResponse },
    },
    async handler({ sql, caller, params }, reply) {
      const found = await findTaskWithHistories(sql, caller, params.taskId)
      if (!found) throw taskErrors.notFound()
      reply.header("etag", taskETag(found.task))
      const progress = await readProgress(sql, progressFields, [found.task])
      const task = { ...toWireTask(found.task, found.histories), ...progress(found.task) }
      return { status: true as const, message: "Success", task }
    },
  })

  app.post("/task", {
    config: { versioned: true, permission: "add/task" },
    schema: {
      operationId: "createTask",
      summary: "Create a task",
      body: TaskBody,
      response: { 201: TaskResponse },
    },
    async handler(request, reply) {
      const { sql, caller, body } = request
      const { task, warnings, histories } = await inTransaction(sql, async (tx) => {
        const context = { now: app.clock.now(), live: app.live }
        const [created] = await createTasks(tx, caller, [body], context)
        if (!created || "refusal" in created) throw created?.refusal ?? taskErrors.invalid()
        reportIgnored(request, reply, await ignoredKeys(tx, caller, created.task, body))
        return created
      })
      reply.code(201).header("etag", taskETag(task))
      return {
        status: true as const,
        message: "Task has been created",
        task: toWireTask(task, histories),
        ...warningsOf({ warnings }),
      }
    },
  })

  /** A change with the whole history of its task. */
  const changeOne = async (tx: Tx, caller: Caller, change: TaskChange) => {
    const context = { now: app.clock.now(), live: app.live }
    // Sent behind the statement that locks the task: nothing is missing from these entries.
    const [changed, before] = await Promise.all([
      changeTask(tx, caller, change, context),
      listHistories(tx, caller.organizationId, [change.taskId.toLowerCase()]),
    ])
    return { ...changed, histories: [...before, ...changed.histories] }
  }
  const change =
    (kind: ChangeKind) =>
    (sql: Sql, caller: Caller, taskId: string, patch: TaskPatch, ifMatch: string | undefined) =>
      inTransaction(sql, (tx) => changeOne(tx, caller, { taskId, kind, patch, ifMatch }))
  /** A change by a body whose keys depend on the flow. */
  const edit = async (
    request: Pick<FastifyRequest, "sql" | "caller" | "headers" | "routeOptions">,
    reply: ReplyHeaders,
    change: TaskChange,
  ) => {
    const { sql, caller, headers } = request
    const changed = await inTransaction(sql, async (tx) => {
      const person = await actFor(tx, caller, change.taskId, change.patch)
      const outcome = await changeOne(tx, person, { ...change, ifMatch: headers["if-match"] })
      reportIgnored(request, reply, await ignoredKeys(tx, caller, outcome.task, change.patch))
      return outcome
    })
    reply.header("etag", taskETag(changed.task))
    return bodyOf(changed)
  }
  const bodyOf = (changed: Written) => ({
    status: true as const,
    message: "Success",
    task: toWireTask(changed.task, changed.histories),
    ...warningsOf(changed),
  })
  const [assign, move] = [change("assign"), change("move")]

  app.put("/task/:taskId", {
    config: { versioned: true, anyOf: ["edit/task", "do/task"] },
    schema: {
      operationId: "replaceTask",
      summary: "Replace a task's component values and base fields, or finish it",
      description: `Absent component values are cleared. Absent people, times and orderIndex are unchanged. ${stale}`,
      params: TaskParams,
      body: TaskReplacement,
      response: { 200: TaskResponse },
    },
    handler(request, reply) {
      const { params, body } = request
      return edit(request, reply, { taskId: params.taskId, kind: "put", patch: body })
    },
  })

  app.patch("/task/:taskId", {
    config: { versioned: true, anyOf: ["edit/task", "do/task", "task/reorder"] },
    schema: {
      operationId: "patchTask",
      summary: "Change some fields of a task, or finish it",
      description: stale,
      params: TaskParams,
      body: Type.Optional(TaskPatch),
      response: { 200: TaskResponse },
    },
    handler(request, reply) {
      const { params, body } = request
      return edit(request, reply, {
        taskId: params.taskId,
        kind: "patch",
        patch: body ?? {},
      })
    },
  })

  app.put("/task/:taskId/assign", {
    config: { versioned: true, permission: "assign/task" },
    schema: {
      operationId: "assignTask",
      summary: "Assign or unassign a task",
      description: stale,
      params: TaskParams,
      body: Type.Object({
        assignee: Type.Array(Type.String(), { description: "E-mails or ids of teams; empty unassigns" }),
      }),
      response: { 200: TaskResponse },
    },
    async handler({ sql, caller, params, body, headers }, reply) {
      const changed = await assign(
        sql,
        caller,
        params.taskId,
        { assignee: body.assignee },
        headers["if-match"],
      )
      reply.header("etag", taskETag(changed.task))
      return bodyOf(changed)
    },
  })

  app.put("/task/:taskId/move", {
    config: { versioned: true, permission: "move/task" },
    schema: {
      operationId: "moveTask",
      summary: "Move a task to another of the caller's hubs",
      description: `People and status are unchanged. ${stale}`,
      params: TaskParams,
      body: Type.Object({ hubId: IdSchema("hub") }),
      response: { 200: TaskResponse },
    },
    async handler({ sql, caller, params, body, headers }, reply) {
      const changed = await move(sql, caller, params.taskId, { hubId: body.hubId }, headers["if-match"])
      reply.header("etag", taskETag(changed.task))
      return bodyOf(changed)
    },
  })

  app.delete("/task/:taskId", {
    config: { versioned: true, permission: "delete/task" },
    schema: {
      operationId: "deleteTask",
      summary: "Delete an open task; it stays in the trash for 30 days",
      description: stale,
      params: TaskParams,
      response: { 200: TaskResponse },
    },
    async handler({ sql, caller, params, headers }) {
      const deletion = { taskId: params.taskId, ifMatch: headers["if-match"] }
      const context = { now: app.clock.now(), live: app.live }
      const { task, histories } = await inTransaction(sql, (tx) => deleteTask(tx, caller, deletion, context))
      return { status: true as const, message: "Success", task: toWireTask(task, histories) }
    },
  })
}
