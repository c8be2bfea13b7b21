import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { type Period, periods } from "#shared/report-periods.ts"
import { type FileType, fileTypes, ReportInput } from "../reports/index.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const { metrics, groupBy, compareTo, hubId, flowId, person } = ReportInput
const rhythms = ["day", "week", "month"] as const

/** What is sent, when and to whom. */
const settings = {
  ...{ metrics, groupBy, compareTo, hubId, flowId, person },
  period: Type.Unsafe<Period>(
    Type.String({ enum: [...periods], description: "The days of the report, seen from the day it is sent" }),
  ),
  every: Type.Unsafe<(typeof rhythms)[number]>(Type.String({ enum: [...rhythms] })),
  weekday: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 7, description: "Of every week: 1 is Monday, the default" }),
  ),
  day: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 31,
      description: "Of every month: 1 is the default; the last day where the month is shorter",
    }),
  ),
  time: Type.String({
    pattern: "^([01]\\d|2[0-3]):[0-5]\\d$",
    description: "In the time zone of the organization",
    examples: ["07:00"],
  }),
  files: Type.Array(Type.Unsafe<FileType>(Type.String({ enum: Object.keys(fileTypes) })), {
    minItems: 1,
    maxItems: 3,
    description: "What is attached",
  }),
  recipients: Type.Array(IdSchema("user"), { minItems: 1, maxItems: 50, description: "Members" }),
  page: Type.Optional(
    Type.String({
      maxLength: 1_000,
      pattern: "^/reports(\\?[!-~]*)?$",
      description:
        "The page of the console to which the mail leads; without it, the built-in report that has the most of these figures",
    }),
  ),
}

export const ScheduleSettings = Type.Object(settings)
export type ScheduleSettings = Static<typeof ScheduleSettings>

export const ScheduleBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 120 }),
    ...settings,
    isActive: Type.Optional(Type.Boolean()),
  },
  { title: "ReportScheduleInput" },
)
export type ScheduleInput = Static<typeof ScheduleBody>

export const ScheduleSchema = Type.Object(
  {
    _id: IdSchema("report-schedule"),
    name: Type.String(),
    ...settings,
    isActive: Type.Boolean(),
    ownerId: Type.String({ description: "The member whose figures are sent" }),
    nextTime: Type.Union([Type.String(), Type.Null()], { description: "Null while it is off" }),
    sentTime: Type.Union([Type.String(), Type.Null()], { description: "The last time that was sent" }),
    error: Type.Union([Type.String(), Type.Null()], { description: "Why nothing was sent the last time" }),
    createdTime: Type.String(),
    updatedTime: Type.String(),
    updatedBy: NullableText,
  },
  { title: "ReportSchedule" },
)
