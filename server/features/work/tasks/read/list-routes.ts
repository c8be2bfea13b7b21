import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { paginateAfter } from "#core/cursor-paging.ts"
import type { Sql } from "#core/database/database.ts"
import { mapInSlices } from "#core/http/limits/large-lists.ts"
import type { App } from "#core/http/types.ts"
import { paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { toT7 } from "#shared/wire-time.ts"
import { lastTaskChange } from "../queries.ts"
import { GalleryResponse, TaskListResponse } from "../schemas.ts"
import { type TaskRow, toWireTask } from "../wire.ts"
import { listGallery } from "./gallery.ts"
import { listHistories } from "./histories.ts"
import { GalleryQuery, TaskListQuery } from "./list-query.ts"
import { listTasks, listTasksAfter } from "./list-tasks.ts"

export function taskListRoutes(app: App): void {
  app.get(
    "/tasks",
    {
      config: { permission: "view/task" },
      schema: {
        tags: ["Tasks"],
        operationId: "listTasks",
        summary: "List tasks with exact totals",
        description:
          "With lazyLoad=1 request the next page with cursor=nextCursor, which is stable under concurrent changes; total and last_page are then null.",
        querystring: TaskListQuery,
        response: { 200: TaskListResponse },
      },
    },
    async ({ sql, caller, query, address }) => {
      const now = app.clock.now()
      const order = { sortBy: query.sortBy ?? "createdTime", direction: readDirection(query.sortOrder) }
      const page = readPage(query, "task")
      const changed = lastTaskChange(sql, caller.organizationId)
      const listed =
        query.lazyLoad === 1
          ? await readAfter(sql, caller, query, { order, limit: page.limit, now }, address)
          : await readPageOf(sql, caller, query, { order, page, now }, address)
      return {
        status: true as const,
        message: "Success.",
        tasks: listed.tasks,
        metadata: { counting: listed.counting, sourceDataTask: "-" },
        dataVersion: toT7((await changed) ?? now),
      }
    },
  )

  app.get(
    "/tasks-gallery",
    {
      config: { permission: "view/gallery" },
      schema: {
        tags: ["Tasks"],
        operationId: "listTaskGallery",
        summary: "List finished tasks with a photo of a required photo component",
        querystring: GalleryQuery,
        response: { 200: GalleryResponse },
      },
    },
    async ({ sql, caller, query }) => {
      const order = { sortBy: query.sortBy ?? "createdTime", direction: readDirection(query.sortOrder) }
      const page = readPage(query, "task")
      const tasks = await listGallery(sql, caller, query, { order, page, now: app.clock.now() })
      return { status: true as const, message: "Success.", tasks }
    },
  )
}

type Query = Static<typeof TaskListQuery>
type Order = Parameters<typeof listTasks>[3]["order"]

async function readPageOf(
  sql: Sql,
  caller: Caller,
  query: Query,
  options: Parameters<typeof listTasks>[3],
  address: URL,
) {
  const { rows, counts } = await listTasks(sql, caller, query, options)
  const { doneTotal, ongoingTotal } = counts
  return {
    tasks: paginate(await toRows(sql, caller, rows, query.fields), counts.total, options.page, address),
    counting: { doneTotal, ongoingTotal },
  }
}

async function readAfter(
  sql: Sql,
  caller: Caller,
  query: Query,
  options: { order: Order; limit: number; now: Temporal.Instant },
  address: URL,
) {
  const { cursor, fields } = query
  const { rows, nextCursor, counts } = await listTasksAfter(sql, caller, query, { ...options, cursor })
  const wires = await toRows(sql, caller, rows, fields)
  return {
    tasks: paginateAfter(wires, nextCursor, options.limit, address),
    counting: { doneTotal: counts.doneTotal, ongoingTotal: counts.ongoingTotal },
  }
}

async function toRows(sql: Sql, caller: Caller, rows: readonly TaskRow[], fields: string | undefined) {
  const wantsHistories = fields === undefined || fields.split(",").some((name) => name.trim() === "histories")
  const ids = rows.map((row) => row.id)
  const histories = wantsHistories ? await listHistories(sql, caller.organizationId, ids) : []
  const byTask = Map.groupBy(histories, (entry) => entry.taskId)
  return mapInSlices(rows, (row) =>
    pickFields(toWireTask(row, wantsHistories ? (byTask.get(row.id) ?? []) : undefined), fields, [
      "_id",
      "assignedVehicle",
    ]),
  )
}
