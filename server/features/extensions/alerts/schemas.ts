import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

export const alertKinds = [
  "enter",
  "exit",
  "dwell",
  "speed",
  "outsideHours",
  "silent",
  "battery",
  "device",
  "late",
  "eta",
  "maintenance",
  "inspection",
] as const
export type AlertKind = (typeof alertKinds)[number]

const NullableText = Type.Union([Type.String(), Type.Null()])
const Kind = Type.Unsafe<AlertKind>(
  Type.String({
    enum: [...alertKinds],
    description:
      "enter, exit and dwell of geofences; speed; movement outsideHours; silent at work; low battery; device alarm; late: not finished at the end of the time window; eta: expected after it; maintenance of a vehicle or equipment: due soon or overdue; inspection: it found a defect of a vehicle",
  }),
)
const hubId = Type.Union([IdSchema("hub"), Type.Null()], { description: "Null: the whole organization" })
const Ids = (what: string) => Type.Array(Type.String(), { maxItems: 1_000, description: what })
const Time = Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", examples: ["21:00"] })

export const RuleSettings = Type.Object({
  teamIds: Type.Optional(Ids("Only people of these teams")),
  userIds: Type.Optional(Ids("Only these people")),
  vehicleIds: Type.Optional(Ids("Only drivers of these vehicles")),
  geofenceIds: Type.Optional(Ids("Of enter, exit and dwell: only these geofences")),
  minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10_080,
      description: "dwell: how long inside; late and eta: how long after the end of the time window",
    }),
  ),
  kilometersPerHour: Type.Optional(Type.Number({ minimum: 1, maximum: 500 })),
  percent: Type.Optional(Type.Integer({ minimum: 1, maximum: 99, description: "battery: below it" })),
  alarms: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 50,
      description: "device: only these alarms, such as sos or crash; all without it",
    }),
  ),
  from: Type.Optional(Time),
  to: Type.Optional(Time),
  weekdays: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), {
      maxItems: 7,
      description: "Working days, 1 is Monday; with from and to, what outsideHours lies outside of",
    }),
  ),
  quietFrom: Type.Optional(Time),
  quietTo: Type.Optional(Time),
  recipients: Type.Optional(
    Type.Array(IdSchema("user"), { maxItems: 100, description: "Only alerts that they may see reach them" }),
  ),
  channels: Type.Optional(
    Type.Array(Type.Unsafe<"notice" | "email" | "sms">(Type.String({ enum: ["notice", "email", "sms"] })), {
      maxItems: 3,
      description: "notice: the inbox with push messages. For webhooks, see the event onAlert",
    }),
  ),
})
export type RuleSettings = Static<typeof RuleSettings>

export const RuleBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    kind: Kind,
    hubId: Type.Optional(hubId),
    settings: RuleSettings,
    isActive: Type.Optional(Type.Boolean()),
  },
  { title: "AlertRuleInput" },
)
export type RuleInput = Static<typeof RuleBody>

export const RuleSchema = Type.Object(
  {
    _id: IdSchema("alert-rule"),
    name: Type.String(),
    kind: Type.String(),
    hubId,
    settings: RuleSettings,
    isActive: Type.Boolean(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
    updatedBy: NullableText,
  },
  { title: "AlertRule" },
)

export const AlertSchema = Type.Object(
  {
    _id: IdSchema("alert"),
    ruleId: Type.String(),
    ruleName: Type.String(),
    kind: Kind,
    hubIds: Type.Array(Type.String(), { description: "Of the person or task" }),
    userId: NullableText,
    email: NullableText,
    name: Type.Union([Type.String(), Type.Null()], { description: "Of the person, when the alert began" }),
    taskId: NullableText,
    geofenceId: NullableText,
    placeName: Type.Union([Type.String(), Type.Null()], {
      description: "Of the geofence, when the alert began",
    }),
    value: Type.Union([Type.Number(), Type.Null()], {
      description: "km/h, percent or minutes, when the alert began",
    }),
    text: Type.Union([Type.String(), Type.Null()], {
      description: "The alarm of the device; of maintenance, the vehicle or equipment and its plan",
    }),
    state: Type.Union([Type.String({ enum: ["soon", "overdue"] }), Type.Null()], {
      description: "Of maintenance",
    }),
    lat: Type.Union([Type.Number(), Type.Null()]),
    lon: Type.Union([Type.Number(), Type.Null()]),
    startedTime: Type.String(),
    endedTime: Type.Union([Type.String(), Type.Null()], { description: "Null: still so" }),
    acknowledgedTime: NullableText,
    acknowledgedBy: NullableText,
  },
  { title: "Alert" },
)
