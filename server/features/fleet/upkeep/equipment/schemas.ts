import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const Text = (maxLength: number, description?: string) =>
  Type.Optional(
    Type.Union([Type.String({ maxLength }), Type.Null()], description === undefined ? {} : { description }),
  )

export const EquipmentBody = Type.Object(
  {
    hubId: IdSchema("hub"),
    code: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "On its label, as it is scanned; unique in the organization, whatever its case",
      examples: ["HP-2041"],
    }),
    name: Type.String({ minLength: 1, maxLength: 200, examples: ["Heat pump, roof"] }),
    kind: Text(100),
    customer: Text(200),
    address: Text(500),
    lat: Type.Optional(Type.Union([Type.Number({ minimum: -90, maximum: 90 }), Type.Null()])),
    lon: Type.Optional(Type.Union([Type.Number({ minimum: -180, maximum: 180 }), Type.Null()])),
    note: Text(2_000),
  },
  { title: "EquipmentInput" },
)
export type EquipmentInput = Static<typeof EquipmentBody>

export const EquipmentSchema = Type.Object(
  {
    _id: IdSchema("equipment"),
    hubId: IdSchema("hub"),
    code: Type.String(),
    name: Type.String(),
    kind: NullableText,
    customer: NullableText,
    address: NullableText,
    lat: Type.Union([Type.Number(), Type.Null()]),
    lon: Type.Union([Type.Number(), Type.Null()]),
    note: NullableText,
    createdTime: Type.String(),
    updatedTime: Type.String(),
    updatedBy: NullableText,
  },
  { title: "Equipment" },
)

export const EquipmentTaskSchema = Type.Object(
  {
    taskId: Type.String(),
    title: NullableText,
    flow: Type.String(),
    doneBy: NullableText,
    doneTime: Type.String(),
  },
  { title: "EquipmentTask" },
)
