import { inTransaction, type Pool, type Sql } from "#core/database/database.ts"
import { distanceMeters } from "#packages/geodesy/geodesy.ts"
import { readTrack } from "../read-track.ts"
import { idleMetersPerSecond } from "../track/movement.ts"
import { judgeTrack, verdicts } from "../track/plausibility.ts"
import type { SentPoint } from "../track/session-totals.ts"
import { orderedTrack } from "../track/track.ts"

export interface FinishedSession {
  organizationId: string
  organizationNumber: number
  personNumber: number
  email: string
  id: string
  startedAt: Temporal.Instant
  finishedAt: Temporal.Instant
}

/** From one moment to just before another, in epoch milliseconds. */
export type TimeSpan = readonly [from: number, until: number]

/** What a session was with a vehicle. */
export interface VehicleUse {
  vehicleId: string
  /** Breaks, and what is outside of the working time. */
  offDuty: readonly TimeSpan[]
  /** The day of the working time, and how long it is without its break. */
  shiftOn: string
  shiftSeconds: number
  /** Of the capacity that was used most; null without loads or capacities. */
  loadUsed: number | null
}

/** Finished sessions whose use is not known yet, or no longer right; the newest first. */
export function uncountedSessions(sql: Sql, limit: number): Promise<FinishedSession[]> {
  return sql<FinishedSession[]>`
    select o.id as organization_id, s.organization_number, s.person_number, coalesce(u.email, '') as email, s.id, s.started_at,
      s.finished_at
    from location_sessions s join organizations o on o.number = s.organization_number
    left join users u on u.organization_id = o.id and u.number = s.person_number
    where s.finished_at is not null and not s.is_counted order by s.finished_at desc limit ${limit}`
}

/**
 * Writes when somebody moved in a session, and what they drove. The row is locked meanwhile: positions that arrive are
 * counted before, or mark the session to be counted again afterwards.
 */
export async function writeSessionUse(
  sql: Pool,
  session: FinishedSession,
  readUse: (tx: Sql, session: FinishedSession) => Promise<VehicleUse | undefined>,
): Promise<void> {
  const { organizationNumber, personNumber, id } = session
  await inTransaction(sql, async (tx) => {
    const rows = await tx<Pick<FinishedSession, "startedAt" | "finishedAt">[]>`
      select started_at, finished_at from location_sessions
      where organization_number = ${organizationNumber} and id = ${id} and finished_at is not null and not is_counted
      for update skip locked`
    const times = rows[0]
    if (!times) return
    const current = { ...session, ...times }
    const use = await readUse(tx, current)
    const tenant = { organizationId: session.organizationId, organizationNumber }
    const { points } = await readTrack(tx, {
      ...{ tenant, personNumber },
      ...{ from: times.startedAt, to: times.finishedAt },
    })
    const moving = movingSpans(points)
    await tx`
      update location_sessions set is_counted = true, moving = ${moving === undefined ? null : multirange(moving)}::tstzmultirange,
        off_duty = ${multirange(use?.offDuty ?? [])}::tstzmultirange, vehicle_id = ${use?.vehicleId ?? null},
        shift_on = ${use?.shiftOn ?? null}::date, shift_seconds = ${use?.shiftSeconds ?? null}, load_used = ${use?.loadUsed ?? null}
      where organization_number = ${organizationNumber} and id = ${id}`
  })
}

/** A session that cannot be counted must not be tried again each minute. */
export async function skipSessionUse(sql: Sql, { organizationNumber, id }: FinishedSession): Promise<void> {
  await sql`
    update location_sessions set is_counted = true where organization_number = ${organizationNumber} and id = ${id}`
}

/** Positions of somebody who stands scatter: what counts is how far they came within this. */
const stepMilliseconds = 60_000

/**
 * When somebody moved: between plausible positions at least a minute apart, farther than somebody who stands. Undefined with
 * fewer than two positions, which say nothing.
 */
function movingSpans(points: readonly SentPoint[]): TimeSpan[] | undefined {
  if (points.length < 2) return undefined
  const judged = judgeTrack(orderedTrack(points))
  const spans: [number, number][] = []
  let anchor: SentPoint | undefined
  for (const [index, point] of points.entries()) {
    const verdict = judged[index]
    if (verdict !== verdicts.plausible && verdict !== verdicts.restart) continue
    if (!anchor || verdict === verdicts.restart) {
      anchor = point
      continue
    }
    const milliseconds = point.recordedAt - anchor.recordedAt
    if (milliseconds < stepMilliseconds) continue
    if (distanceMeters(anchor.position, point.position) >= (idleMetersPerSecond * milliseconds) / 1000) {
      const last = spans.at(-1)
      if (last?.[1] === anchor.recordedAt) last[1] = point.recordedAt
      else spans.push([anchor.recordedAt, point.recordedAt])
    }
    anchor = point
  }
  return spans
}

function multirange(spans: readonly TimeSpan[]): string {
  const text = (at: number) => new Date(at).toISOString()
  return `{${spans.map(([from, until]) => `[${text(from)},${text(until)})`).join(",")}}`
}
