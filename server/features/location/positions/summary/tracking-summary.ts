import type { Caller } from "#core/access/caller.ts"
import { inCallersHubs } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import type { RoadSupply } from "../../roads/index.ts"
import { readSimplifiedTrack } from "../read-simplified-track.ts"
import { type ReadPoint, readTrack, type TrackOptions, trackConditions } from "../read-track.ts"
import { keptSince } from "../settings.ts"
import { isInSight } from "../sharing/visible-people.ts"
import { type Tenant, tenantOf } from "../store/people.ts"
import { defaultSource, sourceOf } from "../thinning/point-codes.ts"
import { judgeTrack, verdicts } from "../track/plausibility.ts"
import { type SessionSpan, travelledTotals } from "../track/session-totals.ts"
import { orderedTrack } from "../track/track.ts"
import { roadLegs } from "./road-distances.ts"

export interface SummaryOptions {
  hubId: string
  from: Temporal.Instant
  to: Temporal.Instant
  timeBy: "createdTime" | "startTime" | "doneTime" | undefined
  createdFrom: string | undefined
  email: string | undefined
  /** Where roads come from when distances are wanted along roads. */
  snapWith: RoadSupply
  now: Temporal.Instant
}

export interface PersonSummary {
  doneTask: number
  ongoingTask: number
  distance: number
  duration: number
}

/** Tasks done and distances travelled by the people of a hub, for the tracking page. */
export async function summarizeHub(sql: Sql, caller: Caller, options: SummaryOptions) {
  const tenant = tenantOf(caller)
  const people = await sql<{ number: number; email: string }[]>`
    select number, email from users
    where organization_id = ${tenant.organizationId} and ${isInSight(sql, caller)}
      and exists (select from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id
        and h.hub_id = ${options.hubId})
      ${options.email === undefined ? sql`` : sql`and email = ${options.email}`}
    order by email`
  const counts = await taskCounts(sql, tenant, options)
  const counting: Record<string, PersonSummary> = {}
  for (const { number, email } of people) {
    const { done = 0, ongoing = 0 } = counts.get(email) ?? {}
    const travel =
      done + ongoing > 0 ? await travelled(sql, tenant, number, options) : { distance: 0, duration: 0 }
    counting[email] = { doneTask: done, ongoingTask: ongoing, ...travel }
  }
  const sum = (read: (person: PersonSummary) => number) =>
    Math.round(Object.values(counting).reduce((total, person) => total + read(person), 0) * 1000) / 1000
  const [doneTotal, ongoingTotal] = [sum((person) => person.doneTask), sum((person) => person.ongoingTask)]
  return {
    doneTotal,
    ongoingTotal,
    taskTotal: doneTotal + ongoingTotal,
    totalDistance: sum((person) => person.distance),
    totalDuration: sum((person) => person.duration),
    counting,
    createdFrom: await sources(
      sql,
      tenant,
      people.map((person) => person.number),
      options,
    ),
  }
}

export async function hubExists(sql: Sql, caller: Caller, hubId: string): Promise<boolean> {
  const rows = await sql`
    select from hubs where organization_id = ${caller.organizationId} and id = ${hubId}
      and ${inCallersHubs(sql, caller, sql`hubs.id`)}`
  return rows.length > 0
}

/** Done tasks count by the time they were done and ongoing ones by their start, unless `timeBy` names one for both. */
async function taskCounts(
  sql: Sql,
  tenant: Tenant,
  { hubId, from, to, timeBy }: SummaryOptions,
): Promise<Map<string, { done: number; ongoing: number }>> {
  const column =
    timeBy === undefined
      ? sql`case status when 'DONE' then done_time else start_time end`
      : { createdTime: sql`created_time`, startTime: sql`start_time`, doneTime: sql`done_time` }[timeBy]
  const rows = await sql<{ email: string; done: number; ongoing: number }[]>`
    select email, count(*) filter (where status = 'DONE') as done, count(*) filter (where status = 'ONGOING') as ongoing
    from tasks cross join lateral unnest(assignee) as email
    where organization_id = ${tenant.organizationId} and hub_id = ${hubId} and status in ('DONE', 'ONGOING')
      and ${column} between ${from} and ${to}
    group by email`
  return new Map(rows.map(({ email, ...counts }) => [email, counts]))
}

async function travelled(
  sql: Sql,
  tenant: Tenant,
  personNumber: number,
  { from, to, createdFrom, snapWith }: SummaryOptions,
): Promise<{ distance: number; duration: number }> {
  const options = { tenant, personNumber, from, to, createdFrom }
  const { points, isSampled } = await readTrack(sql, options)
  const sessions = await sql<{ startedAt: Temporal.Instant; finishedAt: Temporal.Instant | null }[]>`
    select started_at, finished_at from location_sessions
    where organization_number = ${tenant.organizationNumber} and person_number = ${personNumber}
      and started_at <= ${to} and (finished_at is null or finished_at >= ${from})`
  const spans: SessionSpan[] = sessions.map((row) => ({
    startedAt: row.startedAt.epochMilliseconds,
    finishedAt: row.finishedAt?.epochMilliseconds,
  }))
  const totals = travelledTotals(points, spans)
  const snapped = snapWith && !isSampled ? await snappedKilometers(points, snapWith) : undefined
  if (!isSampled) return { distance: snapped ?? totals.distanceKilometers, duration: totals.durationMinutes }
  return {
    distance: await wholeKilometers(sql, options),
    duration: spans.length === 0 ? await sentMinutes(sql, options) : totals.durationMinutes,
  }
}

/** For a span of any length, over every plausible point. */
async function wholeKilometers(sql: Sql, options: TrackOptions): Promise<number> {
  const { along } = await readSimplifiedTrack(sql, options, summaryZoom)
  return Math.round(along.at(-1) ?? 0) / 1000
}

/** Any value works: distances are measured before simplification. */
const summaryZoom = 10

async function sentMinutes(sql: Sql, options: TrackOptions): Promise<number> {
  const rows = await sql<{ minutes: number | null }[]>`
    select sum(p.duration::float8) as minutes from location_points p where ${trackConditions(sql, options)}`
  return Math.round((rows[0]?.minutes ?? 0) * 1000) / 1000
}

/** Undefined when the engine fails: the great-circle distance then counts. */
async function snappedKilometers(
  points: readonly ReadPoint[],
  roads: RoadSupply,
): Promise<number | undefined> {
  const judged = judgeTrack(orderedTrack(points))
  const travelledPoints = points
    .filter((_, index) => judged[index] === verdicts.plausible || judged[index] === verdicts.restart)
    .map((point) => ({ position: point.position, at: point.recordedAt }))
  const batches = await roadLegs(travelledPoints, roads)
  if (batches.some((batch) => !batch.status)) return undefined
  const kilometers = batches.flatMap((batch) => batch.data).reduce((sum, leg) => sum + leg.distance, 0)
  return Math.round(kilometers * 1000) / 1000
}

async function sources(
  sql: Sql,
  tenant: Tenant,
  numbers: readonly number[],
  { from, to, now }: SummaryOptions,
): Promise<string[]> {
  const rows = await sql<{ source: number | null; label: string | null }[]>`
    select distinct p.source, p.extra ->> 'createdFrom' as label from location_points p
    where p.organization_number = ${tenant.organizationNumber} and p.person_number = any (${numbers as number[]})
      and p.recorded_at between greatest(${from}::timestamptz, ${keptSince(sql, tenant, now)}) and ${to}`
  return [...new Set(rows.map((row) => sourceOf(row.source) ?? row.label ?? defaultSource))].sort()
}
