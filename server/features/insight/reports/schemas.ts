import { type Static, Type } from "typebox"
import { ListQuery } from "#core/paging.ts"
import { reportDimensions, reportMetrics } from "#shared/report-metrics.ts"

const metricNames = Object.keys(reportMetrics)

/** What decides the numbers of a report; the same for its response, its files and its mails. */
export const ReportInput = {
  metrics: Type.String({
    maxLength: 1000,
    description: `Comma-separated list of ${metricNames.join(", ")}. GET /reports/metrics describes them`,
    examples: ["finished,onTimeRate"],
  }),
  groupBy: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Comma-separated list of up to three of ${reportDimensions.join(", ")}; without it there is only a total`,
      examples: ["day"],
    }),
  ),
  from: Type.String({
    format: "wire-date",
    description: "The first day, in the time zone of the organization",
    examples: ["2031-05-01"],
  }),
  until: Type.String({
    format: "wire-date",
    description: "The last day; at most 1,098 days after from",
    examples: ["2031-05-31"],
  }),
  compareTo: Type.Optional(
    Type.Unsafe<"previous" | "previousYear">(
      Type.String({
        enum: ["previous", "previousYear"],
        description:
          "Also return the figures of the range before (as many days, or months where the range is whole months) or a year earlier",
      }),
    ),
  ),
  hubId: Type.Optional(Type.String({ description: "Comma-separated list of hub ids" })),
  flowId: Type.Optional(Type.String({ description: "Comma-separated list of flow ids" })),
  person: Type.Optional(
    Type.String({
      description:
        "Comma-separated list of e-mails: who created, has (first assignee) or finished the tasks, or worked",
    }),
  ),
}

const { page, limit, sortOrder } = ListQuery

/** Order and page of the rows. */
export const RowsQuery = {
  page,
  limit,
  sortOrder,
  sortBy: Type.Optional(
    Type.String({ maxLength: 40, description: "A metric of the report; the groups themselves by default" }),
  ),
}

const Numbers = Type.Record(Type.String(), Type.Union([Type.Number(), Type.Null()]), {
  description: "By metric. Rates are between 0 and 1; null where nothing was counted",
})
const Texts = (description: string) => Type.Record(Type.String(), Type.String(), { description })

const ReportRow = Type.Object(
  {
    key: Texts(
      "By group: a date, a month such as 2031-05, a weekday from 1 (Monday) to 7, an hour from 0 to 23, an e-mail, an id, or a text; empty where there is none",
    ),
    labels: Texts("Names of people, hubs and flows"),
    values: Numbers,
    compared: Type.Union([Numbers, Type.Null()]),
    missed: Type.Array(Type.String(), { description: "Metrics that miss their target" }),
    tasks: Texts("By metric: the query of GET /tasks that lists the tasks of the figure"),
    sessions: Texts(
      "By metric that is counted from sessions: the query of GET /reports/sessions that lists those of the figure",
    ),
    alarms: Texts(
      "By metric that is counted from trackers: the query of GET /reports/alarms that lists those of the figure",
    ),
  },
  { title: "ReportRow" },
)
export type ReportRow = Static<typeof ReportRow>

const Day = Type.String({ description: "Y-m-d" })
export const ReportData = Type.Object(
  {
    from: Day,
    until: Day,
    compared: Type.Union([Type.Object({ from: Day, until: Day }), Type.Null()]),
    timeZone: Type.String(),
    currency: Type.String({ description: "Of costs" }),
    isComplete: Type.Boolean({
      description: "False while older work, or a large import, is still being counted",
    }),
    targets: Numbers,
    total: ReportRow,
    rows: Type.Array(ReportRow),
    page: Type.Integer(),
    limit: Type.Integer(),
    count: Type.Integer({ description: "Rows of all pages" }),
  },
  { title: "Report" },
)
export type ReportData = Static<typeof ReportData>

export const MetricInfo = Type.Object(
  {
    name: Type.String(),
    unit: Type.String(),
    description: Type.String(),
    groupBy: Type.Array(Type.String(), { description: "By what it can be shown" }),
  },
  { title: "ReportMetric" },
)

const OrNone = "; none for those without one"
/** What the lists of sessions and alarms have in common: the queries of figures. */
export const EventsInput = {
  from: ReportInput.from,
  until: ReportInput.until,
  hubId: Type.Optional(
    Type.String({ description: "Comma-separated list of hub ids, of people in one of them" }),
  ),
  onlyHubId: Type.Optional(
    Type.String({
      description: "Id of a hub, of people who are in no other; none for people of several or no hubs",
    }),
  ),
  person: Type.Optional(Type.String({ description: `Comma-separated list of e-mails${OrNone}` })),
  weekday: Type.Optional(Type.Integer({ minimum: 1, maximum: 7, description: "1 is Monday" })),
  hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23 })),
  page: ListQuery.page,
  limit: ListQuery.limit,
}
export const VehicleInput = {
  vehicleId: Type.Optional(Type.String({ description: `Id of a vehicle${OrNone}` })),
}
const alarmKinds = ["speeding", "harshDriving"] as const
export const AlarmKindInput = {
  kind: Type.Optional(Type.Unsafe<(typeof alarmKinds)[number]>(Type.String({ enum: [...alarmKinds] }))),
}

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableNumber = Type.Union([Type.Number(), Type.Null()])
const Person = {
  email: Type.String({ description: "Empty for people who were deleted" }),
  name: Type.String(),
}
const Page = { page: Type.Integer(), limit: Type.Integer(), count: Type.Integer() }

export const SessionEvents = Type.Object(
  {
    rows: Type.Array(
      Type.Object({
        ...Person,
        vehicleId: NullableText,
        vehicle: NullableText,
        startedTime: Type.String(),
        finishedTime: NullableText,
        hours: Type.Number(),
        kilometers: Type.Number(),
        travelHours: Type.Number(),
        idleHours: Type.Number(),
        stopHours: Type.Number({ description: "At stops" }),
        shiftHours: Type.Union([Type.Number(), Type.Null()], {
          description: "Working time of the vehicle; null where an earlier session of the day has it",
        }),
        loadRate: NullableNumber,
      }),
    ),
    ...Page,
  },
  { title: "ReportSessions" },
)

export const AlarmEvents = Type.Object(
  {
    rows: Type.Array(
      Type.Object({
        ...Person,
        kind: Type.String({ enum: [...alarmKinds] }),
        alarm: Type.String({ description: "As the tracker names it, such as harsh-braking" }),
        time: Type.String(),
        lat: NullableNumber,
        lon: NullableNumber,
      }),
    ),
    ...Page,
  },
  { title: "ReportAlarms" },
)
