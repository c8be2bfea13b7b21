import { type Static, Type } from "typebox"
import { FilterParameter } from "#core/row-filter.ts"
import { exportFormats } from "#shared/export-formats.ts"

const Text = Type.Optional(Type.String())
const NullableText = Type.Union([Type.String(), Type.Null()])

export const TaskExportBody = Type.Object(
  {
    download: Type.Optional(Type.String({ description: `Required: one of ${exportFormats.join(", ")}` })),
    fields: Type.Optional(
      Type.String({
        description: "Comma-separated list of task keys and component ids, in the order of the columns",
      }),
    ),
    doneBy: Type.Optional(Type.String({ description: "Name or e-mail of who finished it" })),
    assignee: Text,
    status: Type.Optional(Type.String({ description: "Comma-separated list of UNASSIGNED, ONGOING, DONE" })),
    outcome: Type.Optional(
      Type.String({ description: "Comma-separated list of done, partial, failed, returned, skipped" }),
    ),
    isLate: Type.Optional(Type.Boolean()),
    needsReview: Type.Optional(Type.Boolean()),
    priority: Type.Optional(
      Type.String({ description: "Comma-separated list of low, normal, high, urgent" }),
    ),
    tags: Type.Optional(Type.String({ description: "Comma-separated list, of which one must match" })),
    filter: FilterParameter,
    flow: Text,
    flowId: Text,
    hubId: Type.Optional(
      Type.String({ description: "Comma-separated list; by default all hubs that you have access to" }),
    ),
    page: Type.Optional(Type.Integer()),
    limit: Type.Optional(
      Type.Integer({ description: "Without it 30, or all in the background or with limitTask=false" }),
    ),
    sortBy: Text,
    orderBy: Type.Optional(Type.String({ description: "The same as sortBy" })),
    sortOrder: Type.Optional(Type.String({ pattern: "^([aA][sS][cC]|[dD][eE][sS][cC])$" })),
    background: Type.Optional(Type.Boolean()),
    exportConfigId: Text,
    q: Text,
    limitTask: Type.Optional(Type.Boolean({ description: "false: no limit" })),
    timeBy: Type.Optional(
      Type.Unsafe<"createdTime" | "startTime" | "doneTime">(
        Type.String({ enum: ["createdTime", "startTime", "doneTime"] }),
      ),
    ),
    timeFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
    timeTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
    taskIds: Type.Optional(Type.String({ description: "Comma-separated list of selected tasks" })),
  },
  { title: "TaskExportInput" },
)
export type TaskExportBody = Static<typeof TaskExportBody>

export const DataExportQuery = Type.Object(
  {
    download: Type.Optional(Type.String({ description: `Required: one of ${exportFormats.join(", ")}` })),
    background: Type.Optional(Type.Boolean()),
    fields: Type.Optional(
      Type.String({ description: "Comma-separated list of field ids, in the order of the columns" }),
    ),
    hubId: Text,
    dataTypeId: Text,
    filter: FilterParameter,
    limitUser: Type.Optional(
      Type.Boolean({ description: "false: include records that are restricted to other users" }),
    ),
    page: Type.Optional(Type.Integer()),
    limit: Type.Optional(Type.Integer({ description: "Without it 30, or all in the background" })),
    sortBy: Text,
    sortOrder: Type.Optional(Type.String({ pattern: "^([aA][sS][cC]|[dD][eE][sS][cC])$" })),
  },
  {
    description:
      "filter[<fieldId>]=value or filter[<fieldId>][gte|lte|contains]=value filters by a field, as in the list of records; requires dataTypeId",
  },
)
export type DataExportQuery = Static<typeof DataExportQuery>

export const ExportResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  total_data_be: Type.Integer({ description: "Rows written" }),
  last_id: Type.Optional(Type.String()),
  last_field: Type.Optional(Type.String()),
  data: Type.Object({
    time: Type.Integer({ description: "Epoch seconds" }),
    organizationId: Type.String(),
    reportType: Type.String(),
    link: Type.Optional(Type.String({ description: "A signed link, valid for one day" })),
    status: Type.String({ description: "Done or Processing" }),
    fileName: Type.String(),
  }),
})

export const ExportLogResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  total: Type.Integer(),
  data: Type.Array(
    Type.Object({
      _index: Type.String(),
      _type: Type.String(),
      _id: Type.String(),
      _score: Type.Number(),
      sort: Type.Array(Type.Integer()),
      _source: Type.Object({
        organizationId: Type.String(),
        dataType: Type.String(),
        dataName: Type.String(),
        status: Type.String(),
        requestAt: Type.String(),
        completedAt: NullableText,
        email: Type.String(),
        fileUrl: NullableText,
        fileType: Type.String(),
        totalRecords: Type.Integer(),
        errorMessage: NullableText,
        dataTotal: Type.Integer(),
        request: Type.String(),
        response: Type.String(),
        exportAt: Type.String(),
        exportBy: Type.String(),
        hubName: Type.Array(Type.String()),
        link: NullableText,
        exportConfigId: Type.Optional(Type.String()),
      }),
    }),
  ),
  params: Type.Unknown(),
})
