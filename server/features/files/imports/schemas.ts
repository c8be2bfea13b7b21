import { Type } from "typebox"
import { PaginatorSchema } from "#core/paging.ts"
import { type ColumnMapping, importStatuses, importTypes } from "./settings.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
/** One of a closed list of words. */
export function OneOf<const Word extends string>(words: readonly Word[]) {
  return Type.Unsafe<Word>(Type.String({ enum: [...words] }))
}

export const UndoResultSchema = Type.Object(
  {
    removed: Type.Integer({ description: "Created records that are gone again" }),
    restored: Type.Integer({ description: "Changed records that have been restored" }),
    kept: Type.Integer({
      description: "Records that were modified or deleted since and are left as they are",
    }),
    keptIds: Type.Array(Type.String(), { description: "The first hundred of them" }),
    isComplete: Type.Boolean({ description: "false while the rest is being undone in the background" }),
  },
  { title: "ImportUndoResult" },
)

export const ImportSchema = Type.Object(
  {
    _id: Type.String(),
    organizationId: Type.String(),
    type: OneOf(importTypes),
    hubId: Type.Optional(Type.String()),
    filename: Type.String(),
    totalRows: Type.Integer({ description: "Data rows, header excluded" }),
    totalValid: Type.Integer(),
    totalInvalid: Type.Integer(),
    status: OneOf(importStatuses),
    dataTypeId: Type.Optional(NullableText),
    dataTypeName: Type.Optional(NullableText),
    flowId: Type.Optional(NullableText),
    flowName: Type.Optional(NullableText),
    visitTypeId: Type.Optional(NullableText),
    visitTypeName: Type.Optional(NullableText),
    routeConfigId: Type.Optional(NullableText),
    routeConfigName: Type.Optional(NullableText),
    fileTemplate: Type.String(),
    fileFailedImported: Type.Optional(Type.String()),
    errorMessage: NullableText,
    processedAt: Type.Optional(Type.String()),
    processingDuration: Type.Optional(Type.Integer({ description: "Seconds" })),
    rowsPerSecond: Type.Optional(Type.Number({ description: "While it runs" })),
    expectedEnd: Type.Optional(Type.String({ description: "While it runs, Y-m-d H:i:s in UTC" })),
    totalChunks: Type.Integer(),
    processedChunks: Type.Integer(),
    mode: Type.String(),
    columns: Type.Record(Type.String(), Type.Unknown()),
    totalCreated: Type.Integer(),
    totalChanged: Type.Integer(),
    dryRun: Type.Optional(Type.Boolean()),
    continues: Type.Optional(Type.String()),
    cancelledTime: Type.Optional(Type.String()),
    undoneTime: Type.Optional(Type.String()),
    undoResult: Type.Optional(UndoResultSchema),
    createdBy: Type.String(),
    updatedBy: Type.Optional(Type.String()),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Import" },
)

export const ImportResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: ImportSchema,
})

export const ImportListResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: PaginatorSchema(ImportSchema),
})

export const FailedRowsResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  headers: Type.Array(Type.String()),
  data: PaginatorSchema(
    Type.Object({
      row: Type.Integer({ description: "The row's number in the uploaded sheet; the header is row 1" }),
      values: Type.Array(Type.String(), { description: "The texts of the row, as uploaded" }),
      errors: Type.Array(Type.Object({ column: Type.String(), value: Type.String(), reason: Type.String() })),
      message: Type.String(),
      resolvedBy: Type.Optional(
        Type.String({ description: "The import that corrected and imported this row" }),
      ),
    }),
  ),
})

export const ColumnSource = Type.Union([
  Type.String(),
  Type.Array(Type.String(), { minItems: 2, maxItems: 2 }),
  Type.Object({ value: Type.String() }),
  Type.Null(),
])

export const PreviewResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object({
    filename: Type.String(),
    format: Type.String({ description: "csv, xlsx, xls, gpx, kml or geojson, by the content" }),
    encoding: Type.Optional(Type.String()),
    delimiter: Type.Optional(Type.String()),
    sheets: Type.Array(Type.String(), { description: "Visible worksheets; the first is read" }),
    headers: Type.Array(Type.String()),
    rows: Type.Array(Type.Object({ row: Type.Integer(), values: Type.Array(Type.String()) })),
    rowCount: Type.Integer({ description: "Rows below the header, counted up to 10,000" }),
    hasMore: Type.Boolean({ description: "True when there are more than were counted" }),
    fields: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        kind: Type.String(),
        required: Type.Boolean(),
        help: Type.Optional(Type.String()),
        options: Type.Optional(Type.Array(Type.String())),
      }),
    ),
    columns: Type.Unsafe<ColumnMapping>(
      Type.Record(Type.String(), ColumnSource, {
        description:
          "Suggested mapping; confirm or change it and send it as the part columns of POST /data/import",
      }),
    ),
    unknown: Type.Array(Type.String(), { description: "Headers that are not mapped to a field" }),
    missing: Type.Array(Type.String(), { description: "Required fields without a column" }),
    problem: NullableText,
  }),
})

export const DoubtfulPlacesResponse = Type.Object({
  status: Type.Literal(true),
  data: Type.Array(
    Type.Object(
      {
        taskId: Type.Optional(Type.String()),
        recordId: Type.Optional(
          Type.String({ description: "Of an import of data records, instead of taskId" }),
        ),
        title: Type.String(),
        componentId: Type.String({ description: "The component or field of the coordinate" }),
        address: Type.String(),
        coordinate: Type.Union([Type.String(), Type.Null()], {
          description: "latitude,longitude as written; null: nothing was found",
        }),
        confidence: Type.Number({ description: "0 to 1" }),
      },
      { title: "DoubtfulPlace" },
    ),
    { description: "At most 1,000, the least sure first; without those corrected since" },
  ),
  isLocating: Type.Boolean({ description: "Addresses are still being looked up" }),
})
