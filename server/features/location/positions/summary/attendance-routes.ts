import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { parseTimeBound, toT1 } from "#shared/wire-time.ts"
import { locationErrors } from "../errors.ts"
import type { ReadAudit } from "../sharing/read-audit.ts"
import { readAttendance } from "./attendance.ts"

const PersonAttendance = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    startTime: Type.String({ description: "Start of the first session" }),
    finishTime: Type.Union([Type.String(), Type.Null()], {
      description: "Finish of the last session; null while it is open",
    }),
    workedMinutes: Type.Integer({ description: "Of the sessions, without the breaks between them" }),
    kilometers: Type.Number(),
    sessions: Type.Integer({ description: "A break ends a session; work after it begins the next" }),
  },
  { title: "PersonAttendance" },
)

/** Hours and kilometres of people by their sessions of work, for dispatchers. */
export function attendanceRoutes(app: App, auditRead: ReadAudit): void {
  app.get("/attendance", {
    config: { permission: "view/tracking" },
    schema: {
      operationId: "listAttendance",
      summary: "List hours and kilometres per person, from the sessions that started in a time range",
      querystring: Type.Object({
        timeFrom: Type.String({ description: "UTC, inclusive" }),
        timeTo: Type.String({ description: "UTC, inclusive; at most 31 days after `timeFrom`" }),
        hubId: Type.Optional(Type.String({ description: "People of this hub" })),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: Type.Array(PersonAttendance),
        }),
      },
    },
    async handler({ sql, caller, query, ip }) {
      const from = parseTimeBound(query.timeFrom, "from")
      const to = parseTimeBound(query.timeTo, "to")
      if (from === undefined || to === undefined || to - from > maxMilliseconds)
        throw locationErrors.badTime()
      await auditRead(sql, caller, ip, { userId: null, email: null, how: "attendance" })
      const range = {
        from: Temporal.Instant.fromEpochMilliseconds(from),
        to: Temporal.Instant.fromEpochMilliseconds(to),
      }
      const attendance = await readAttendance(sql, caller, {
        ...{ ...range, hubId: query.hubId?.toLowerCase(), now: app.clock.now() },
      })
      const data = attendance.map(({ startTime, finishTime, ...rest }) => ({
        ...rest,
        startTime: toT1(startTime),
        finishTime: finishTime && toT1(finishTime),
      }))
      return { status: true as const, message: "Success", data }
    },
  })
}

const maxMilliseconds = 31 * 86_400_000
