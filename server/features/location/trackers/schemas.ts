import { Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { type ProtocolName, protocolNames } from "#packages/tracker-protocols/index.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const ProtocolSchema = Type.Unsafe<ProtocolName>(Type.Union(protocolNames.map((name) => Type.Literal(name))))

const AttributesSchema = Type.Object({
  ignition: Type.Optional(Type.Boolean()),
  batteryPercent: Type.Optional(Type.Number()),
  batteryVolts: Type.Optional(Type.Number()),
  charging: Type.Optional(Type.Boolean()),
  externalVolts: Type.Optional(Type.Number()),
  fuelPercent: Type.Optional(Type.Number()),
  fuelLitres: Type.Optional(Type.Number()),
  odometerKilometers: Type.Optional(Type.Number()),
})

const TrackerSchema = Type.Object(
  {
    _id: IdSchema("tracker"),
    imei: Type.String({ description: "The IMEI, or the number that the device sends in its place" }),
    protocol: ProtocolSchema,
    name: Type.String(),
    userId: Type.String(),
    email: Type.String(),
    userName: Type.String(),
    createdBy: NullableText,
    createdTime: Type.String(),
    lastContactTime: NullableText,
    lastAddress: NullableText,
    lastRefusal: Type.Union([Type.String(), Type.Null()], {
      description: "Why something that the device sent was not stored",
    }),
    attributes: AttributesSchema,
    messageCount: Type.Integer(),
  },
  { title: "Tracker" },
)

export const TrackerParams = Type.Object({ trackerId: IdSchema("tracker") })

export const TrackerBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  protocol: ProtocolSchema,
  userId: IdSchema("user"),
})

export const NewTrackerBody = Type.Object({
  imei: Type.String({ minLength: 1, maxLength: 40 }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  protocol: ProtocolSchema,
  userId: IdSchema("user"),
})

export const TrackersResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Array(TrackerSchema),
  ports: Type.Array(Type.Object({ protocol: ProtocolSchema, port: Type.Integer() }), {
    description: "Where this installation listens, from TRACKER_PORTS",
  }),
  maySeeUnknown: Type.Boolean({ description: "Whether GET /unknown-trackers is allowed" }),
})

export const TrackerResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: TrackerSchema,
})

export const MessagesResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Array(
    Type.Object(
      {
        number: Type.Integer({ description: "Counts the messages of the device" }),
        receivedTime: Type.String(),
        kind: Type.String({ description: "login, position, status, other or unreadable" }),
        hex: Type.String({ description: "The frame, its first 2 kB" }),
        text: NullableText,
        size: Type.Integer({ description: "Bytes of the whole frame" }),
        positions: Type.Integer({ description: "Positions that are stored, also by an earlier message" }),
        note: NullableText,
      },
      { title: "TrackerMessage" },
    ),
  ),
})

export const UnknownTrackersResponse = Type.Object({
  status: Type.Literal(true),
  message: Type.String(),
  data: Type.Array(
    Type.Object(
      {
        imei: Type.String(),
        protocol: ProtocolSchema,
        address: Type.String(),
        firstContactTime: Type.String(),
        lastContactTime: Type.String(),
      },
      { title: "UnknownTracker" },
    ),
  ),
})
