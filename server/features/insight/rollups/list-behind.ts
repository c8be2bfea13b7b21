import type { Fragment, Sql } from "#core/database/database.ts"
import type { PageOptions } from "#core/paging.ts"
import { inSpan } from "./hour-rows.ts"

/** What a figure of sessions or of trackers' alarms is about. Undefined keeps everything. */
export interface Behind {
  organizationId: string
  timeZone: string
  from: Temporal.Instant
  until: Temporal.Instant
  /** E-mails; empty for people who were deleted. */
  people: readonly string[] | undefined
  /** 1 is Monday. */
  weekday: number | undefined
  hour: number | undefined
}

export interface SessionBehind {
  person: string
  /** Empty without one. */
  vehicleId: string
  startedAt: Temporal.Instant
  seconds: number
  meters: number
  travelSeconds: number
  idleSeconds: number
  stopSeconds: number
  /** Null where another session of the day has it. */
  shiftSeconds: number | null
  loadUsed: number | null
}

export interface AlarmBehind {
  person: string
  kind: "speeding" | "harshDriving"
  /** As the tracker names it, such as harsh-braking. */
  alarm: string
  recordedAt: Temporal.Instant
  /** Null without a fix. */
  lat: number | null
  lng: number | null
}

interface Listed<Row> {
  rows: Row[]
  count: number
}

/** The sessions that figures count, the newest first. */
export async function sessionsBehind(
  sql: Sql,
  behind: Behind & { vehicleId: string | undefined },
  page: PageOptions,
): Promise<Listed<SessionBehind>> {
  const { vehicleId } = behind
  const condition = sql`${ofFigure(sql, behind)} ${vehicleId === undefined ? sql`` : sql`and vehicle_id = ${vehicleId}`}`
  const [counted] = await sql<{ count: number }[]>`
    select count(*)::int as count from attended_sessions where ${condition}`
  const rows = await sql<SessionBehind[]>`
    select person, vehicle_id, at as started_at, seconds, meters, times[1] as travel_seconds, times[2] as idle_seconds,
      times[3] as stop_seconds, shift_seconds, load_used
    from (
      -- Times are computed for the rows of the page alone, once.
      select * from attended_sessions where ${condition} order by at desc, person limit ${page.limit} offset ${page.offset}
    ) sessions order by at desc, person`
  return { rows, count: counted?.count ?? 0 }
}

/** The alarms that figures count, the newest first. */
export async function alarmsBehind(
  sql: Sql,
  behind: Behind & { kind: string | undefined },
  page: PageOptions,
): Promise<Listed<AlarmBehind>> {
  const { kind } = behind
  const condition = sql`${ofFigure(sql, behind)} ${kind === undefined ? sql`` : sql`and kind = ${kind}`}`
  const [counted] = await sql<{ count: number }[]>`
    select count(*)::int as count from driving_alarms where ${condition}`
  const rows = await sql<AlarmBehind[]>`
    select person, kind, alarm, at as recorded_at, lat, lng from driving_alarms where ${condition}
    order by at desc, person, alarm limit ${page.limit} offset ${page.offset}`
  return { rows, count: counted?.count ?? 0 }
}

function ofFigure(sql: Sql, { organizationId, timeZone, people, weekday, hour, ...span }: Behind): Fragment {
  const local = sql`(at at time zone ${timeZone})`
  return sql`organization_id = ${organizationId} and ${inSpan(sql, sql`at`, span)}
    ${people === undefined ? sql`` : sql`and person = any (${[...people]})`}
    ${weekday === undefined ? sql`` : sql`and extract(isodow from ${local}) = ${weekday}`}
    ${hour === undefined ? sql`` : sql`and extract(hour from ${local}) = ${hour}`}`
}
