import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"
import { ListQuery, PaginatorSchema, SparseSchema } from "#core/paging.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])

const ScheduleEntrySchema = Type.Object({
  day: Type.Optional(Type.String({ description: "monday to sunday, in weekly entries" })),
  date: Type.Optional(Type.String({ description: "1 to 31 in monthly entries, Y-m-d in entries by date" })),
  time: Type.Array(Type.String({ description: "HH:mm" })),
})

const LogExecutedSchema = Type.Object({
  status: Type.String({ description: "PENDING before the first run, then SUCCESS or FAILED" }),
  taskId: Type.Optional(NullableText),
  message: Type.Optional(Type.Array(Type.String())),
  lastExecute: Type.Optional(Type.String({ description: "Y-m-d H:i:s in UTC" })),
})

export const ScheduleSchema = Type.Object(
  {
    _id: IdSchema("schedule"),
    organizationId: IdSchema("organization"),
    hubId: IdSchema("hub"),
    name: Type.String(),
    periode: Type.String({ description: "daily, weekly, monthly, byDate or custom" }),
    frequency: NullableText,
    interval: Type.Union([Type.Integer(), Type.Null()]),
    flow: Type.String(),
    flowId: Type.String(),
    task: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { additionalProperties: true })),
    assignee: Type.Array(Type.String()),
    schedules: Type.Array(ScheduleEntrySchema),
    startTime: Type.String(),
    endTime: Type.String(),
    timeZone: Type.String({ description: "IANA name of the time zone of the schedule's days and times" }),
    timeSchedules: Type.Array(Type.String()),
    logExecuted: LogExecutedSchema,
    state: Type.String({ description: "waiting, active, paused or expired" }),
    nextExecution: NullableText,
    pausedTime: NullableText,
    skippedDates: Type.Array(Type.String()),
    executionCount: Type.Integer(),
    failedCount: Type.Integer({ description: "Number of failed runs in executionCount" }),
    createdBy: NullableText,
    updatedBy: NullableText,
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "TaskSchedule" },
)

export const RunSchema = Type.Object(
  {
    _id: Type.String(),
    occurrence: Type.Union([Type.String(), Type.Null()], {
      description: "The scheduled time; null for a manual run",
    }),
    status: Type.String({ description: "SUCCESS, FAILED or SKIPPED" }),
    taskId: NullableText,
    message: Type.Array(Type.String()),
    failedCode: Type.Optional(Type.String()),
    executedTime: Type.String(),
  },
  { title: "TaskScheduleRun" },
)

/**
 * What says when a schedule runs. Only the kinds are checked here: the rules of each period are those of
 * `parseSchedule`, which names what is wrong with one.
 */
const Recurrence = {
  periode: Type.Optional(Type.String({ description: "daily, weekly, monthly, byDate or custom" })),
  frequency: Type.Optional(Type.String({ description: "daily, weekly or monthly; only for custom" })),
  interval: Type.Optional(Type.Integer({ description: "1 to 99; only for custom" })),
  startTime: Type.Optional(Type.String({ description: "First active day: Y-m-d or Y-m-d H:i" })),
  endTime: Type.Optional(Type.String({ description: "Last active day: Y-m-d or Y-m-d H:i" })),
  schedules: Type.Optional(
    Type.Array(Type.Unknown(), {
      description: "1 to 100 entries: { time }, { day, time } or { date, time }, depending on the period",
      examples: [[{ day: "monday", time: ["08:00", "13:30"] }]],
    }),
  ),
  timeZone: Type.Optional(Type.String({ description: "IANA name; default UTC" })),
}

const Contents = {
  hubId: IdSchema("hub"),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  task: Type.Unsafe<Record<string, unknown>>(
    Type.Object(
      {},
      { additionalProperties: true, description: "Values for the flow's first page, by component id" },
    ),
  ),
}

const Choices = {
  flow: Type.Optional(Type.String({ description: "Name of the flow; flowId takes precedence" })),
  flowId: Type.Optional(Type.String()),
  assignee: Type.Optional(Type.Array(Type.String(), { description: "E-mails" })),
}

export const ScheduleBody = Type.Object(
  { ...Contents, ...Choices, ...Recurrence },
  { title: "TaskScheduleInput", additionalProperties: true },
)
export type ScheduleBody = Static<typeof ScheduleBody>

export const SchedulePatch = Type.Partial(
  Type.Object({ ...Contents, ...Choices, ...Recurrence }, { additionalProperties: true }),
)
export type SchedulePatch = Static<typeof SchedulePatch>

/** A form that is being filled in: only what decides when the schedule runs is needed. */
export const PreviewBody = Type.Object(
  {
    ...Recurrence,
    hubId: Type.Optional(Type.String()),
    flow: Type.Optional(Type.String()),
    flowId: Type.Optional(Type.String()),
    assignee: Type.Optional(Type.Array(Type.String())),
    scheduleId: Type.Optional(
      Type.String({ description: "The schedule being edited, which does not clash with itself" }),
    ),
    limit: Type.Optional(Type.Integer({ description: "Number of runs, 1 to 1000; default 10" })),
  },
  { additionalProperties: true },
)
export type PreviewBody = Static<typeof PreviewBody>

export const ScheduleListQuery = Type.Object({
  ...ListQuery,
  hubId: Type.Optional(Type.String()),
  name: Type.Optional(Type.String({ maxLength: 255, description: "Part of the name" })),
  flow: Type.Optional(Type.String({ description: "Exact name of the flow" })),
  flowId: Type.Optional(Type.String()),
  status: Type.Optional(
    Type.Unsafe<"SUCCESS" | "FAILED" | "PENDING">(
      Type.String({ enum: ["SUCCESS", "FAILED", "PENDING"], description: "Status of the last run" }),
    ),
  ),
  assignee: Type.Optional(Type.String({ description: "Comma-separated list of e-mails; any of them" })),
  sortBy: Type.Optional(Type.String({ description: "createdTime (default) or another field" })),
})
export type ScheduleListQuery = Static<typeof ScheduleListQuery>

const Success = { status: Type.Literal(true), message: Type.String() }

export const ScheduleListResponse = Type.Object({
  ...Success,
  taskSchedules: PaginatorSchema(SparseSchema(ScheduleSchema)),
})
/** The plural key for one object is the wire's. */
export const ScheduleResponse = Type.Object({ ...Success, taskSchedules: ScheduleSchema })
export const ScheduleWritten = Type.Object({ ...Success, data: ScheduleSchema })
export const ScheduleRan = Type.Object({ ...Success, taskId: Type.String(), data: ScheduleSchema })
export const RunListResponse = Type.Object({ ...Success, runs: PaginatorSchema(RunSchema) })

export const PreviewResponse = Type.Object({
  ...Success,
  data: Type.Object({
    runs: Type.Array(Type.String({ description: "YYYY-MM-DDTHH:mm:ss+00:00" })),
    clashes: Type.Array(
      Type.Object({
        at: Type.String(),
        schedules: Type.Array(Type.Object({ _id: Type.String(), name: Type.String() })),
        mergedTimes: Type.Array(
          Type.String({ description: "Local times that a clock change moves to this instant" }),
        ),
      }),
    ),
    summary: Type.String({ description: "The schedule in words, in the caller's language" }),
  }),
})

export const BulkResponse = Type.Object({
  success: Type.Integer(),
  failed: Type.Integer(),
  schedules: Type.Array(
    Type.Object({
      status: Type.Boolean(),
      message: Type.String(),
      _id: Type.String(),
      name: Type.String(),
      failedCode: Type.Optional(Type.String()),
    }),
  ),
  failed_index: Type.Array(Type.Integer()),
})
