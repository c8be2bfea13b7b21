import { type Static, Type } from "typebox"
import { PaginatorSchema, SparseSchema } from "#core/paging.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableNumber = Type.Union([Type.Number(), Type.Null()])

const FinishSchema = Type.Object(
  {
    lat: Type.Number(),
    lon: Type.Number(),
    finishTime: Type.String(),
    notes: NullableText,
    totalDistance: Type.Number({ description: "Kilometres" }),
    totalDuration: Type.Number({ description: "Minutes" }),
    isRecalculate: Type.Integer({ description: "1 once recalculated" }),
  },
  { title: "LocationFinish" },
)

export const LocationHistorySchema = Type.Object(
  {
    _id: Type.String(),
    organizationId: Type.String(),
    email: Type.String(),
    taskId: Type.String({ description: "Empty: no task" }),
    lat: Type.Number(),
    lon: Type.Number(),
    speed: Type.Number({ description: "km/h" }),
    distance: Type.Number({ description: "Kilometres from the previous point" }),
    distanceToDest: NullableNumber,
    duration: Type.Number({ description: "As the device sent it" }),
    notes: NullableText,
    eventName: NullableText,
    isLatest: Type.Boolean(),
    time: Type.Integer({ description: "Epoch milliseconds of receipt" }),
    startTime: Type.Optional(Type.String()),
    trackedTime: Type.Optional(Type.Integer({ description: "Minutes from start to finish" })),
    finish: Type.Optional(Type.Union([FinishSchema, Type.Null()])),
    createdFrom: Type.String(),
    data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    createdTime: Type.String(),
    updatedTime: Type.String(),
    createdBy: NullableText,
    updatedBy: NullableText,
  },
  { title: "LocationHistory" },
)
export type WireLocation = Static<typeof LocationHistorySchema>

/** Numbers and coordinates may be text. Checked by `location-entry.ts`, so this only describes. */
const entryFields = {
  email: Type.String({
    description: "A member of your organization; your own e-mail unless you have edit/member",
  }),
  lat: Type.Union([Type.Number(), Type.String()], { description: "Decimal degrees" }),
  lon: Type.Union([Type.Number(), Type.String()], { description: "Decimal degrees" }),
  taskId: Type.Optional(Type.String()),
  speed: Type.Optional(Type.Number({ description: "km/h" })),
  distance: Type.Optional(Type.Number({ description: "Kilometres from the previous point" })),
  duration: Type.Optional(Type.Number({ description: "Minutes from the previous point" })),
  createdTime: Type.Optional(Type.String({ description: "Device time; UTC unless an offset is given" })),
  notes: Type.Optional(NullableText),
  startTime: Type.Optional(Type.String({ description: "Opens a session" })),
  finishTime: Type.Optional(Type.String({ description: "Closes the open session" })),
  createdFrom: Type.Optional(Type.String({ description: "Source label" })),
  eventName: Type.Optional(Type.String({ description: "otw, nearBy or done" })),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
}
export const LocationBody = Type.Object(entryFields, { title: "LocationInput" })
export const LocationPatchBody = Type.Partial(Type.Object(entryFields))
export const BulkBody = Type.Object({
  location_histories: Type.Array(LocationBody, { maxItems: 1000, minItems: 1 }),
})

const BulkOutcome = Type.Object({
  status: Type.Boolean(),
  message: Type.String(),
  _id: NullableText,
  email: NullableText,
  warnings: Type.Optional(Type.Array(Type.String())),
  failedCode: Type.Optional(Type.String()),
})
export const BulkResponse = Type.Object({
  success: Type.Integer(),
  failed: Type.Integer(),
  location_histories: Type.Array(BulkOutcome),
  tasks: Type.Array(BulkOutcome),
})

export const LocationResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  location_history: LocationHistorySchema,
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: "Why a trip that was stored needs a look; absent if it does not",
    }),
  ),
})
export const LocationsResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  tasks: PaginatorSchema(SparseSchema(LocationHistorySchema)),
})
