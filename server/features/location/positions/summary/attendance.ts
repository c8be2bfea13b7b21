import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findPeopleByNumber } from "../../../people/users/index.ts"
import { readTrack } from "../read-track.ts"
import { visiblePeople } from "../sharing/visible-people.ts"
import { tenantOf } from "../store/people.ts"
import { travelledTotals } from "../track/session-totals.ts"

/** A person's sessions of work within a range. */
export interface Attendance {
  userId: string
  email: string
  name: string
  startTime: Temporal.Instant
  /** Null while the last session is open. */
  finishTime: Temporal.Instant | null
  workedMinutes: number
  kilometers: number
  sessions: number
}

interface Session {
  number: number
  startedAt: Temporal.Instant
  finishedAt: Temporal.Instant | null
  totalDistance: number | null
}

const minute = 60_000

/** Hours and kilometres of the people in sight whose sessions began in a range, by name. */
export async function readAttendance(
  sql: Sql,
  caller: Caller,
  {
    from,
    to,
    hubId,
    now,
  }: { from: Temporal.Instant; to: Temporal.Instant; hubId: string | undefined; now: Temporal.Instant },
): Promise<Attendance[]> {
  const visible = await visiblePeople(sql, caller)
  const sessions = await sql<Session[]>`
    select person_number as number, started_at, finished_at, total_distance::float8 as total_distance
    from location_sessions
    where organization_number = ${caller.organizationNumber} and recorded_at between ${from} and ${to}
      and ${visible === "all" ? sql`true` : sql`person_number = any (${[...visible]}::int[])`}
    order by started_at`
  const byPerson = Map.groupBy(sessions, ({ number }) => number)
  const people = await findPeopleByNumber(sql, caller.organizationId, [...byPerson.keys()])
  const attendance: Attendance[] = []
  for (const { id, number, email, name, hubIds } of people) {
    const own = byPerson.get(number) ?? []
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last || (hubId !== undefined && !hubIds.includes(hubId))) continue
    const totals = await totalsOf(sql, caller, own, now)
    attendance.push({
      ...{ userId: id, email, name, startTime: first.startedAt, finishTime: last.finishedAt },
      ...totals,
      sessions: own.length,
    })
  }
  return attendance
}

/** What was driven in an open session is not stored yet and is computed from its track. */
async function totalsOf(
  sql: Sql,
  caller: Caller,
  sessions: readonly Session[],
  now: Temporal.Instant,
): Promise<{ workedMinutes: number; kilometers: number }> {
  let [milliseconds, kilometers] = [0, 0]
  for (const { startedAt, finishedAt, totalDistance, number } of sessions) {
    milliseconds += (finishedAt ?? now).epochMilliseconds - startedAt.epochMilliseconds
    kilometers += totalDistance ?? (await drivenSince(sql, caller, { number, startedAt, now }))
  }
  return {
    workedMinutes: Math.max(0, Math.round(milliseconds / minute)),
    kilometers: Math.round(kilometers * 1000) / 1000,
  }
}

async function drivenSince(
  sql: Sql,
  caller: Caller,
  { number, startedAt, now }: { number: number; startedAt: Temporal.Instant; now: Temporal.Instant },
): Promise<number> {
  const tenant = tenantOf(caller)
  const { points } = await readTrack(sql, { tenant, personNumber: number, from: startedAt, to: now })
  return travelledTotals(points, []).distanceKilometers
}
