import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { storedTermFields } from "./terms.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const Time = Type.String({ format: "wire-time", description: "HH:mm or HH:mm:ss, in the hub's time" })

export const WorkingTime = Type.Object({
  startTime: Time,
  endTime: Time,
  multiday: Type.Optional(Type.Integer({ minimum: 0, maximum: 365, description: "Days added to endTime" })),
})
export type WorkingTime = Static<typeof WorkingTime>

export const BreakTime = Type.Object({
  startTime: Type.Optional(Type.Union([Time, Type.Null()])),
  endTime: Type.Optional(Type.Union([Time, Type.Null()])),
})
export type BreakTime = Static<typeof BreakTime>

const Capacity = Type.Record(
  Type.String({ minLength: 1, maxLength: 255 }),
  Type.Object({ min: Type.Number(), max: Type.Number() }),
  { description: "By name of the capacity constraint; max is a hard limit, min a soft one" },
)
export type Capacity = Static<typeof Capacity>

export const VehicleSchema = Type.Object(
  {
    _id: IdSchema("vehicle"),
    organizationId: IdSchema("organization"),
    hubId: IdSchema("hub"),
    hubs: Type.Union([
      Type.Object({ _id: Type.String(), name: Type.String(), address: Type.String() }),
      Type.Null(),
    ]),
    name: Type.String(),
    assignee: NullableText,
    speed: Type.Number({ description: "km/h" }),
    fixedCost: Type.Integer(),
    tags: Type.Array(Type.String()),
    oddEven: NullableText,
    workingTime: Type.Object({ startTime: Type.String(), endTime: Type.String(), multiday: Type.Integer() }),
    breakTime: Type.Object({ startTime: NullableText, endTime: NullableText }),
    capacity: Type.Record(Type.String(), Type.Object({ min: Type.Number(), max: Type.Number() })),
    ...storedTermFields,
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "Vehicle" },
)

const settings = {
  assignee: Type.Optional(
    Type.Union([Type.String(), Type.Null()], { description: "E-mail; empty or null for no driver" }),
  ),
  speed: Type.Optional(Type.Number({ minimum: 5 })),
  fixedCost: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 10 })),
  oddEven: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: "odd, even or null" })),
  workingTime: Type.Optional(Type.Union([WorkingTime, Type.Null()])),
  breakTime: Type.Optional(Type.Union([BreakTime, Type.Null()])),
  capacity: Type.Optional(Type.Union([Capacity, Type.Null()])),
  ...Type.Partial(Type.Object(storedTermFields)).properties,
}
const name = Type.String({ minLength: 1, maxLength: 255 })

export const VehicleBody = Type.Object(
  { hubId: IdSchema("hub"), name, ...settings },
  { title: "VehicleInput" },
)
export type VehicleBody = Static<typeof VehicleBody>

export const VehiclePatch = Type.Object(
  {
    hubId: Type.Optional(IdSchema("hub")),
    name: Type.Optional(name),
    ...settings,
  },
  { title: "VehiclePatch" },
)
export type VehiclePatch = Static<typeof VehiclePatch>
