import { Type } from "typebox"
import { inTransaction } from "#core/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { toT7 } from "#shared/wire-time.ts"
import { assignTasks } from "./assign-tasks.ts"
import { createTasks } from "./create-tasks.ts"
import { taskErrors } from "./errors.ts"
import { TaskListQuery } from "./list-query.ts"
import { listTasks, listTasksAfter } from "./list-tasks.ts"
import { patchTask } from "./patch-tasks.ts"
import { findTask, lastTaskChange, listHistories } from "./queries.ts"
import { TaskAnswer, TaskListAnswer } from "./schemas.ts"
import { TaskBody, TaskPatch } from "./task-body.ts"
import { taskETag, toWireTask } from "./wire.ts"

const TaskParams = Type.Object({ taskId: IdSchema("task") })

export function taskRoutes(app: App): void {
  app.get(
    "/tasks",
    {
      config: { permission: "view/task" },
      schema: {
        tags: ["Tasks"],
        operationId: "listTasks",
        summary: "Tasks that match a filter, with exact totals",
        querystring: TaskListQuery,
        response: { 200: TaskListAnswer },
      },
    },
    async ({ sql, caller, query, address }) => {
      const now = app.clock.now()
      const order = { sortBy: query.sortBy ?? "createdTime", direction: readDirection(query.sortOrder) }
      const page = readPage(query, "task")
      const changed = lastTaskChange(sql, caller.organizationId)
      const common = { status: true as const, message: "Success." }
      const wantsHistories =
        query.fields === undefined || query.fields.split(",").some((name) => name.trim() === "histories")
      const toRows = async (rows: Parameters<typeof toWireTask>[0][]) => {
        const histories = wantsHistories
          ? await listHistories(
              sql,
              caller.organizationId,
              rows.map((row) => row.id),
            )
          : []
        const byTask = Map.groupBy(histories, (entry) => entry.taskId)
        return rows.map((row) =>
          pickFields(toWireTask(row, wantsHistories ? (byTask.get(row.id) ?? []) : undefined), query.fields, [
            "_id",
            "assignedVehicle",
          ]),
        )
      }
      if (query.lazyLoad === 1) {
        const { rows, hasMore } = await listTasksAfter(sql, caller, query, {
          order,
          limit: page.limit,
          cursor: query.cursor,
          now,
        })
        const tasks = cursorPage(await toRows(rows), rows.at(-1)?.id, hasMore, page.limit, address)
        const metadata = { counting: { doneTotal: 0, ongoingTotal: 0 }, sourceDataTask: "-" }
        return { ...common, tasks, metadata, dataVersion: toT7((await changed) ?? now) }
      }
      const { rows, counts } = await listTasks(sql, caller, query, { order, page, now })
      return {
        ...common,
        tasks: paginate(await toRows(rows), counts.total, page, address),
        metadata: {
          counting: { doneTotal: counts.doneTotal, ongoingTotal: counts.ongoingTotal },
          sourceDataTask: "-",
        },
        dataVersion: toT7((await changed) ?? now),
      }
    },
  )

  app.get(
    "/task/:taskId",
    {
      config: { permission: "view/task" },
      schema: {
        tags: ["Tasks"],
        operationId: "getTask",
        summary: "One task",
        params: TaskParams,
        response: { 200: TaskAnswer },
      },
    },
    async ({ sql, caller, params }, reply) => {
      const task = await findTask(sql, caller, params.taskId)
      if (!task) throw taskErrors.notFound()
      const histories = await listHistories(sql, caller.organizationId, [task.id])
      reply.header("etag", taskETag(task))
      return { status: true as const, message: "Success", task: toWireTask(task, histories) }
    },
  )

  app.post(
    "/task",
    {
      config: { permission: "add/task" },
      schema: {
        tags: ["Tasks"],
        operationId: "createTask",
        summary: "Create a task",
        body: TaskBody,
        response: { 201: TaskAnswer },
      },
    },
    async ({ sql, caller, body }, reply) => {
      const context = { now: app.clock.now(), live: app.live }
      const task = await inTransaction(sql, async (tx) => {
        const [created] = await createTasks(tx, caller, [body], context)
        if (!created || "refusal" in created) throw created?.refusal ?? taskErrors.invalid()
        return created.task
      })
      const row = await findTask(
        sql,
        { ...caller, hubs: "all", permissions: new Set(), teamIds: [] },
        task.id,
      )
      if (!row) throw new Error("a task vanished after it was made")
      reply.code(201).header("etag", taskETag(row))
      return {
        status: true as const,
        message: "Task has been created",
        task: toWireTask(row, await listHistories(sql, caller.organizationId, [row.id])),
      }
    },
  )

  app.patch(
    "/task/:taskId",
    {
      config: { anyOf: ["edit/task", "do/task", "task/reorder"] },
      schema: {
        tags: ["Tasks"],
        operationId: "patchTask",
        summary: "Change some fields of a task, or finish it",
        params: TaskParams,
        body: Type.Optional(TaskPatch),
        response: { 200: TaskAnswer },
      },
    },
    async ({ sql, caller, params, body, headers }, reply) => {
      const context = { now: app.clock.now(), live: app.live, ifMatch: headers["if-match"] }
      const task = await inTransaction(sql, (tx) => patchTask(tx, caller, params.taskId, body ?? {}, context))
      reply.header("etag", taskETag(task))
      return { status: true as const, message: "Success", task: toWireTask(task) }
    },
  )

  app.put(
    "/task/:taskId/assign",
    {
      config: { permission: "assign/task" },
      schema: {
        tags: ["Tasks"],
        operationId: "assignTask",
        summary: "Assign a task to people, or take it from everybody",
        params: TaskParams,
        body: Type.Object({
          assignee: Type.Array(Type.String(), { description: "E-mails; empty unassigns" }),
        }),
        response: { 200: TaskAnswer },
      },
    },
    async ({ sql, caller, params, body }, reply) => {
      const context = { now: app.clock.now(), live: app.live }
      const assignment = { taskId: params.taskId, assignee: body.assignee }
      const [changed] = await inTransaction(sql, (tx) => assignTasks(tx, caller, [assignment], context))
      if (!changed || "refusal" in changed) throw changed?.refusal ?? taskErrors.notFound()
      reply.header("etag", taskETag(changed.task))
      return { status: true as const, message: "Success", task: toWireTask(changed.task) }
    },
  )
}

/** The page object of cursor mode: the next address carries the cursor; totals are not counted. */
function cursorPage<Row>(
  rows: Row[],
  lastId: string | undefined,
  hasMore: boolean,
  limit: number,
  address: URL,
) {
  const page = paginate(rows, rows.length, { page: 1, limit, offset: 0 }, address)
  const next = new URL(address)
  if (lastId) next.searchParams.set("cursor", lastId)
  return {
    ...page,
    last_page: null,
    last_page_url: null,
    total: null,
    next_page_url: hasMore ? next.href : null,
  }
}
