import {
  afterCommit,
  databaseErrorOf,
  inTransaction,
  json,
  type Sql,
  type Tx,
} from "#core/database/database.ts"
import { emit } from "#core/domain-events.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { locationErrors } from "../errors.ts"
import { sessionId } from "../records/record-id.ts"
import { completeRecords, type RecordRow, sessionColumns, toWireLocation } from "../records/record-rows.ts"
import { defaultSource, eventCodes } from "../thinning/point-codes.ts"
import { type SentPoint, type SessionTotals, sessionTotals } from "../track/session-totals.ts"
import type { LocationEntry } from "./location-entry.ts"
import type { Tenant, TrackedPerson } from "./people.ts"
import { upsertPeople } from "./upsert-people.ts"

export interface SessionContext {
  tenant: Tenant
  live: LiveEvents
  now: Temporal.Instant
  /** E-mail of the caller. */
  writer: string
}

interface SessionRow {
  id: string
  startedAt: Temporal.Instant
  lat: number
  lng: number
}

/** Opens a session, closes the open one, or stores a whole one. Returns the record's id. */
export async function recordSession(
  tx: Tx,
  context: SessionContext,
  person: TrackedPerson,
  entry: LocationEntry,
): Promise<string> {
  if (entry.startedAt !== null) return startSession(tx, context, person, entry, entry.startedAt)
  return finishSession(tx, context, person, entry, entry.finishedAt ?? entry.recordedAt)
}

async function startSession(
  tx: Tx,
  context: SessionContext,
  person: TrackedPerson,
  entry: LocationEntry,
  startedAt: number,
): Promise<string> {
  const { tenant } = context
  if (entry.finishedAt !== null && entry.finishedAt < startedAt) throw locationErrors.finishBeforeStart()
  // The person's row is the lock under which their sessions begin and end.
  const { time } = await touchPerson(
    tx,
    context,
    person,
    entry,
    sessionId(tenant.organizationId, person.email, startedAt),
  )
  const same = await tx<{ id: string }[]>`
    select id from location_sessions
    where organization_number = ${tenant.organizationNumber} and person_number = ${person.number}
      and started_at = to_timestamp(${startedAt}::float8 / 1000.0) and lat = ${entry.lat} and lng = ${entry.lng}`
  // A phone that received no response sends its start again.
  if (same[0]) return same[0].id
  const open = await tx`
    select from location_sessions
    where organization_number = ${tenant.organizationNumber} and person_number = ${person.number} and finished_at is null`
  if (open.length > 0)
    throw locationErrors.badState({
      message: "A session is already open. Finish it before starting another",
    })
  const id = await insertSession(tx, context, person, entry, startedAt, time)
  if (entry.finishedAt !== null) await closeSession(tx, context, person, id, entry, entry.finishedAt)
  else await announce(tx, context, person, id, "started")
  return id
}

async function finishSession(
  tx: Tx,
  context: SessionContext,
  person: TrackedPerson,
  entry: LocationEntry,
  finishedAt: number,
): Promise<string> {
  const { tenant } = context
  const rows = await tx<SessionRow[]>`
    select id, started_at, lat, lng from location_sessions
    where organization_number = ${tenant.organizationNumber} and person_number = ${person.number} and finished_at is null
    for update`
  const open = rows[0]
  if (!open) {
    const same = await tx<{ id: string }[]>`
      select id from location_sessions
      where organization_number = ${tenant.organizationNumber} and person_number = ${person.number}
        and finished_at = to_timestamp(${finishedAt}::float8 / 1000.0) and finish_lat = ${entry.lat} and finish_lng = ${entry.lng}`
    if (same[0]) return same[0].id
    throw locationErrors.badState({ message: "There is no open session to finish. Start one first" })
  }
  if (finishedAt < open.startedAt.epochMilliseconds) throw locationErrors.finishBeforeStart()
  await closeSession(tx, context, person, open.id, entry, finishedAt)
  return open.id
}

async function closeSession(
  tx: Tx,
  context: SessionContext,
  person: TrackedPerson,
  id: string,
  entry: LocationEntry,
  finishedAt: number,
): Promise<void> {
  const { tenant, now, writer } = context
  const { finishDistance, finishReview } = entry.data ?? {}
  const review = finishReview === undefined ? null : { finishDistance, finishReview }
  await tx`
    update location_sessions set finished_at = to_timestamp(${finishedAt}::float8 / 1000.0), finish_lat = ${entry.lat},
      finish_lng = ${entry.lng}, finish_notes = ${entry.startedAt === null ? entry.notes : null},
      data = case when ${review === null} then data else coalesce(data, '{}') || ${json(tx, review ?? {})} end,
      updated_at = ${now}, updated_by = ${writer}
    where organization_number = ${tenant.organizationNumber} and id = ${id}`
  await writeTotals(tx, tenant, id)
  // The map shows where they finished, unless something newer is known.
  await tx`
    update person_positions set recorded_at = to_timestamp(${finishedAt}::float8 / 1000.0), lat = ${entry.lat},
      lng = ${entry.lng}, session_id = ${id}, fingerprint = null, speed = null, accuracy = null, altitude = null,
      bearing = null, xid = pg_current_xact_id()
    where organization_number = ${tenant.organizationNumber} and person_number = ${person.number}
      and recorded_at <= to_timestamp(${finishedAt}::float8 / 1000.0)`
  await announce(tx, context, person, id, "finished")
}

/** Computes the totals of a finished session from the points that are there now. */
export async function writeTotals(tx: Sql, tenant: Tenant, id: string): Promise<SessionTotals | undefined> {
  const rows = await tx<
    (SessionRow & {
      personNumber: number
      finishedAt: Temporal.Instant
      finishLat: number
      finishLng: number
    })[]
  >`
    select id, person_number, started_at, lat, lng, finished_at, finish_lat, finish_lng from location_sessions
    where organization_number = ${tenant.organizationNumber} and id = ${id} and finished_at is not null`
  const session = rows[0]
  if (!session) return undefined
  const points = await pointsBetween(tx, tenant, session.personNumber, session.startedAt, session.finishedAt)
  const totals = sessionTotals(
    { at: session.startedAt.epochMilliseconds, position: [session.lng, session.lat] },
    { at: session.finishedAt.epochMilliseconds, position: [session.finishLng, session.finishLat] },
    points,
  )
  await tx`
    update location_sessions set total_distance = ${totals.totalDistanceKilometers},
      total_duration = ${totals.totalDurationMinutes}, tracked_minutes = ${totals.trackedMinutes}, is_recalculated = false
    where organization_number = ${tenant.organizationNumber} and id = ${id}`
  return totals
}

/** Recounts the finished sessions that reach to or beyond a device time; distances unless roads were measured. */
export async function refreshSessions(
  sql: Sql,
  tenant: Tenant,
  personNumber: number,
  from: Temporal.Instant,
): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    select id from location_sessions
    where organization_number = ${tenant.organizationNumber} and person_number = ${personNumber}
      and finished_at >= ${from} and not is_recalculated`
  for (const { id } of rows) await writeTotals(sql, tenant, id)
  await sql`
    update location_sessions set is_counted = false
    where organization_number = ${tenant.organizationNumber} and person_number = ${personNumber} and finished_at >= ${from} and is_counted`
}

interface MeasuredRow {
  at: number
  lat: number
  lng: number
  accuracy: number | null
  distance: number | null
  duration: number | null
}

/** A person's points of a time span, both ends included, in time order. */
export async function pointsBetween(
  sql: Sql,
  tenant: Tenant,
  personNumber: number,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<SentPoint[]> {
  const rows = await sql<MeasuredRow[]>`
    select extract(epoch from recorded_at)::float8 * 1000 as at, lat, lng, accuracy, distance, duration from location_points
    where organization_number = ${tenant.organizationNumber} and person_number = ${personNumber}
      and recorded_at between ${from} and ${to}
    order by recorded_at`
  return rows.map((row) => ({
    recordedAt: Math.round(row.at),
    position: [row.lng, row.lat] as const,
    accuracyMeters: row.accuracy ?? undefined,
    sentDistanceKilometers: row.distance ?? undefined,
    sentDurationMinutes: row.duration ?? undefined,
  }))
}

/** Takes a time of receipt and moves the newest position to the start, if it is newer. */
async function touchPerson(
  tx: Tx,
  { tenant, now }: SessionContext,
  person: TrackedPerson,
  entry: LocationEntry,
  id: string,
): Promise<{ time: number }> {
  const { recordedAt, lat, lng, speed, taskId } = entry
  const newest = { recordedAt, lat, lng, speed, taskId, sessionId: id }
  const change = { person, count: 1, newest, oldest: recordedAt }
  const rows = await tx<{ lastTime: number }[]>`${upsertPeople(tx, tenant, [change], now.epochMilliseconds)}`
  return { time: rows[0]?.lastTime ?? now.epochMilliseconds }
}

/** Ids have the start to the second; a second start within it takes the next free one. */
async function insertSession(
  tx: Tx,
  { tenant, writer }: SessionContext,
  person: TrackedPerson,
  entry: LocationEntry,
  startedAt: number,
  time: number,
): Promise<string> {
  for (let shift = 0; ; shift += 1000) {
    const id = sessionId(tenant.organizationId, person.email, startedAt + shift)
    try {
      await inTransaction(
        tx,
        (savepoint) => savepoint`
          insert into location_sessions (organization_number, person_number, id, received_at, recorded_at, started_at,
            lat, lng, speed, distance, duration, task_id, event, notes, created_from, data, created_by, updated_at)
          values (${tenant.organizationNumber}, ${person.number}, ${id}, to_timestamp(${time}::bigint / 1000.0),
            to_timestamp(${entry.recordedAt}::float8 / 1000.0), to_timestamp(${startedAt}::float8 / 1000.0), ${entry.lat},
            ${entry.lng}, ${entry.speed}, ${entry.distance}, ${entry.duration}, ${entry.taskId},
            ${entry.event === null ? eventCodes.otw : eventCodes[entry.event]}, ${entry.notes},
            ${entry.createdFrom === defaultSource ? null : entry.createdFrom}, ${entry.data === null ? null : json(tx, entry.data)},
            ${writer}, to_timestamp(${time}::bigint / 1000.0))`,
      )
    } catch (error) {
      const constraint = databaseErrorOf(error)?.constraint
      if (constraint !== "location_sessions_pkey" || shift > 60_000) throw error
      continue
    }
    if (shift > 0)
      await tx`
        update person_positions set session_id = ${id}
        where organization_number = ${tenant.organizationNumber} and person_number = ${person.number}
          and session_id = ${sessionId(tenant.organizationId, person.email, startedAt)}`
    return id
  }
}

async function announce(
  tx: Tx,
  { tenant, live }: SessionContext,
  person: TrackedPerson,
  id: string,
  what: "started" | "finished",
): Promise<void> {
  await publish(tx, live, what === "started" ? "trip.started" : "trip.finished", {
    organizationId: tenant.organizationId,
    emails: [person.email],
    content: { locationHistoryId: id, userId: person.userId },
  })
  const [row] = await tx<RecordRow[]>`${completeRecords(
    tx,
    tenant,
    tx`select ${sessionColumns(tx)} from location_sessions s
      where s.organization_number = ${tenant.organizationNumber} and s.id = ${id}`,
  )}`
  if (row) {
    // The event has the same keys for every trip, and not all of those of the record.
    const { createdFrom: _from, trackedTime: _minutes, data: _data, ...trip } = toWireLocation(row, tenant)
    await emit(tx, live, tenant.organizationId, what === "started" ? "onStartTrip" : "onFinishTrip", [
      { referenceId: id, hubId: null, record: { finish: null, ...trip } },
    ])
  }
  afterCommit(tx, () => live.wake())
}
