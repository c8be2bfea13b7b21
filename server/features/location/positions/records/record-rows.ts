import type { Fragment, Sql } from "#core/database/database.ts"
import { toT3 } from "#shared/wire-time.ts"
import type { WireLocation } from "../schemas.ts"
import type { Tenant } from "../store/people.ts"
import { defaultSource, eventOf, sourceOf } from "../thinning/point-codes.ts"
import { pointId } from "./record-id.ts"

/** What a point carries besides its columns. */
export interface PointExtra {
  /** The id that it had before it was given to another person. */
  id?: string
  notes?: string
  data?: Record<string, unknown>
  createdFrom?: string
  updatedBy?: string
  updatedTime?: string
  /** What a device protocol sent besides the common fields. */
  device?: Record<string, unknown>
}

export interface FinishRow {
  at: string
  lat: number
  lng: number
  notes: string | null
  distance: number | null
  duration: number | null
  minutes: number | null
  isRecalculated: boolean
}

/** A point or a session, with what reads show of both. */
export interface RecordRow {
  kind: "point" | "session"
  personNumber: number
  email: string
  fingerprint: number | null
  sessionId: string | null
  recordedAt: Temporal.Instant
  receivedAt: Temporal.Instant
  startedAt: Temporal.Instant | null
  updatedAt: Temporal.Instant | null
  lat: number
  lng: number
  speed: number | null
  distance: number | null
  duration: number | null
  distanceToDestination: number | null
  accuracy: number | null
  battery: number | null
  source: number | null
  event: number | null
  taskId: string | null
  extra: PointExtra | null
  finish: FinishRow | null
  createdBy: string | null
  updatedBy: string | null
  isLatest: boolean
}

export function pointColumns(sql: Sql): Fragment {
  return sql`'point' as kind, p.organization_number, p.person_number, p.fingerprint, null::text as session_id, p.recorded_at,
    p.received_at, null::timestamptz as started_at, null::timestamptz as updated_at, p.lat, p.lng, p.speed, p.distance,
    p.duration, p.distance_to_destination, p.accuracy, p.battery, p.source, p.event, p.task_id, p.extra,
    null::jsonb as finish, p.created_by as writer, null::text as created_by, null::text as updated_by`
}

export function sessionColumns(sql: Sql): Fragment {
  return sql`'session' as kind, s.organization_number, s.person_number, null::int as fingerprint, s.id as session_id,
    s.recorded_at, s.received_at, s.started_at, s.updated_at, s.lat, s.lng, s.speed, s.distance, s.duration,
    null::real as distance_to_destination, null::real as accuracy, null::smallint as battery, null::smallint as source,
    s.event, s.task_id, jsonb_strip_nulls(jsonb_build_object('notes', s.notes, 'createdFrom', s.created_from)) ||
      case when s.data is null then '{}' else jsonb_build_object('data', s.data) end as extra,
    case when s.finished_at is null then null else jsonb_build_object('at', s.finished_at, 'lat', s.finish_lat,
      'lng', s.finish_lng, 'notes', s.finish_notes, 'distance', s.total_distance, 'duration', s.total_duration,
      'minutes', s.tracked_minutes, 'isRecalculated', s.is_recalculated) end as finish,
    null::int as writer, s.created_by, s.updated_by`
}

/** Completes rows of the two column lists above, named `record`, with e-mail, writer and isLatest. */
export function completeRecords(sql: Sql, tenant: Tenant, records: Fragment): Fragment {
  return sql`
    select record.kind, record.person_number, coalesce(person.email, newest.email, '') as email, record.fingerprint,
      record.session_id, record.recorded_at, record.received_at, record.started_at, record.updated_at, record.lat,
      record.lng, record.speed, record.distance, record.duration, record.distance_to_destination, record.accuracy,
      record.battery, record.source, record.event, record.task_id, record.extra, record.finish,
      coalesce(record.created_by, writer.email, person.email, newest.email) as created_by, record.updated_by,
      coalesce(case record.kind
        when 'point' then newest.recorded_at = record.recorded_at and newest.fingerprint = record.fingerprint
        else newest.session_id = record.session_id and record.finish is null end, false) as is_latest
    from (${records}) as record
    left join person_positions newest
      on newest.organization_number = record.organization_number and newest.person_number = record.person_number
    left join users person
      on person.organization_id = ${tenant.organizationId} and person.number = record.person_number
    left join users writer
      on writer.organization_id = ${tenant.organizationId} and writer.number = record.writer`
}

export function toWireLocation(row: RecordRow, tenant: Tenant): WireLocation {
  const { extra, finish } = row
  const time = row.receivedAt.epochMilliseconds
  const device = extra?.device
  return {
    _id: row.sessionId ?? extra?.id ?? pointId(tenant.organizationId, row.email, time),
    organizationId: tenant.organizationId,
    email: row.email,
    taskId: row.taskId ?? "",
    lat: row.lat,
    lon: row.lng,
    speed: row.speed ?? 0,
    distance: row.distance ?? 0,
    distanceToDest: row.distanceToDestination,
    duration: row.duration ?? 0,
    notes: extra?.notes ?? null,
    eventName: eventOf(row.event),
    isLatest: row.isLatest,
    time,
    ...(row.startedAt ? { startTime: toT3(row.startedAt) } : {}),
    ...(row.kind === "session"
      ? { ...(finish ? { trackedTime: finish.minutes ?? 0 } : {}), finish: toWireFinish(finish) }
      : {}),
    createdFrom: sourceOf(row.source) ?? extra?.createdFrom ?? defaultSource,
    ...(extra?.data ? { data: extra.data } : device ? { data: device } : {}),
    createdTime: toT3(row.recordedAt),
    updatedTime: extra?.updatedTime ?? toT3(row.updatedAt ?? row.receivedAt),
    createdBy: row.createdBy,
    updatedBy: extra?.updatedBy ?? row.updatedBy,
  }
}

function toWireFinish(finish: FinishRow | null) {
  if (!finish) return null
  return {
    lat: finish.lat,
    lon: finish.lng,
    finishTime: toT3(Temporal.Instant.from(finish.at)),
    notes: finish.notes,
    totalDistance: finish.distance ?? 0,
    totalDuration: finish.duration ?? 0,
    isRecalculate: finish.isRecalculated ? 1 : 0,
  }
}
