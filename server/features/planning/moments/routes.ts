import { Type } from "typebox"
import { type Caller, may } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { sendJson } from "#core/http/send-json.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { parseTimeBound, toT1 } from "#shared/wire-time.ts"
import { positionsAt } from "../../location/positions/index.ts"
import { messagesAt } from "../../work/messages/index.ts"
import { isPastTaskField, type PastDays, pastDays, tasksAt } from "../../work/tasks/index.ts"
import { momentErrors } from "./errors.ts"

const NullableNumber = Type.Union([Type.Number(), Type.Null()])
const maxTasks = 20_000
const maxAgeDays = 366
const maxMessages = 100
const hoursOfMessages = 24

const MomentSchema = Type.Object(
  {
    time: Type.String(),
    people: Type.Array(
      Type.Object({
        userId: Type.String(),
        email: Type.String(),
        name: Type.String(),
        lat: Type.Number(),
        lon: Type.Number(),
        speed: Type.Union([Type.Number(), Type.Null()], { description: "km/h" }),
        recordedTime: Type.String({
          description: "Of the last position at or before the time, at most 8 hours earlier",
        }),
      }),
    ),
    tasks: Type.Array(
      Type.Object({
        _id: Type.String(),
        title: Type.Optional(Type.Union([Type.String(), Type.Null()])),
        hubId: Type.Optional(Type.String()),
        status: Type.Optional(Type.String()),
        assignee: Type.Optional(Type.Array(Type.String())),
        orderIndex: Type.Optional(NullableNumber),
        startTime: Type.Optional(Type.String()),
        endTime: Type.Optional(Type.String()),
        lat: Type.Optional(NullableNumber),
        lon: Type.Optional(NullableNumber),
      }),
      { description: "With the fields that were asked for; without `fields`, with all" },
    ),
    routes: Type.Array(
      Type.Object({
        email: Type.String(),
        taskIds: Type.Array(Type.String(), {
          description: "Open tasks of the person in their planned order",
        }),
      }),
    ),
    messages: Type.Array(
      Type.Object({
        _id: Type.String(),
        about: Type.String({ description: "task, or person: between the person and the planners" }),
        aboutId: Type.String(),
        authorName: Type.String(),
        text: Type.String(),
        createdTime: Type.String(),
      }),
      {
        description: `Messages of the 24 hours before the time that you may read, newest first, at most ${maxMessages}`,
      },
    ),
    isPart: Type.Boolean({ description: `There were more than ${maxTasks} tasks` }),
  },
  { title: "Moment" },
)

/** The past as it was: positions, tasks and routes of a minute. */
export function momentRoutes(app: App): void {
  const days = pastDays()
  app.get("/moment", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "getMoment",
      summary: "Get positions, tasks, routes and messages as they were at a past moment",
      description:
        "Tasks that started within the day of the moment, in the time zone of the organization, and tasks from before that were open then and due since the day before; with the status, assignee, order, times, place and hub that they had. What was deleted since is included, what was created since is not. Tasks need view/task. Hubs are those that the tasks had then. Changes from before the audit trail began, or older than it is kept, are not taken back.",
      querystring: Type.Object({
        time: Type.String({ format: "wire-time-bound" }),
        hubs: Type.Optional(Type.String({ description: "Comma-separated list of hub ids" })),
        fields: Type.Optional(
          Type.String({
            description: "Comma-separated list of fields of tasks; `_id` is always returned",
            examples: ["title,status,assignee,lat,lon"],
          }),
        ),
      }),
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: MomentSchema }),
      },
    },
    async handler({ sql, caller, query }, reply) {
      const now = app.clock.now()
      const at = readTime(query.time, now)
      const hubIds = query.hubs === undefined ? undefined : commaList(query.hubs.toLowerCase())
      const fields = query.fields === undefined ? undefined : commaList(query.fields)
      return sendJson(reply, await readMoment(sql, caller, days, { at, hubIds, fields, now }))
    },
  })
}

function readTime(text: string, now: Temporal.Instant): Temporal.Instant {
  const milliseconds = parseTimeBound(text, "from")
  const age = milliseconds === undefined ? -1 : now.epochMilliseconds - milliseconds
  if (milliseconds === undefined || age < 0 || age > maxAgeDays * 86_400_000) throw momentErrors.badTime()
  return Temporal.Instant.fromEpochMilliseconds(milliseconds)
}

interface MomentQuery {
  at: Temporal.Instant
  hubIds: readonly string[] | undefined
  /** Of tasks. */
  fields: readonly string[] | undefined
  now: Temporal.Instant
}

/** The response as JSON: its tasks are written by PostgreSQL. */
async function readMoment(
  sql: Sql,
  caller: Caller,
  days: PastDays,
  { fields, ...moment }: MomentQuery,
): Promise<string> {
  const [people, { tasks, routes, isPart }, messages] = await Promise.all([
    positionsAt(sql, caller, moment),
    may(caller, "view/task")
      ? tasksAt(sql, caller, days, {
          ...moment,
          maxTasks,
          fields: fields && [...new Set(fields)].filter(isPastTaskField),
        })
      : { tasks: "[]", routes: "[]", isPart: false },
    messagesAt(sql, caller, {
      from: moment.at.subtract({ hours: hoursOfMessages }),
      until: moment.at,
      limit: maxMessages,
    }),
  ])
  const rest = {
    time: toT1(moment.at),
    people: people.map(({ lng, recordedAt, ...person }) => ({
      ...person,
      lon: lng,
      recordedTime: toT1(recordedAt),
    })),
    messages: messages.map(({ id, createdTime, ...message }) => ({
      _id: id,
      ...message,
      createdTime: toT1(createdTime),
    })),
    isPart,
  }
  return `{"status":true,"message":"Success","data":${JSON.stringify(rest).slice(0, -1)},"tasks":${tasks},"routes":${routes}}}`
}
