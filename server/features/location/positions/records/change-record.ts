import { type Caller, may } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { databaseErrorOf, inTransaction, json, type Sql, type Tx } from "#core/database/database.ts"
import { toT3 } from "#shared/wire-time.ts"
import { locationErrors } from "../errors.ts"
import { keptDays } from "../settings.ts"
import {
  checkKept,
  type Retention,
  readAmount,
  readData,
  readEmail,
  readPlace,
  readText,
  readTime,
} from "../store/location-entry.ts"
import { moveNewestBack, noteChange } from "../store/newest.ts"
import { findMembers, type TrackedPerson, tenantOf } from "../store/people.ts"
import { fingerprintOf } from "../store/store-points.ts"
import { defaultSource, sourceCodeOf, sourceOf } from "../thinning/point-codes.ts"
import { findAnyRecord, findRecord } from "./find-record.ts"
import { pointId } from "./record-id.ts"
import type { PointExtra, RecordRow } from "./record-rows.ts"

/** What a change may write. Undefined: stays as it is. */
interface Change {
  email?: string
  lat?: number
  lng?: number
  taskId?: string | null
  speed?: number | null
  distance?: number | null
  duration?: number | null
  notes?: string | null
  createdFrom?: string | null
  data?: Record<string, unknown> | null
  recordedAt?: number
  /** Epoch milliseconds that replace the time of receipt. */
  time?: number
}

export interface ChangeContext {
  now: Temporal.Instant
  address: string
}

/** Reads the body of a PUT: what is not sent is emptied. */
export function readReplacement(body: unknown, retention: Retention): Change {
  const fields = objectOf(body)
  const email = readEmail(fields.email)
  if (email === null) throw locationErrors.required({ message: "email is required" })
  const place = readPlace(fields.lat, fields.lon)
  return {
    email,
    ...place,
    taskId: null,
    speed: null,
    distance: null,
    duration: null,
    notes: null,
    createdFrom: null,
    data: null,
    ...readRest(fields, retention),
  }
}

/** Reads the body of a PATCH: what is not sent stays. */
export function readPatch(body: unknown, current: RecordRow, retention: Retention): Change {
  const fields = objectOf(body)
  const email = readEmail(fields.email)
  const hasPlace = fields.lat !== undefined || fields.lon !== undefined
  return {
    ...(email === null ? {} : { email }),
    ...(hasPlace ? readPlace(fields.lat ?? current.lat, fields.lon ?? current.lng) : {}),
    ...readRest(fields, retention),
  }
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw locationErrors.badObject({ message: "The body must be a JSON object" })
  return body as Record<string, unknown>
}

function readRest(fields: Readonly<Record<string, unknown>>, retention: Retention): Change {
  const recordedAt = readTime("createdTime", fields.createdTime)
  if (recordedAt !== null) checkKept("createdTime", recordedAt, retention)
  const sent = <T>(name: string, value: () => T): { [key: string]: T } =>
    fields[name] === undefined ? {} : { [name]: value() }
  return {
    ...sent("taskId", () => readText("taskId", fields.taskId, 200) || null),
    ...sent("speed", () => readAmount("speed", fields.speed)),
    ...sent("distance", () => readAmount("distance", fields.distance)),
    ...sent("duration", () => readAmount("duration", fields.duration)),
    ...sent("notes", () => readText("notes", fields.notes, 10_000)),
    ...sent("createdFrom", () => readText("createdFrom", fields.createdFrom, 200) || null),
    ...sent("data", () => readData(fields.data)),
    ...(recordedAt === null ? {} : { recordedAt }),
    ...(fields.time === undefined || fields.time === null
      ? {}
      : { time: readReceipt(fields.time, retention) }),
  }
}

function readReceipt(raw: unknown, retention: Retention): number {
  const time = typeof raw === "string" && /^\d{1,15}$/.test(raw) ? Number(raw) : raw
  if (typeof time !== "number" || !Number.isInteger(time))
    throw locationErrors.badNumber({ message: "time must be epoch milliseconds" })
  checkKept("time", time, retention)
  return time
}

export const changeRetention = (now: Temporal.Instant): Retention => ({
  now: now.epochMilliseconds,
  retentionDays: keptDays,
})

/** The record to change: 404 when the caller cannot see it, 403 when they may only look. */
export async function findChangeable(
  sql: Sql,
  caller: Caller,
  id: string,
  now: Temporal.Instant,
): Promise<RecordRow> {
  const row = await findRecord(sql, caller, id, now)
  if (!row) throw locationErrors.notFound()
  checkOwn(caller, row.personNumber === caller.userNumber)
  return row
}

export function checkOwn(caller: Caller, isOwn: boolean): void {
  if (!isOwn && !may(caller, "edit/member"))
    throw locationErrors.forbidden({
      message:
        "You can only change your own positions. Changing other people's positions requires the permission edit/member",
    })
}

/** The id of the newest record (by receipt) of an e-mail at a device time. */
export async function findByTime(
  sql: Sql,
  caller: Caller,
  email: string,
  createdAt: number,
): Promise<{ id: string } | undefined> {
  const tenant = tenantOf(caller)
  const [member] = (await findMembers(sql, tenant, [email])).values()
  if (!member) return undefined
  const ofMember = sql`organization_number = ${tenant.organizationNumber} and person_number = ${member.number}
    and recorded_at >= to_timestamp(${createdAt}::float8 / 1000.0)
    and recorded_at < to_timestamp(${createdAt}::float8 / 1000.0) + interval '1 second'`
  const rows = await sql<{ id: string | null; receivedAt: Temporal.Instant }[]>`
    select id, received_at from (
      select extra ->> 'id' as id, received_at from location_points where ${ofMember}
      union all
      select id, received_at from location_sessions where ${ofMember}
    ) as record order by received_at desc limit 1`
  const row = rows[0]
  if (!row) return undefined
  return { id: row.id ?? pointId(tenant.organizationId, member.email, row.receivedAt.epochMilliseconds) }
}

/** Writes a change of a record. Its id stays, even when it is given to another person. */
export async function changeRecord(
  tx: Tx,
  caller: Caller,
  id: string,
  current: RecordRow,
  change: Change,
  context: ChangeContext,
): Promise<RecordRow> {
  const person = await personAfter(tx, caller, current, change)
  if (current.kind === "session") await updateSession(tx, caller, current, change, person, context)
  else await updatePoint(tx, caller, id, current, change, person, context)
  const tenant = tenantOf(caller)
  const at = Math.min(current.recordedAt.epochMilliseconds, change.recordedAt ?? Number.POSITIVE_INFINITY)
  for (const number of new Set([current.personNumber, person.number])) {
    await noteChange(tx, tenant, number, at)
    await moveNewestBack(tx, tenant, number)
  }
  await note(tx, caller, "location.update", id, current.email, context)
  const after = await findAnyRecord(tx, caller, id, context.now)
  if (!after) throw new Error("a record vanished in the transaction that wrote it")
  return after
}

/** Removes a record for good: positions have no trash. */
export async function removeRecord(
  tx: Tx,
  caller: Caller,
  id: string,
  current: RecordRow,
  context: ChangeContext,
): Promise<void> {
  const tenant = tenantOf(caller)
  if (current.kind === "session")
    await tx`delete from location_sessions where organization_number = ${tenant.organizationNumber} and id = ${current.sessionId}`
  else {
    await tx`delete from location_points where ${pointKey(tx, caller, current)}`
    await tx`
      insert into location_count_changes (organization_number, month, change)
      values (${tenant.organizationNumber}, date_trunc('month', ${current.recordedAt}::timestamptz), -1)`
  }
  await noteChange(tx, tenant, current.personNumber, current.recordedAt.epochMilliseconds)
  await moveNewestBack(tx, tenant, current.personNumber)
  await note(tx, caller, "location.delete", id, current.email, context)
}

async function note(
  tx: Tx,
  caller: Caller,
  action: string,
  id: string,
  email: string,
  context: ChangeContext,
): Promise<void> {
  await audit(tx, actorOf(caller, context.address), {
    action,
    targetType: "locationHistory",
    targetId: id,
    targetName: email,
  })
}

async function personAfter(
  tx: Tx,
  caller: Caller,
  current: RecordRow,
  change: Change,
): Promise<Pick<TrackedPerson, "number">> {
  if (change.email === undefined || change.email === current.email) return { number: current.personNumber }
  checkOwn(caller, change.email === caller.email)
  const person = (await findMembers(tx, caller, [change.email])).get(change.email)
  if (!person) throw locationErrors.badEmail()
  return person
}

function pointKey(tx: Tx, caller: Caller, row: RecordRow) {
  return tx`organization_number = ${caller.organizationNumber} and person_number = ${row.personNumber}
    and recorded_at = ${row.recordedAt} and fingerprint = ${row.fingerprint}`
}

async function updatePoint(
  tx: Tx,
  caller: Caller,
  id: string,
  current: RecordRow,
  change: Change,
  person: Pick<TrackedPerson, "number">,
  context: ChangeContext,
): Promise<void> {
  const label =
    change.createdFrom === undefined
      ? (sourceOf(current.source) ?? current.extra?.createdFrom ?? defaultSource)
      : (change.createdFrom ?? defaultSource)
  const source = sourceCodeOf(label) ?? null
  const [lat, lng] = [change.lat ?? current.lat, change.lng ?? current.lng]
  const { notes, data, createdFrom: _label, ...others } = current.extra ?? {}
  const changedNotes = change.notes === undefined ? notes : change.notes
  const changedData = change.data === undefined ? data : change.data
  const extra: PointExtra = {
    ...others,
    ...(person.number === current.personNumber && change.time === undefined ? {} : { id }),
    ...(changedNotes ? { notes: changedNotes } : {}),
    ...(changedData ? { data: changedData } : {}),
    ...(source === null && label !== defaultSource ? { createdFrom: label } : {}),
    updatedBy: caller.email,
    updatedTime: toT3(context.now),
  }
  const after = <K extends keyof Change & keyof RecordRow>(name: K) =>
    change[name] === undefined ? current[name] : change[name]
  const recordedAt = Temporal.Instant.fromEpochMilliseconds(
    change.recordedAt ?? current.recordedAt.epochMilliseconds,
  )
  const receivedAt = Temporal.Instant.fromEpochMilliseconds(
    change.time ?? current.receivedAt.epochMilliseconds,
  )
  try {
    await inTransaction(
      tx,
      (savepoint) => savepoint`
        update location_points set person_number = ${person.number}, recorded_at = ${recordedAt}, received_at = ${receivedAt},
          lat = ${lat}, lng = ${lng}, fingerprint = ${fingerprintOf(label, lat, lng)}, speed = ${after("speed")},
          distance = ${after("distance")}, duration = ${after("duration")}, task_id = ${after("taskId")}, source = ${source},
          extra = ${json(tx, extra)}
        where ${pointKey(tx, caller, current)}`,
    )
  } catch (error) {
    if (databaseErrorOf(error)?.code === "23505") throw locationErrors.sameExists({ cause: error })
    throw error
  }
}

async function updateSession(
  tx: Tx,
  caller: Caller,
  current: RecordRow,
  change: Change,
  person: Pick<TrackedPerson, "number">,
  context: ChangeContext,
): Promise<void> {
  const after = <K extends keyof Change & keyof RecordRow>(name: K) =>
    change[name] === undefined ? current[name] : change[name]
  const notes = change.notes === undefined ? (current.extra?.notes ?? null) : change.notes
  const data = change.data === undefined ? current.extra?.data : change.data
  const createdFrom =
    change.createdFrom === undefined ? (current.extra?.createdFrom ?? null) : change.createdFrom
  const recordedAt = Temporal.Instant.fromEpochMilliseconds(
    change.recordedAt ?? current.recordedAt.epochMilliseconds,
  )
  try {
    await inTransaction(
      tx,
      (savepoint) => savepoint`
        update location_sessions set person_number = ${person.number}, recorded_at = ${recordedAt},
          lat = ${change.lat ?? current.lat}, lng = ${change.lng ?? current.lng}, speed = ${after("speed")},
          distance = ${after("distance")}, duration = ${after("duration")}, task_id = ${after("taskId")}, notes = ${notes},
          data = ${data ? json(tx, data) : null}, created_from = ${createdFrom}, updated_by = ${caller.email},
          updated_at = ${context.now}
        where organization_number = ${caller.organizationNumber} and id = ${current.sessionId}`,
    )
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "location_sessions_open")
      throw locationErrors.badState({ message: "This person already has an open session", cause: error })
    throw error
  }
}
