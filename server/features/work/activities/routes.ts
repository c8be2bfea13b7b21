import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { inTransaction, type Sql } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, pickFields, readDirection, readPage } from "#core/paging.ts"
import {
  hubAndOrganization,
  removeActivity,
  sortExpression,
  type TaskRow,
  taskColumns,
  toWireTask,
  visibleTasks,
} from "../tasks/index.ts"
import { createActivity } from "./create-activity.ts"

const Params = Type.Object({ activityId: IdSchema("task") })
const Activity = Type.Object({ _id: Type.String() }, { title: "Activity", additionalProperties: true })
const fields = { fields: ListQuery.fields }
const listQuery = {
  page: ListQuery.page,
  pageSize: ListQuery.limit,
  sort: Type.Optional(Type.String({ description: "Default updatedTime" })),
  order: ListQuery.sortOrder,
  status: Type.Optional(Type.String({ description: "Comma-separated list of UNASSIGNED, ONGOING, DONE" })),
  hubId: Type.Optional(Type.String()),
  ...fields,
}
const ListResponse = Type.Object({
  status: Type.Literal(true),
  code: Type.Literal(200),
  data: Type.Object({
    activities: Type.Array(Activity),
    total: Type.Integer(),
    currentPage: Type.Integer(),
    lastPage: Type.Integer(),
    perPage: Type.Integer(),
  }),
})
const notFound = () => new AppError(404, "ACTIV_NOT_FOUND", "This activity does not exist")

interface ListOptions {
  page?: number
  pageSize?: number
  sort?: string
  order?: string
  status?: string
  hubId?: string
  workflowId?: string
  fields?: string
}

/** Activities: a workflow's tasks in their order, and the task that stands for the whole. */
export function activityRoutes(app: App): void {
  app.post(
    "/activity",
    {
      config: { permission: "add/task", valueCode: "ACTIV_WORKFLOW_NOT_FOUND" },
      schema: {
        tags: ["Activities"],
        operationId: "createActivity",
        summary: "Start an activity of a workflow",
        body: Type.Object({
          workflowId: IdSchema("workflow"),
          hubId: Type.Optional(IdSchema("hub")),
          tasks: Type.Array(Type.Unknown(), {
            description: "One task per step, in order; the flows are those of the steps",
          }),
        }),
        response: {
          201: Type.Object({
            status: Type.Literal(true),
            code: Type.Literal(201),
            message: Type.String(),
            data: Activity,
          }),
        },
      },
    },
    async ({ sql, caller, body }, reply) => {
      const context = { now: app.clock.now(), live: app.live }
      const made = await inTransaction(sql, (tx) => createActivity(tx, caller, body, context))
      reply.code(201)
      const {
        steps: _steps,
        customStatuses: _statuses,
        ...workflow
      } = (made.attributes.workflow ?? {}) as Record<string, unknown>
      const [activity] = await toWireActivities(sql, [made])
      return {
        status: true as const,
        code: 201 as const,
        message: "Activity has been created",
        data: { ...activity, _id: made.id, workflow },
      }
    },
  )

  app.get(
    "/activities",
    {
      config: { permission: "view/task" },
      schema: {
        tags: ["Activities"],
        operationId: "listActivities",
        summary: "List the activities of the caller's hubs",
        querystring: Type.Object({ ...listQuery, workflowId: Type.Optional(Type.String()) }),
        response: { 200: ListResponse },
      },
    },
    ({ sql, caller, query }) => list(sql, caller, query),
  )

  app.get(
    "/activities/workflow/:workflowId",
    {
      config: { permission: "view/task" },
      schema: {
        tags: ["Activities"],
        operationId: "listActivitiesOfWorkflow",
        summary: "List the activities of a workflow, which may be deleted",
        params: Type.Object({ workflowId: IdSchema("workflow") }),
        querystring: Type.Object(listQuery),
        response: { 200: ListResponse },
      },
    },
    ({ sql, caller, params, query }) => list(sql, caller, { ...query, workflowId: params.workflowId }),
  )

  app.get(
    "/activity/:activityId",
    {
      config: { permission: "view/task", notFoundCode: "ACTIV_NOT_FOUND" },
      schema: {
        tags: ["Activities"],
        operationId: "getActivity",
        summary: "Get an activity",
        params: Params,
        querystring: Type.Object(fields),
        response: {
          200: Type.Object({ status: Type.Literal(true), code: Type.Literal(200), data: Activity }),
        },
      },
    },
    async ({ sql, caller, params, query }) => {
      const rows = await sql<TaskRow[]>`
        select ${taskColumns(sql)}, ${hubAndOrganization(sql)} from tasks
        where ${visibleTasks(sql, caller)} and task_type = 'activityMaster' and tasks.id = ${params.activityId.toLowerCase()}`
      const [activity] = await toWireActivities(sql, rows)
      if (!activity) throw notFound()
      return { status: true as const, code: 200 as const, data: picked(activity, query.fields) }
    },
  )

  app.delete(
    "/activity/:activityId",
    {
      config: { permission: "delete/task", notFoundCode: "ACTIV_NOT_FOUND" },
      schema: {
        tags: ["Activities"],
        operationId: "deleteActivity",
        summary: "Delete an activity and its tasks permanently",
        params: Params,
        response: {
          200: Type.Object({ status: Type.Literal(true), code: Type.Literal(200), message: Type.String() }),
        },
      },
    },
    async ({ sql, caller, params }) => {
      const context = { now: app.clock.now(), live: app.live }
      const gone = await inTransaction(sql, (tx) => removeActivity(tx, caller, params.activityId, context))
      if (!gone) throw notFound()
      return { status: true as const, code: 200 as const, message: "Activity has been deleted" }
    },
  )
}

type WireActivity = Record<string, unknown> & { _id: string }

/** Older clients read `name` and `tasks`; an activity's hub has its address too. */
async function toWireActivities(sql: Sql, rows: readonly TaskRow[]): Promise<WireActivity[]> {
  const hubs = await sql<{ id: string; address: string }[]>`
    select id, address from hubs where organization_id = ${rows[0]?.organizationId ?? ""}
      and id = any (${[...new Set(rows.map((row) => row.hubId as string))]})`
  const addresses = new Map(hubs.map(({ id, address }) => [id, address]))
  return rows.map((row) => {
    const task = toWireTask(row)
    return {
      ...task,
      hub: task.hub && { ...task.hub, address: addresses.get(row.hubId) ?? null },
      name: row.title,
      tasks: row.attributes.subId ?? [],
    }
  })
}

function picked(activity: WireActivity, wanted: string | undefined) {
  return pickFields(activity, wanted, ["_id", "organizationId"])
}

async function list(sql: Sql, caller: Caller, query: ListOptions) {
  const { page: asked, pageSize } = query
  const options = {
    ...(asked === undefined ? {} : { page: asked }),
    ...(pageSize === undefined ? {} : { limit: pageSize }),
  }
  const page = readPage(options, "activ", { default: 15 })
  const way = readDirection(query.order) === "asc" ? sql`asc` : sql`desc`
  const condition = sql`${visibleTasks(sql, caller)} and task_type = 'activityMaster'
    ${query.status ? sql`and status = any (${commaList(query.status.toUpperCase())})` : sql``}
    ${query.hubId ? sql`and hub_id = any (${commaList(query.hubId.toLowerCase())})` : sql``}
    ${query.workflowId ? sql`and attributes->>'workflowId' = ${query.workflowId.toLowerCase()}` : sql``}`
  const [rows, counted] = await Promise.all([
    sql<TaskRow[]>`
      select ${taskColumns(sql)}, ${hubAndOrganization(sql)} from tasks where ${condition}
      order by ${sortExpression(sql, caller.organizationId, query.sort ?? "updatedTime")} ${way}, id ${way} limit ${page.limit} offset ${page.offset}`,
    sql<{ total: number }[]>`select count(*) as total from tasks where ${condition}`,
  ])
  const total = counted[0]?.total ?? 0
  const activities = await toWireActivities(sql, rows)
  return {
    status: true as const,
    code: 200 as const,
    data: {
      activities: activities.map((activity) => picked(activity, query.fields)),
      total,
      currentPage: page.page,
      lastPage: Math.max(1, Math.ceil(total / page.limit)),
      perPage: page.limit,
    },
  }
}
