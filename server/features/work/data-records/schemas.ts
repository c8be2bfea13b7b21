import { type Static, Type } from "typebox"
import { CursorPageKeys } from "#core/cursor-paging.ts"
import { IdSchema } from "#core/ids.ts"
import { PaginatorSchema } from "#core/paging.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

/** A record: the keys that every record has, and one more per field of its type. */
export const RecordSchema = Type.Object(
  {
    _id: IdSchema("data-record"),
    dataId: Type.String(),
    dataTypeId: IdSchema("data-type"),
    hubId: Type.Optional(IdSchema("hub")),
    limitUser: Type.Union([Type.Array(Type.String()), Type.Null()]),
    data_type: Type.Object({ _id: Type.String(), name: Type.String() }),
    organizationId: IdSchema("organization"),
    createdBy: NullableText,
    updatedBy: NullableText,
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "DataRecord", additionalProperties: true },
)

const RecordFields = Type.Object(
  { _id: Type.String() },
  { title: "SparseDataRecord", additionalProperties: true },
)

export const RecordResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: RecordSchema,
})
export const RecordListResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Object(
    { ...PaginatorSchema(RecordFields).properties, ...CursorPageKeys },
    { title: "DataRecordPage" },
  ),
})

const LimitUser = Type.Optional(
  Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()], {
    description: "E-mails of the users who may see the record, if the type restricts its records",
  }),
)
/** Forms send an empty text or null for no hub. */
const HubId = Type.Optional(Type.Union([IdSchema("hub"), Type.Literal(""), Type.Null()]))
/** Read by the type's own rules, hence anything here. */
const Key = Type.Unknown({ description: "Value of the primary key" })

export const NewRecordBody = Type.Object(
  {
    dataId: Key,
    dataTypeId: IdSchema("data-type"),
    hubId: HubId,
    limitUser: LimitUser,
  },
  { title: "DataRecordInput", additionalProperties: true },
)
export type NewRecordBody = Static<typeof NewRecordBody>

export const RecordPatch = Type.Object(
  {
    dataId: Type.Optional(Key),
    dataTypeId: Type.Optional(IdSchema("data-type")),
    hubId: HubId,
    limitUser: LimitUser,
  },
  { title: "DataRecordPatch", additionalProperties: true },
)
export type RecordPatch = Static<typeof RecordPatch>

const entry = {
  status: Type.Boolean(),
  message: Type.String(),
  _id: NullableText,
  dataId: Type.Optional(Type.Unknown()),
  failedCode: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
}
export const BulkResponse = Type.Object(
  {
    success: Type.Integer(),
    failed: Type.Integer(),
    data: Type.Array(Type.Object({ ...entry, event: Type.Optional(Type.String()) })),
  },
  { title: "DataRecordBulkResult" },
)
