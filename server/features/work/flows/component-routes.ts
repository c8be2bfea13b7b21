import { Type } from "typebox"
import type { Sql } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { reservedTaskKeys } from "./component.ts"
import { sampleTask } from "./defaults/sample-task.ts"
import { flowErrors } from "./errors.ts"
import { flowComponentTypes, flowFieldTypes, groupComponents, mergeComponents } from "./list-components.ts"
import { findFlows, findFlowsByName, firstHub } from "./queries.ts"
import { flowReaders } from "./routes.ts"
import { ComponentSchema } from "./schemas.ts"

const oneOf = (words: readonly string[]) =>
  Type.Optional(Type.Unsafe<string>({ type: "string", enum: words, description: `Default all` }))
const Grouped = Type.Object({
  _id: Type.String(),
  flowName: Type.String(),
  fields: Type.Array(ComponentSchema),
})
const NameParams = Type.Object({ flowName: Type.String() })

/** The components of all flows and of one flow, for mappings, exports and API clients. */
export function flowComponentRoutes(app: App): void {
  app.get("/flow-fields", {
    config: { anyOf: flowReaders, valueCode: "flow-001" },
    schema: {
      operationId: "listFlowFields",
      summary: "List the components of every flow by kind",
      querystring: Type.Object({ fieldType: oneOf(flowFieldTypes) }),
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: Type.Array(Grouped) }),
      },
    },
    handler: async ({ sql, caller, query }) => ({
      status: true as const,
      message: "Success",
      data: groupComponents(await findFlows(sql, caller), query.fieldType ?? "all"),
    }),
  })

  app.get("/flow-components", {
    config: { anyOf: flowReaders, valueCode: "flow-001" },
    schema: {
      operationId: "listFlowComponents",
      summary: "List the components of selected flows, by flow or in one list",
      querystring: Type.Object({
        fieldType: oneOf(flowComponentTypes),
        flowId: Type.Optional(Type.String({ description: "Comma-separated list of flow ids or names" })),
        fields: Type.Optional(
          Type.String({ description: "Comma-separated list of component ids to return" }),
        ),
        isMerge: Type.Optional(Type.Boolean({ description: "1: one flat list" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(Type.Object({}, { additionalProperties: true })),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const flows = await findFlows(
        sql,
        caller,
        query.flowId === undefined ? undefined : commaList(query.flowId),
      )
      const onlyIds = query.fields === undefined ? undefined : new Set(commaList(query.fields))
      const list = query.isMerge ? mergeComponents : groupComponents
      return {
        status: true as const,
        message: "Success",
        data: list(flows, query.fieldType ?? "all", onlyIds),
      }
    },
  })

  app.get("/flow/:flowName/fields", {
    config: { anyOf: flowReaders },
    schema: {
      operationId: "getFlowFields",
      summary: "List the components of a flow in page order, and the keys of every task",
      params: NameParams,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          flowFields: Type.Array(ComponentSchema),
          reservedKey: Type.Array(Type.String()),
          is_cache: Type.Boolean(),
        }),
      },
    },
    async handler({ sql, caller, params }) {
      const flow = await findByName(sql, caller, params.flowName)
      return {
        status: true as const,
        message: "Success",
        flowFields: flow.pages.flatMap((page) => page.components),
        reservedKey: [...reservedTaskKeys],
        is_cache: false,
      }
    },
  })

  app.get("/flow/:flowName/task", {
    config: { anyOf: flowReaders },
    schema: {
      operationId: "getSampleTask",
      summary: "Get an example of a call that creates a task of the flow",
      params: NameParams,
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Object({
            flowName: Type.String(),
            flowFields: Type.Array(
              Type.Object({
                field: Type.String(),
                type: Type.String(),
                required: Type.Boolean(),
                description: Type.String(),
                example: Type.Unknown(),
                format: Type.Union([Type.Array(Type.String()), Type.Null()]),
              }),
            ),
            bodyRequest: Type.Object({}, { additionalProperties: true }),
          }),
        }),
      },
    },
    async handler({ sql, caller, params }) {
      const flow = await findByName(sql, caller, params.flowName)
      const hubId =
        caller.hubs === "all" ? await firstHub(sql, caller.organizationId) : (caller.hubs[0] ?? null)
      return { status: true as const, message: "Success", data: sampleTask(flow, hubId, app.clock.now()) }
    },
  })
}

async function findByName(sql: Sql, caller: Parameters<typeof findFlowsByName>[1], name: string) {
  const [flow] = await findFlowsByName(sql, caller, [name])
  if (!flow) throw flowErrors.notFound()
  return flow
}
