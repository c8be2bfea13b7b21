import { Type } from "typebox"
import { inTransaction } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, readPage } from "#core/paging.ts"
import { workflowErrors } from "./errors.ts"
import { judgeMappings } from "./mappings.ts"
import { findWorkflow, listWorkflows, toWireWorkflow, type WorkflowFilter } from "./queries.ts"
import { FieldMapping, Step, WorkflowBody, WorkflowPatch, WorkflowSchema } from "./schemas.ts"
import { createWorkflow, deleteWorkflow, updateWorkflow } from "./write-workflow.ts"

const Params = Type.Object({ workflowId: IdSchema("workflow") })
const StepParams = Type.Object({ workflowId: IdSchema("workflow"), step: Type.Integer({ minimum: 0 }) })
const pageQuery = { page: ListQuery.page, limit: ListQuery.limit }
const envelope = { status: Type.Literal(true), code: Type.Integer(), message: Type.String() }
const WorkflowResponse = Type.Object({ ...envelope, data: WorkflowSchema })
const pagination = Type.Object({
  current_page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  last_page: Type.Integer(),
})
const bounds = { default: 10, max: 2000 }
const ok = { status: true as const, code: 200, message: "Success" }

export function workflowRoutes(app: App): void {
  const list = async (
    {
      sql,
      caller,
      query,
    }: Pick<Parameters<typeof readList>[0], "sql" | "caller"> & { query: { page?: number; limit?: number } },
    filter: WorkflowFilter,
  ) => readList({ sql, caller }, query, filter)

  app.get("/workflows", {
    config: { permission: "view/workflow" },
    schema: {
      operationId: "listWorkflows",
      summary: "List workflows, newest first",
      querystring: Type.Object(pageQuery),
      response: { 200: Type.Object({ ...envelope, data: Type.Array(WorkflowSchema), pagination }) },
    },
    handler: async (request) => ({ ...ok, ...(await list(request, {})) }),
  })

  app.get("/workflows/search", {
    config: { permission: "view/workflow" },
    schema: {
      operationId: "searchWorkflows",
      summary: "Search workflows by name, creator and number of steps",
      querystring: Type.Object({
        ...pageQuery,
        q: Type.Optional(Type.String({ maxLength: 255 })),
        createdBy: Type.Optional(Type.String({ description: "E-mail" })),
        stepsCountMin: Type.Optional(Type.Integer({ minimum: 1 })),
        stepsCountMax: Type.Optional(Type.Integer({ maximum: 10 })),
      }),
      response: {
        200: Type.Object({
          ...envelope,
          data: Type.Array(WorkflowSchema),
          pagination,
          search: Type.Object({
            query: Type.String(),
            filters: Type.Object({}, { additionalProperties: true }),
          }),
          source: Type.String(),
        }),
      },
    },
    async handler(request) {
      const { q, page: _page, limit: _limit, ...filters } = request.query
      const listed = await list(request, { ...(q === undefined ? {} : { q }), ...filters })
      return { ...ok, ...listed, search: { query: q ?? "", filters }, source: "database" }
    },
  })

  app.post("/workflows", {
    config: { permission: "add/workflow" },
    schema: {
      operationId: "createWorkflow",
      summary: "Create a workflow",
      body: WorkflowBody,
      response: { 201: WorkflowResponse },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const change = { live: app.live, address: ip }
      const made = await inTransaction(sql, (tx) => createWorkflow(tx, caller, body, change))
      reply.code(201)
      return { ...ok, code: 201, message: "Workflow has been created", data: toWireWorkflow(made) }
    },
  })

  app.get("/workflow/:workflowId", {
    config: { permission: "view/workflow" },
    schema: {
      operationId: "getWorkflow",
      summary: "Get a workflow",
      params: Params,
      response: { 200: WorkflowResponse },
    },
    async handler({ sql, caller, params }) {
      const workflow = await findWorkflow(sql, caller, params.workflowId)
      if (!workflow) throw workflowErrors.notFound()
      return { ...ok, data: toWireWorkflow(workflow) }
    },
  })

  app.put("/workflow/:workflowId", {
    config: { permission: "edit/workflow" },
    schema: {
      operationId: "updateWorkflow",
      summary: "Change a workflow; absent keys are unchanged",
      params: Params,
      body: WorkflowPatch,
      response: { 200: WorkflowResponse },
    },
    async handler({ sql, caller, params, body, ip }) {
      const change = { live: app.live, address: ip }
      const changed = await inTransaction(sql, (tx) =>
        updateWorkflow(tx, caller, params.workflowId, body, change),
      )
      return { ...ok, data: toWireWorkflow(changed) }
    },
  })

  app.delete("/workflow/:workflowId", {
    config: { permission: "delete/workflow" },
    schema: {
      operationId: "deleteWorkflow",
      summary: "Delete a workflow permanently; its activities stay",
      params: Params,
      response: { 200: WorkflowResponse },
    },
    async handler({ sql, caller, params, ip }) {
      const change = { live: app.live, address: ip }
      const gone = await inTransaction(sql, (tx) => deleteWorkflow(tx, caller, params.workflowId, change))
      return { ...ok, data: toWireWorkflow(gone) }
    },
  })

  app.get("/workflow/:workflowId/steps/:step/field-mapping-data", {
    config: { permission: "view/workflow" },
    schema: {
      operationId: "getFieldMappingData",
      summary: "List the possible sources for the fields of a step",
      params: StepParams,
      response: {
        200: Type.Object({
          ...envelope,
          data: Type.Object({
            currentStep: Step,
            previousSteps: Type.Array(Step),
            existingMappings: Type.Array(FieldMapping),
          }),
        }),
      },
    },
    async handler({ sql, caller, params }) {
      const workflow = await findWorkflow(sql, caller, params.workflowId)
      const currentStep = workflow?.steps[params.step]
      if (!workflow || !currentStep) throw workflow ? workflowErrors.noStep() : workflowErrors.notFound()
      const previousSteps = workflow.steps.slice(0, params.step)
      return { ...ok, data: { currentStep, previousSteps, existingMappings: currentStep.fieldMappings } }
    },
  })

  app.post("/workflow/:workflowId/steps/:step/validate-field-mappings", {
    config: { permission: "view/workflow", idempotent: false },
    schema: {
      operationId: "validateFieldMappings",
      summary: "Validate field mappings of a step without saving them",
      params: StepParams,
      body: Type.Object({ fieldMappings: Type.Array(FieldMapping) }),
      response: {
        200: Type.Object({
          ...envelope,
          data: Type.Object({
            valid: Type.Boolean(),
            errors: Type.Array(Type.String()),
            warnings: Type.Array(Type.String()),
          }),
        }),
      },
    },
    async handler({ sql, caller, params, body }) {
      const workflow = await findWorkflow(sql, caller, params.workflowId)
      if (!workflow?.steps[params.step]) throw workflow ? workflowErrors.noStep() : workflowErrors.notFound()
      const { errors, warnings } = judgeMappings(workflow.steps, params.step, body.fieldMappings)
      return { ...ok, data: { valid: errors.length === 0, errors, warnings } }
    },
  })
}

async function readList(
  { sql, caller }: { sql: Parameters<typeof listWorkflows>[0]; caller: Parameters<typeof listWorkflows>[1] },
  query: { page?: number; limit?: number },
  filter: WorkflowFilter,
) {
  const page = readPage(query, "workf", bounds)
  const { rows, total } = await listWorkflows(sql, caller, filter, page)
  return {
    data: rows.map(toWireWorkflow),
    pagination: {
      current_page: page.page,
      per_page: page.limit,
      total,
      last_page: Math.max(1, Math.ceil(total / page.limit)),
    },
  }
}
