import { type Static, Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { App } from "#core/http/types.ts"
import { parseTimeBound, toT1 } from "#shared/wire-time.ts"
import { locationErrors } from "../errors.ts"
import { readTrack } from "../read-track.ts"
import type { ReadAudit } from "../sharing/read-audit.ts"
import { isInSight } from "../sharing/visible-people.ts"
import { tenantOf } from "../store/people.ts"
import { travelledTotals } from "../track/session-totals.ts"

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

interface SessionRow {
  userId: string
  number: number
  email: string
  name: string
  startedAt: Temporal.Instant
  finishedAt: Temporal.Instant | null
  totalDistance: number | null
}

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
      const rows = await sessionsOf(sql, caller, {
        from: Temporal.Instant.fromEpochMilliseconds(from),
        to: Temporal.Instant.fromEpochMilliseconds(to),
        hubId: query.hubId?.toLowerCase(),
      })
      const now = app.clock.now()
      const people = Map.groupBy(rows, ({ userId }) => userId).values()
      const data: Static<typeof PersonAttendance>[] = []
      for (const sessions of people) data.push(await attendanceOf(sql, caller, sessions, now))
      return { status: true as const, message: "Success", data }
    },
  })
}

const maxMilliseconds = 31 * 86_400_000
const minute = 60_000

function sessionsOf(
  sql: Sql,
  caller: Caller,
  { from, to, hubId }: { from: Temporal.Instant; to: Temporal.Instant; hubId: string | undefined },
): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select users.id as user_id, users.number, users.email, users.name, s.started_at, s.finished_at,
      s.total_distance::float8 as total_distance
    from location_sessions s join users on users.number = s.person_number
    where s.organization_number = ${caller.organizationNumber} and s.recorded_at between ${from} and ${to}
      and users.organization_id = ${caller.organizationId} and ${isInSight(sql, caller)}
      ${
        hubId === undefined
          ? sql``
          : sql`and exists (select from user_hubs h where h.organization_id = users.organization_id
              and h.user_id = users.id and h.hub_id = ${hubId})`
      }
    order by users.name, users.id, s.started_at`
}

async function attendanceOf(
  sql: Sql,
  caller: Caller,
  sessions: readonly SessionRow[],
  now: Temporal.Instant,
): Promise<Static<typeof PersonAttendance>> {
  const [first, last] = [sessions[0], sessions.at(-1)]
  if (!first || !last) throw new Error("a person without a session has no attendance")
  let [milliseconds, kilometers] = [0, 0]
  for (const { startedAt, finishedAt, totalDistance, number } of sessions) {
    milliseconds += (finishedAt ?? now).epochMilliseconds - startedAt.epochMilliseconds
    kilometers +=
      totalDistance ??
      travelledTotals(
        (await readTrack(sql, { tenant: tenantOf(caller), personNumber: number, from: startedAt, to: now }))
          .points,
        [],
      ).distanceKilometers
  }
  return {
    userId: first.userId,
    email: first.email,
    name: first.name,
    startTime: toT1(first.startedAt),
    finishTime: last.finishedAt && toT1(last.finishedAt),
    workedMinutes: Math.max(0, Math.round(milliseconds / minute)),
    kilometers: Math.round(kilometers * 1000) / 1000,
    sessions: sessions.length,
  }
}
