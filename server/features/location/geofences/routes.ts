import { Type } from "typebox"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { hubRadiusMeters, taskRadiusMeters } from "#packages/geodesy/fence-radius.ts"
import { parseTimeBound, toT1 } from "#shared/wire-time.ts"
import { listVisits, maxVisits, type VisitRow } from "./list-visits.ts"
import { listVisibleSilent } from "./silence.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
const VisitSchema = Type.Object({
  _id: Type.String(),
  userId: Type.String(),
  email: Type.String(),
  name: Type.String(),
  placeType: Type.Union([Type.Literal("hub"), Type.Literal("task")]),
  placeId: Type.String(),
  placeName: Type.Union([Type.String(), Type.Null()], {
    description: "Name of the hub or title of the task; null where it is gone, or not the caller's to see",
  }),
  lat: Type.Union([Type.Number(), Type.Null()]),
  lon: Type.Union([Type.Number(), Type.Null()]),
  radiusMeters: Type.Number(),
  arrivedTime: Type.String(),
  leftTime: NullableText,
})

export function geofenceRoutes(app: App): void {
  app.get("/location-visits", {
    config: { signedIn: true, scopedToken: ["view/tracking"] },
    schema: {
      operationId: "listVisits",
      summary: "List arrivals at hubs and task locations, newest first",
      description: `Filter by person, place or time range; returns at most ${maxVisits}. Without view/tracking, returns only your own arrivals.`,
      querystring: Type.Object({
        userId: Type.Optional(IdSchema("user")),
        placeId: Type.Optional(Type.String({ description: "Id of a hub or a task" })),
        timeFrom: Type.Optional(Type.String({ format: "wire-time-bound" })),
        timeTo: Type.Optional(Type.String({ format: "wire-time-bound" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(VisitSchema),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const from = boundOf(query.timeFrom, "from")
      const to = boundOf(query.timeTo, "to")
      const rows = await listVisits(sql, caller, { ...query, from, to })
      return { status: true as const, message: "Success", data: rows.map(toWireVisit) }
    },
  })

  app.get("/silent-people", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "listSilentPeople",
      summary: "List users at work whose device is not reporting positions",
      description:
        "With an open session or a running task, and no position for longer than their profile allows.",
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(
            Type.Object({
              userId: Type.String(),
              email: Type.String(),
              name: Type.String(),
              hubIds: Type.Array(Type.String()),
              lastTime: NullableText,
              silentSeconds: Type.Union([Type.Integer(), Type.Null()]),
              silentAfterSeconds: Type.Integer(),
              hasOpenSession: Type.Boolean(),
              taskCount: Type.Integer(),
            }),
          ),
        }),
      },
    },
    async handler({ sql, caller }) {
      const now = app.clock.now()
      const people = await listVisibleSilent(sql, caller, now)
      const data = people.map(({ organizationId: _organizationId, lastTime, ...person }) => ({
        ...person,
        lastTime: lastTime ? toT1(lastTime) : null,
        silentSeconds: lastTime
          ? Math.round((now.epochMilliseconds - lastTime.epochMilliseconds) / 1000)
          : null,
      }))
      return { status: true as const, message: "Success", data }
    },
  })
}

function boundOf(text: string | undefined, end: "from" | "to"): Temporal.Instant | undefined {
  if (text === undefined) return undefined
  const at = parseTimeBound(text, end)
  if (at === undefined) throw new AppError(400, "lochi-008", `${end} must be a date and time`)
  return Temporal.Instant.fromEpochMilliseconds(at)
}

function toWireVisit(row: VisitRow) {
  return {
    _id: row.id,
    userId: row.userId,
    email: row.email,
    name: row.name,
    placeType: row.placeType,
    placeId: row.placeId,
    placeName: row.placeName,
    lat: row.lat,
    lon: row.lng,
    radiusMeters: row.placeType === "hub" ? hubRadiusMeters : taskRadiusMeters,
    arrivedTime: toT1(row.arrivedAt),
    leftTime: row.leftAt ? toT1(row.leftAt) : null,
  }
}
