import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { orNull, toT1 } from "#shared/wire-time.ts"
import type { FormRow } from "./forms.ts"
import type { RequestRow } from "./requests.ts"
import { FormSettingsSchema } from "./settings.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

export const FormBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, examples: ["Repairs"] }),
    hubId: IdSchema("hub"),
    flowId: IdSchema("flow"),
    isActive: Type.Optional(
      Type.Boolean({ default: true, description: "False: the link says that it is off" }),
    ),
    settings: Type.Object({
      ...Type.Partial(FormSettingsSchema).properties,
      fields: FormSettingsSchema.properties.fields,
    }),
  },
  { title: "RequestFormInput" },
)

export const FormSchema = Type.Object(
  {
    _id: IdSchema("request-form"),
    name: Type.String(),
    hubId: Type.String(),
    flowId: Type.String(),
    isActive: Type.Boolean(),
    url: Type.String({
      description: "The public address of the form",
      examples: ["https://field.example/r/7k2m9x4q0d"],
    }),
    settings: FormSettingsSchema,
    pending: Type.Integer({ description: "Requests that wait for a decision" }),
    createdTime: Type.String(),
    updatedTime: Type.String(),
    updatedBy: NullableText,
  },
  { title: "RequestForm" },
)

export const RequestSchema = Type.Object(
  {
    _id: IdSchema("task-request"),
    reference: Type.String({ description: "Shown to the customer", examples: ["9f3a12bc"] }),
    formId: Type.String(),
    hubId: Type.String(),
    flowId: Type.String(),
    status: Type.Unsafe<RequestRow["status"]>(Type.String({ enum: ["pending", "approved", "rejected"] })),
    name: Type.Union([Type.String(), Type.Null()], { description: "Of the customer, as typed" }),
    language: Type.String(),
    values: Type.Record(Type.String(), Type.Unknown(), {
      description: "By component id, as a task has them. Addresses of photos work for an hour",
    }),
    startTime: Type.Union([Type.String(), Type.Null()], { description: "Of the window that was chosen" }),
    endTime: NullableText,
    taskId: Type.Union([Type.String(), Type.Null()], { description: "Of the task that it became" }),
    createdTime: Type.String(),
    decidedTime: NullableText,
    decidedBy: Type.Union([Type.String(), Type.Null()], {
      description: "null: no decision, or a form that needs none",
    }),
    reason: NullableText,
  },
  { title: "TaskRequest" },
)

export function formToWire(row: FormRow, url: string, pending: number) {
  return {
    _id: row.id,
    name: row.name,
    hubId: row.hubId,
    flowId: row.flowId,
    isActive: row.isActive,
    url,
    settings: row.settings,
    pending,
    createdTime: toT1(row.createdTime),
    updatedTime: toT1(row.updatedTime),
    updatedBy: row.updatedBy,
  }
}

/** `values` with addresses that open. */
export function requestToWire(row: RequestRow, reference: string, values: Record<string, unknown>) {
  return {
    _id: row.id,
    reference,
    formId: row.formId,
    hubId: row.hubId,
    flowId: row.flowId,
    status: row.status,
    name: row.name,
    language: row.language,
    values,
    startTime: orNull(row.startsAt, toT1),
    endTime: orNull(row.endsAt, toT1),
    taskId: row.taskId,
    createdTime: toT1(row.createdTime),
    decidedTime: orNull(row.decidedTime, toT1),
    decidedBy: row.decidedBy,
    reason: row.reason,
  }
}
