import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

export const ComponentSchema = Type.Object(
  {
    id: Type.String(),
    component: Type.String({
      description: "select, input, photo, signature, view, bill, list, timer, voice or capture",
    }),
    title: Type.Optional(Type.String()),
    type: Type.Optional(Type.String()),
  },
  { title: "FlowComponent", additionalProperties: true },
)

export const PageSchema = Type.Object(
  { id: Type.String(), title: Type.Optional(Type.String()), components: Type.Array(ComponentSchema) },
  { title: "FlowPage", additionalProperties: true },
)

export const ConfigurationSchema = Type.Object(
  { id: Type.String() },
  { title: "FlowConfiguration", additionalProperties: true },
)

export const FlowSchema = Type.Object(
  {
    _id: IdSchema("flow"),
    organizationId: IdSchema("organization"),
    name: Type.String(),
    pages: Type.Array(PageSchema),
    configurations: Type.Array(ConfigurationSchema),
    isDefault: Type.Boolean(),
    orderIndex: Type.Integer(),
    version: Type.Integer(),
    createdBy: Type.Union([Type.String(), Type.Null()]),
    updatedBy: Type.Union([Type.String(), Type.Null()]),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Flow" },
)

export const FlowBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    pages: Type.Array(PageSchema, { minItems: 1 }),
    configurations: Type.Optional(Type.Array(ConfigurationSchema)),
    isDefault: Type.Optional(Type.Boolean()),
    orderIndex: Type.Optional(Type.Integer()),
  },
  { title: "FlowInput" },
)

export const DeletedFlowSchema = Type.Object({ ...FlowSchema.properties, deleted_at: Type.String() })
export const DeletedFlowResponse = Type.Object({ status: Type.Literal(true), data: DeletedFlowSchema })

const State = Type.Object({}, { additionalProperties: true })
export const FlowLogSchema = Type.Object(
  {
    _id: IdSchema("flow-log"),
    flowId: IdSchema("flow"),
    action: Type.String({ description: "create, put or reorder" }),
    changedBy: Type.String({ description: "Name of the person" }),
    version: Type.Integer({ description: "Version of rawData" }),
    rawData: State,
    changeData: State,
    organizationId: IdSchema("organization"),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "FlowLogEntry" },
)
