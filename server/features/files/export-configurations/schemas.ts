import { type Static, Type } from "typebox"
import { PaginatorSchema } from "#core/paging.ts"

export const collections = ["task"] as const

const ConfigFieldSchema = Type.Object(
  { id: Type.String(), component: Type.String(), title: Type.String() },
  {
    additionalProperties: true,
    description: "A flow component with uniqueTitle, the title of its column; all keys are kept",
  },
)

const Filters = Type.Object(
  {},
  {
    additionalProperties: true,
    description:
      "Filters of POST /tasks/export: status, outcome, isLate, needsReview, priority, tags, assignee, doneBy, hubId, flowId, q, filter, timeBy, timeFrom, timeTo",
  },
)

const Schedule = Type.Object(
  {},
  {
    additionalProperties: true,
    description: "periode (daily, weekly, monthly, …) and schedules as in task schedules, emails, isActive",
  },
)

/** Checked by hand, because the refusals of this resource carry one code. */
export const ConfigBody = Type.Object(
  {
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    collection: Type.Optional(Type.String()),
    flowIds: Type.Optional(Type.Array(Type.String())),
    fields: Type.Optional(Type.Array(Type.Unknown(), { maxItems: 500 })),
    filters: Type.Optional(Type.Union([Filters, Type.Null()])),
    format: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    schedule: Type.Optional(Type.Union([Schedule, Type.Null()])),
  },
  { title: "ExportConfigurationInput", additionalProperties: true },
)
export type ConfigBody = Static<typeof ConfigBody>

export const ExportConfigSchema = Type.Object(
  {
    organizationId: Type.String(),
    name: Type.String(),
    description: Type.Optional(Type.String()),
    collection: Type.String(),
    flowIds: Type.Array(Type.String()),
    fields: Type.Array(ConfigFieldSchema),
    filters: Type.Optional(Filters),
    format: Type.Optional(Type.String()),
    schedule: Type.Optional(Schedule),
    nextRunTime: Type.Optional(Type.String()),
    updatedTime: Type.String(),
    createdTime: Type.String(),
    _id: Type.String(),
  },
  { title: "ExportConfiguration" },
)

const response = { status: Type.Literal(true), code: Type.Integer(), message: Type.String() }
export const ConfigResponse = Type.Object({ ...response, data: ExportConfigSchema })
export const ConfigListResponse = Type.Object({ ...response, data: PaginatorSchema(ExportConfigSchema) })
