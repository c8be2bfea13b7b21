import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery } from "#core/paging.ts"
import { removeActivity } from "../tasks/index.ts"
import { createActivity } from "./create-activity.ts"
import { findActivity, listActivities, picked, toWireActivities } from "./list-activities.ts"

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

/** Activities: a workflow's tasks in their order, and the task that stands for the whole. */
export function activityRoutes(app: App): void {
  app.post("/activity", {
    config: { permission: "add/task", valueCode: "ACTIV_WORKFLOW_NOT_FOUND" },
    schema: {
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
    async handler({ sql, caller, body }, reply) {
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
  })

  app.get("/activities", {
    config: { permission: "view/task" },
    schema: {
      operationId: "listActivities",
      summary: "List the activities of the caller's hubs",
      querystring: Type.Object({ ...listQuery, workflowId: Type.Optional(Type.String()) }),
      response: { 200: ListResponse },
    },
    handler: ({ sql, caller, query }) => listActivities(sql, caller, query),
  })

  app.get("/activities/workflow/:workflowId", {
    config: { permission: "view/task" },
    schema: {
      operationId: "listActivitiesOfWorkflow",
      summary: "List the activities of a workflow, which may be deleted",
      params: Type.Object({ workflowId: IdSchema("workflow") }),
      querystring: Type.Object(listQuery),
      response: { 200: ListResponse },
    },
    handler: ({ sql, caller, params, query }) =>
      listActivities(sql, caller, { ...query, workflowId: params.workflowId }),
  })

  app.get("/activity/:activityId", {
    config: { permission: "view/task", notFoundCode: "ACTIV_NOT_FOUND" },
    schema: {
      operationId: "getActivity",
      summary: "Get an activity",
      params: Params,
      querystring: Type.Object(fields),
      response: {
        200: Type.Object({ status: Type.Literal(true), code: Type.Literal(200), data: Activity }),
      },
    },
    async handler({ sql, caller, params, query }) {
      const activity = await findActivity(sql, caller, params.activityId)
      if (!activity) throw notFound()
      return { status: true as const, code: 200 as const, data: picked(activity, query.fields) }
    },
  })

  app.delete("/activity/:activityId", {
    config: { permission: "delete/task", notFoundCode: "ACTIV_NOT_FOUND" },
    schema: {
      operationId: "deleteActivity",
      summary: "Delete an activity and its tasks permanently",
      params: Params,
      response: {
        200: Type.Object({ status: Type.Literal(true), code: Type.Literal(200), message: Type.String() }),
      },
    },
    async handler({ sql, caller, params }) {
      const context = { now: app.clock.now(), live: app.live }
      const gone = await inTransaction(sql, (tx) => removeActivity(tx, caller, params.activityId, context))
      if (!gone) throw notFound()
      return { status: true as const, code: 200 as const, message: "Activity has been deleted" }
    },
  })
}
