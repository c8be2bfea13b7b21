import { Type } from "typebox"
import { AppError } from "#core/errors.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { parseTimeBound } from "#shared/wire-time.ts"
import { listVisits, maxVisits } from "./list-visits.ts"
import { listVisibleSilent, SilentPersonSchema, toWireSilent } from "./silence.ts"
import { PlaceTypeSchema, toWireVisit, VisitSchema } from "./visit-wire.ts"

export function geofenceRoutes(app: App): void {
  app.get("/location-visits", {
    config: { signedIn: true, scopedToken: ["view/tracking"] },
    schema: {
      operationId: "listVisits",
      summary: "List arrivals at hubs, task locations and geofences, newest first",
      description: `Filter by person, place or time range; returns at most ${maxVisits}. Without view/tracking, returns only your own arrivals.`,
      querystring: Type.Object({
        userId: Type.Optional(IdSchema("user")),
        placeId: Type.Optional(Type.String({ description: "Id of a hub, a task or a geofence" })),
        placeType: Type.Optional(PlaceTypeSchema),
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
          data: Type.Array(SilentPersonSchema),
        }),
      },
    },
    async handler({ sql, caller }) {
      const now = app.clock.now()
      const people = await listVisibleSilent(sql, caller, now)
      const data = people.map((person) => toWireSilent(person, now))
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
