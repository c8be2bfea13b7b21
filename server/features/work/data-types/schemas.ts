import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const Default = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

export const FieldSchema = Type.Object(
  {
    id: Type.String({ description: "Key of the value in the records" }),
    title: Type.String(),
    description: NullableText,
    type: Type.String({
      description:
        "primaryKey, text, number, option, date, dateTime, time, geolocation, phoneNumber or boolean",
    }),
    default: Default,
    optionData: Type.Array(Type.String()),
    required: Type.Boolean(),
    primaryKey: Type.Boolean(),
    show: Type.Boolean(),
    visible: Type.Boolean(),
  },
  { title: "DataField", additionalProperties: true },
)

const FieldBody = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    title: Type.String({ minLength: 1, maxLength: 255 }),
    type: Type.String({ minLength: 1 }),
    description: Type.Optional(Type.Union([Type.String({ maxLength: 2000 }), Type.Null()])),
    default: Type.Optional(Default),
    optionData: Type.Optional(Type.Array(Type.String())),
    required: Type.Optional(Type.Boolean()),
    primaryKey: Type.Optional(Type.Boolean()),
    show: Type.Optional(Type.Boolean()),
    visible: Type.Optional(Type.Boolean()),
  },
  { title: "DataFieldInput", additionalProperties: true },
)
export type FieldBody = Static<typeof FieldBody>

const ProviderConfigBody = Type.Union([
  Type.Object({ url: Type.Optional(Type.String()), key: Type.Optional(NullableText) }),
  Type.Null(),
])

const Repair = Type.Union([
  Type.Literal("keep"),
  Type.Literal("convert"),
  Type.Literal("default"),
  Type.Literal("clear"),
])

const optionalParts = {
  limitUser: Type.Optional(Type.Boolean({ description: "Records can be restricted to listed users" })),
  provider: Type.Optional(Type.Union([Type.Literal("internal"), Type.Literal("external-api")])),
  providerConfig: Type.Optional(ProviderConfigBody),
}

const changeParts = {
  deleteFields: Type.Optional(
    Type.Array(Type.String(), {
      description: "Ids of removed fields whose values are deleted from the records",
    }),
  ),
  repairs: Type.Optional(
    Type.Record(Type.String(), Repair, {
      description:
        "How to treat stored values that do not fit a changed field, by field id. keep (default) leaves them until the record is next written. convert converts them and refuses the change if a value cannot be converted. default and clear convert them and replace the others by the field's default or delete them",
    }),
  ),
}

export const NewDataTypeBody = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    fields: Type.Array(FieldBody, { minItems: 1 }),
    commonData: Type.Optional(
      Type.Boolean({
        description: "Records belong to the organization instead of a hub; cannot be changed later",
      }),
    ),
    ...optionalParts,
  },
  { title: "DataTypeInput" },
)
export type NewDataTypeBody = Static<typeof NewDataTypeBody>

export const DataTypeBody = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    fields: Type.Array(FieldBody, { minItems: 1 }),
    ...optionalParts,
    ...changeParts,
  },
  { title: "DataTypeReplacement" },
)

export const DataTypePatch = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1 })),
    fields: Type.Optional(Type.Array(FieldBody, { minItems: 1 })),
    ...optionalParts,
    ...changeParts,
  },
  { title: "DataTypePatch" },
)
export type DataTypePatch = Static<typeof DataTypePatch>

export const DataTypeSchema = Type.Object(
  {
    _id: IdSchema("data-type"),
    name: Type.String(),
    fields: Type.Array(FieldSchema),
    limitUser: Type.Boolean(),
    commonData: Type.Boolean(),
    provider: Type.String(),
    providerConfig: Type.Union([
      Type.Object({
        url: Type.String(),
        hasKey: Type.Boolean({ description: "The key itself is never returned" }),
      }),
      Type.Null(),
    ]),
    organizationId: IdSchema("organization"),
    createdBy: NullableText,
    updatedBy: NullableText,
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "DataType" },
)

const Choice = Type.String({ description: "keep, convert, default or clear" })

export const ImpactSchema = Type.Object(
  {
    records: Type.Integer({ description: "Records of the type" }),
    broken: Type.Integer({
      description: "Records with at least one value that does not fit the changed fields",
    }),
    convertible: Type.Integer({ description: "Further records with a value that can be converted" }),
    fields: Type.Array(
      Type.Object({
        fieldId: Type.String(),
        title: Type.String(),
        broken: Type.Integer(),
        convertible: Type.Integer(),
        choices: Type.Array(Choice),
        examples: Type.Array(
          Type.Object({ dataId: Type.String(), value: Type.Unknown(), reason: Type.String() }),
        ),
      }),
    ),
  },
  { title: "DataTypeImpact" },
)

export const DataTypeResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data_type: DataTypeSchema,
})
export const ChangedDataTypeResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data_type: DataTypeSchema,
  dryRun: Type.Boolean(),
  impact: ImpactSchema,
})
