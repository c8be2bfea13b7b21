import { Type } from "typebox"
import { inTransaction } from "#core/database.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { entryReader } from "#core/http/validation.ts"
import { assignTasks } from "./assign-tasks.ts"
import { createTasks } from "./create-tasks.ts"
import { taskErrors } from "./errors.ts"
import { patchTasks } from "./patch-tasks.ts"
import { BulkAnswer } from "./schemas.ts"
import { TaskBody, TaskPatch } from "./task-body.ts"

const maxTasks = 2000

const Entries = Type.Array(Type.Unknown(), {
  minItems: 1,
  description: `1 to ${maxTasks}; each is answered by itself, in order`,
})
const readTask = entryReader(TaskBody, "task")
const readAssignment = entryReader(
  Type.Object({ _id: Type.String(), assignee: Type.Array(Type.String()) }),
  "task",
)
const readPatch = entryReader(
  Type.Object({ _id: Type.String(), ...TaskPatch.properties }, { additionalProperties: true }),
  "task",
)

interface BulkEntry {
  status: boolean
  message: string
  _id?: string
  refId?: string
  failedCode?: string
}

export function taskBulkRoutes(app: App): void {
  app.post(
    "/tasks/bulk",
    {
      config: { permission: "add/task" },
      schema: {
        tags: ["Tasks"],
        operationId: "createTasks",
        summary: "Create many tasks; one that is refused does not stop the others",
        body: Type.Object({ tasks: Entries, background: Type.Optional(Type.Boolean()) }),
        response: { 201: BulkAnswer },
      },
    },
    async ({ sql, caller, body }, reply) => {
      checkSize(body.tasks)
      const entries = body.tasks.map((entry) => attempt(() => readTask(entry)))
      const bodies = entries.flatMap((entry) => ("read" in entry ? [entry.read] : []))
      const context = { now: app.clock.now(), live: app.live }
      const outcomes = (await inTransaction(sql, (tx) => createTasks(tx, caller, bodies, context))).values()
      const tasks = entries.map((entry, index): BulkEntry => {
        const outcome = "read" in entry ? outcomes.next().value : entry
        const sent = body.tasks[index] as { refId?: unknown } | null
        const refId = typeof sent?.refId === "string" ? { refId: sent.refId } : {}
        if (outcome && "task" in outcome)
          return { status: true, message: "Task has been created", _id: outcome.task.id, ...refId }
        return { ...refused(outcome?.refusal), ...refId }
      })
      reply.code(201)
      return bulkAnswer(tasks)
    },
  )

  app.put(
    "/tasks/bulk/assign",
    {
      config: { permission: "assign/task" },
      schema: {
        tags: ["Tasks"],
        operationId: "assignTasks",
        summary: "Assign many tasks",
        body: Type.Object({ tasks: Entries }),
        response: { 200: BulkAnswer },
      },
    },
    async ({ sql, caller, body }) => {
      checkSize(body.tasks)
      const entries = body.tasks.map((entry) => attempt(() => readAssignment(entry)))
      const assignments = entries.flatMap((entry) =>
        "read" in entry ? [{ taskId: entry.read._id, assignee: entry.read.assignee }] : [],
      )
      const context = { now: app.clock.now(), live: app.live }
      const outcomes = (
        await inTransaction(sql, (tx) => assignTasks(tx, caller, assignments, context))
      ).values()
      return bulkAnswer(
        entries.map((entry, index) =>
          changedEntry("read" in entry ? outcomes.next().value : entry, body.tasks[index]),
        ),
      )
    },
  )

  app.patch(
    "/tasks/bulk",
    {
      config: { anyOf: ["edit/task", "do/task", "task/reorder"] },
      schema: {
        tags: ["Tasks"],
        operationId: "patchTasks",
        summary: "Change some fields of many tasks",
        body: Type.Object({ tasks: Entries }),
        response: { 200: BulkAnswer },
      },
    },
    async ({ sql, caller, body }) => {
      checkSize(body.tasks)
      const entries = body.tasks.map((entry) => attempt(() => readPatch(entry)))
      const patches = entries.flatMap((entry) => {
        if (!("read" in entry)) return []
        const { _id, ...patch } = entry.read
        return [{ taskId: _id, patch }]
      })
      const context = { now: app.clock.now(), live: app.live }
      const outcomes = (await inTransaction(sql, (tx) => patchTasks(tx, caller, patches, context))).values()
      return bulkAnswer(
        entries.map((entry, index) =>
          changedEntry("read" in entry ? outcomes.next().value : entry, body.tasks[index]),
        ),
      )
    },
  )
}

function checkSize(entries: readonly unknown[]): void {
  if (entries.length > maxTasks)
    throw taskErrors.tooMany({
      message: `Send at most ${maxTasks} tasks in one call; these are ${entries.length}`,
    })
}

function attempt<T>(read: () => T): { read: T } | { refusal: AppError } {
  try {
    return { read: read() }
  } catch (error) {
    if (error instanceof AppError) return { refusal: error }
    throw error
  }
}

function changedEntry(
  outcome: { task: { id: string } } | { refusal: AppError } | undefined,
  sent: unknown,
): BulkEntry {
  if (outcome && "task" in outcome) return { status: true, message: "Success", _id: outcome.task.id }
  const id = (sent as { _id?: unknown } | null)?._id
  return { ...refused(outcome?.refusal), ...(typeof id === "string" ? { _id: id } : {}) }
}

function refused(refusal: AppError | undefined): BulkEntry {
  const { message, failedCode } = refusal ?? taskErrors.invalid()
  return { status: false, message, failedCode }
}

function bulkAnswer(tasks: BulkEntry[]) {
  const success = tasks.filter((entry) => entry.status).length
  return { success, failed: tasks.length - success, tasks }
}
