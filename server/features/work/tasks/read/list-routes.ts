import type { Static } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { paginateAfter } from "#core/cursor-paging.ts"
import type { Sql } from "#core/database/database.ts"
import { mapInSlices } from "#core/http/limits/large-lists.ts"
import type { App } from "#core/http/types.ts"
import { paginate, pickFields, readDirection, readPage } from "#core/paging.ts"
import { toT7 } from "#shared/wire-time.ts"
import { GalleryResponse, TaskListResponse } from "../schemas.ts"
import { toWireTask } from "../wire.ts"
import { listGallery } from "./gallery.ts"
import { historiesOf } from "./histories.ts"
import { GalleryQuery, TaskListQuery } from "./list-query.ts"
import { type ListedTask, listTasks, listTasksAfter } from "./list-tasks.ts"
import { type ProgressFields, readProgress } from "./progress-fields.ts"

export function taskListRoutes(app: App, progressFields: ProgressFields): void {
  const toRows: ToRows = async (sql, rows, fields) => {
    const isShown = isWanted("estimatedArrival", fields) || isWanted("estimatedArrivalWindow", fields)
    const progress = await readProgress(sql, progressFields, isShown ? rows : [])
    return mapInSlices(rows, (row) => {
      const histories = row.entries && historiesOf({ id: row.id, entries: row.entries })
      return pickFields({ ...toWireTask(row, histories), ...progress(row) }, fields, [
        "_id",
        "assignedVehicle",
      ])
    })
  }

  app.get(
    "/tasks",
    {
      config: { permission: "view/task", reads: "replica" },
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
      const options = { order, now, withHistories: isWanted("histories", query.fields) }
      const listed =
        query.lazyLoad === 1
          ? await readAfter(sql, caller, query, { ...options, limit: page.limit }, address, toRows)
          : await readPageOf(sql, caller, query, { ...options, page }, address, toRows)
      return {
        status: true as const,
        message: "Success.",
        tasks: listed.tasks,
        metadata: { counting: listed.counting, sourceDataTask: "-" },
        dataVersion: toT7(listed.changed ?? now),
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
type ToRows = (
  sql: Sql,
  rows: readonly ListedTask[],
  fields: string | undefined,
) => Promise<({ _id: string } & Record<string, unknown>)[]>

async function readPageOf(
  sql: Sql,
  caller: Caller,
  query: Query,
  options: Parameters<typeof listTasks>[3],
  address: URL,
  toRows: ToRows,
) {
  const { rows, counts, changed } = await listTasks(sql, caller, query, options)
  const { doneTotal, ongoingTotal } = counts
  return {
    tasks: paginate(await toRows(sql, rows, query.fields), counts.total, options.page, address),
    counting: { doneTotal, ongoingTotal },
    changed,
  }
}

async function readAfter(
  sql: Sql,
  caller: Caller,
  query: Query,
  options: Omit<Parameters<typeof listTasksAfter>[3], "cursor">,
  address: URL,
  toRows: ToRows,
) {
  const { cursor, fields } = query
  const listed = await listTasksAfter(sql, caller, query, { ...options, cursor })
  const { rows, nextCursor, counts, changed } = listed
  const wires = await toRows(sql, rows, fields)
  return {
    tasks: paginateAfter(wires, nextCursor, options.limit, address),
    counting: { doneTotal: counts.doneTotal, ongoingTotal: counts.ongoingTotal },
    changed,
  }
}

function isWanted(field: string, fields: string | undefined): boolean {
  return fields === undefined || fields.split(",").some((name) => name.trim() === field)
}
