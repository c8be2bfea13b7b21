import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

export const FieldMapping = Type.Object(
  {
    targetField: Type.String({ minLength: 1, description: "Component id of this step's flow" }),
    sourceType: Type.Union([Type.Literal("manual"), Type.Literal("step"), Type.Literal("direct")], {
      description:
        "manual: entered by hand; step: a field of an earlier step; direct: sourceField is the value",
    }),
    sourceStepId: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: "Order or flowId of the earlier step" }),
    ),
    sourceField: Type.Optional(NullableText),
  },
  { title: "WorkflowFieldMapping" },
)
export type FieldMapping = Static<typeof FieldMapping>

const StepBody = Type.Object({
  flowId: IdSchema("flow"),
  assigneeId: Type.Optional(NullableText),
  statusMapping: Type.Optional(NullableText),
  fieldMappings: Type.Optional(Type.Array(FieldMapping, { maxItems: 300 })),
})
const Status = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 50 }),
  isDefault: Type.Optional(Type.Boolean()),
})

const fields = {
  name: Type.String({ minLength: 2, maxLength: 100 }),
  steps: Type.Array(StepBody, { minItems: 1, maxItems: 10 }),
  customStatuses: Type.Array(Status, { maxItems: 50 }),
}
export const WorkflowBody = Type.Object(
  {
    ...fields,
    customStatuses: Type.Optional(fields.customStatuses),
  },
  { title: "WorkflowInput" },
)
export type WorkflowBody = Static<typeof WorkflowBody>
export const WorkflowPatch = Type.Partial(Type.Object(fields))
export type WorkflowPatch = Static<typeof WorkflowPatch>

export const Step = Type.Object(
  {
    flowId: Type.String(),
    flowName: Type.String(),
    order: Type.Integer(),
    fieldSchema: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        component: Type.String(),
        type: NullableText,
        required: Type.Boolean(),
      }),
    ),
    assigneeId: NullableText,
    statusMapping: NullableText,
    fieldMappings: Type.Array(FieldMapping),
  },
  { title: "WorkflowStep" },
)
export type Step = Static<typeof Step>

export const WorkflowSchema = Type.Object(
  {
    _id: IdSchema("workflow"),
    name: Type.String(),
    organizationId: IdSchema("organization"),
    steps: Type.Array(Step),
    customStatuses: Type.Array(Type.Object({ name: Type.String(), isDefault: Type.Boolean() })),
    createdBy: NullableText,
    updatedBy: NullableText,
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Workflow" },
)
