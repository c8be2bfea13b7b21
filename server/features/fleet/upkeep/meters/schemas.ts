import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

const NullableNumber = Type.Union([Type.Number(), Type.Null()])

export const MetersSchema = Type.Object(
  {
    odometerKilometers: Type.Number(),
    engineHours: Type.Number(),
    source: Type.String({
      enum: ["device", "track", "none"],
      description:
        "What the last counted hour comes from: a tracker in the vehicle, or the positions of its driver",
    }),
    countedTime: Type.Union([Type.String(), Type.Null()], { description: "Null: not counted yet" }),
  },
  { title: "VehicleMeters" },
)

export const ReadingBody = Type.Object(
  {
    odometerKilometers: Type.Optional(Type.Number({ minimum: 0, maximum: 10_000_000 })),
    engineHours: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
    note: Type.Optional(Type.String({ maxLength: 500 })),
  },
  { title: "VehicleReadingInput", description: "What the vehicle shows: at least one of its meters" },
)
export type ReadingInput = Static<typeof ReadingBody>

export const ReadingSchema = Type.Object(
  {
    _id: IdSchema("vehicle-reading"),
    odometerBefore: Type.Union([Type.Number(), Type.Null()], {
      description: "Kilometres; null: not corrected",
    }),
    odometerAfter: NullableNumber,
    engineHoursBefore: NullableNumber,
    engineHoursAfter: NullableNumber,
    note: Type.Union([Type.String(), Type.Null()]),
    createdBy: Type.String(),
    createdTime: Type.String(),
  },
  { title: "VehicleReading" },
)
