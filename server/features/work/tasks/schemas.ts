import { Type } from "typebox"
import { CursorPageKeys } from "#core/cursor-paging.ts"
import { IdSchema } from "#core/ids.ts"
import { PaginatorSchema } from "#core/paging.ts"
import { taskFields } from "#shared/task-fields.ts"
import { CountrySchema } from "../../organization/organizations/index.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const Heading = Type.Unknown({
  description:
    "The value of the component shown in this place, in its own form: text, a number, or the list of a select",
})

/** Events add to it, and activities too. */
const TaskHub = Type.Object(
  {
    _id: IdSchema("hub"),
    name: Type.String(),
    lat: Type.Number(),
    lng: Type.Number(),
    country: CountrySchema,
  },
  { additionalProperties: true },
)

/** The rarer fields, by the catalogue. Components of older flows with their ids keep the key, whatever their values are. */
const describedFields: object = Object.fromEntries(
  Object.entries(taskFields).flatMap(([name, { description, isAlwaysShown }]) => {
    if (description === undefined) return []
    const value = Type.Unknown({ description })
    return [[name, isAlwaysShown ? value : Type.Optional(value)]]
  }),
)

/** A task: base fields, and the values of its flow's components flat beside them. */
export const TaskSchema = Type.Object(
  {
    _id: IdSchema("task"),
    organizationId: IdSchema("organization"),
    flowId: Type.String(),
    flow: Type.String(),
    hubId: IdSchema("hub"),
    title: Heading,
    content: Heading,
    label: Heading,
    isDeleted: Type.Boolean({ description: "Always false: a deleted task is in the trash" }),
    organization: Type.Object({ _id: IdSchema("organization"), name: Type.String() }),
    hub: Type.Union([TaskHub, Type.Null()]),
    status: Type.String({ description: "UNASSIGNED, ONGOING or DONE" }),
    taskType: Type.String(),
    assignee: Type.Array(Type.String()),
    startTime: Type.String(),
    endTime: Type.String(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
    createdBy: NullableText,
    updatedBy: NullableText,
    createdFrom: Type.String(),
    orderIndex: Type.Number(),
    historiesUrl: Type.Optional(
      Type.String({ description: "Lists all entries; absent when `histories` has them" }),
    ),
    ...describedFields,
  },
  { title: "Task", additionalProperties: true },
)

/** A row of a list: what `fields` asked for. */
const TaskFields = Type.Object({ _id: Type.String() }, { title: "SparseTask", additionalProperties: true })

export const Warnings = Type.Optional(
  Type.Array(Type.String(), { description: "Ignored values with reasons; absent if there are none" }),
)

export const TaskResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  task: TaskSchema,
  warnings: Warnings,
})

const page = PaginatorSchema(TaskFields).properties

export const TaskListResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  tasks: Type.Object({
    ...page,
    ...CursorPageKeys,
  }),
  metadata: Type.Object({
    counting: Type.Object({ doneTotal: Type.Integer(), ongoingTotal: Type.Integer() }),
    sourceDataTask: Type.String(),
  }),
  dataVersion: Type.String({ description: "Epoch seconds of the latest change of any task" }),
})

export const GalleryResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  tasks: Type.Object({
    current_page: Type.Integer(),
    data: Type.Array(TaskFields),
    buffer: Type.Array(TaskFields, { description: "The first task of the next page" }),
    page_processed: Type.String(),
    last_page: Type.Boolean(),
    total_estimate: Type.String({ description: "Finished tasks with photos, required or not" }),
    countProcessed: Type.Integer(),
  }),
})

export const BulkResponse = Type.Object(
  {
    success: Type.Integer(),
    failed: Type.Integer(),
    tasks: Type.Array(
      Type.Object({
        status: Type.Boolean(),
        message: Type.String(),
        event: Type.Optional(
          Type.Unsafe<"create" | "update">(
            Type.String({ enum: ["create", "update"], description: "What an upsert did" }),
          ),
        ),
        _id: Type.Optional(Type.String()),
        refId: Type.Optional(Type.String()),
        failedCode: Type.Optional(Type.String()),
        warnings: Warnings,
      }),
    ),
  },
  { title: "TaskBulkResult" },
)
