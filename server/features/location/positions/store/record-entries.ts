import { type Caller, may } from "#core/access/caller.ts"
import { inTransaction, isPool, type Pool, type Sql } from "#core/database/database.ts"
import { AppError } from "#core/errors.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { normalizeEmail } from "../../../people/accounts/index.ts"
import { locationErrors } from "../errors.ts"
import { pointId } from "../records/record-id.ts"
import type { PointExtra } from "../records/record-rows.ts"
import { keepsOnlySessions, retentionDays } from "../settings.ts"
import { defaultSource, eventCodes, sourceCodeOf } from "../thinning/point-codes.ts"
import { alarmsOf, storeAlarms } from "./device-alarms.ts"
import { deviceAttributes } from "./device-attributes.ts"
import { sessionJudge } from "./inside-sessions.ts"
import { type LocationEntry, type Retention, readEntry } from "./location-entry.ts"
import { findMembers, type Tenant, type TrackedPerson, tenantOf } from "./people.ts"
import type { Recorder } from "./recorder.ts"
import { recordSession } from "./sessions.ts"
import { fingerprintOf, type NewPoint, type StoredPoint, storePoints } from "./store-points.ts"
import { assignTaskEvent, findTaskPlaces, type TaskPlaces } from "./task-events.ts"
import { outsideRadius, type TripRadius, tripRadiusOf } from "./trip-radius.ts"

/** Must not wait: it is called before the response. `alarmed` is the organization whose device sent an alarm. */
export type OnPointsStored = (sql: Pool, alarmed?: string) => void

export interface WriteContext {
  pool: Pool
  /** The transaction of the request, when it has one. */
  sql: Sql
  recorder: Recorder
  onPointsStored: OnPointsStored
  live: LiveEvents
  now: Temporal.Instant
}

/** Who writes, and for whom they may. */
export interface Writer extends Tenant {
  /** The writer as a tracked person. */
  self: TrackedPerson
  mayWriteOthers: boolean
  /** Where their own trips may begin and end, by their role. */
  tripRadius?: TripRadius | undefined
}

export type EntryOutcome =
  | { ok: true; id: string; email: string; kind: "point"; point: NewPoint; stored: StoredPoint }
  | { ok: true; id: string; email: string; kind: "session"; warning?: string }
  | { ok: false; email: string | null; refusal: AppError }

export function writerOf(caller: Caller): Writer {
  return {
    ...tenantOf(caller),
    self: { number: caller.userNumber, userId: caller.userId, email: caller.email },
    mayWriteOthers: may(caller, "edit/member"),
    tripRadius: tripRadiusOf(caller),
  }
}

/** Reads raw entries of a call and stores them. One outcome each, in order; a refused one never costs another. */
export async function recordRaw(
  context: WriteContext,
  writer: Writer,
  raw: readonly unknown[],
): Promise<EntryOutcome[]> {
  const days = await retentionDays(context.pool, writer)
  const retention: Retention = {
    now: context.now.epochMilliseconds,
    retentionDays: days,
    isEmailRequired: writer.mayWriteOthers,
  }
  return recordEntries(
    context,
    writer,
    raw.map((value) => refusalOr(() => readEntry(value, retention), emailIn(value))),
  )
}

type Read = LocationEntry | { email: string | null; refusal: AppError }

function refusalOr(read: () => LocationEntry, email: string | null): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError) return { email, refusal: error }
    throw error
  }
}

function emailIn(value: unknown): string | null {
  const email = (value as { email?: unknown } | null)?.email
  return typeof email === "string" ? email.slice(0, 320) : null
}

/** Stores entries that were read; see `recordRaw`. */
export async function recordEntries(
  context: WriteContext,
  writer: Writer,
  entries: readonly Read[],
): Promise<EntryOutcome[]> {
  const outcomes = new Array<EntryOutcome>(entries.length)
  const refuse = (index: number, email: string | null, refusal: AppError) => {
    outcomes[index] = { ok: false, email, refusal }
  }
  const good = entries.flatMap((entry, index) => {
    if (!("refusal" in entry)) return [{ entry, index }]
    refuse(index, entry.email, entry.refusal)
    return []
  })
  const others = new Set(
    good.flatMap(({ entry }) => (entry.email && entry.email !== writer.self.email ? [entry.email] : [])),
  )
  const members = writer.mayWriteOthers
    ? await findMembers(context.sql, writer, [...others])
    : new Map<string, TrackedPerson>()
  const taskIds = new Set(good.flatMap(({ entry }) => (entry.taskId ? [entry.taskId] : [])))
  const places = await findTaskPlaces(context.sql, writer, [...taskIds])

  const positions: PersonalEntry[] = []
  const sessions: PersonalEntry[] = []
  for (const { entry, index } of good) {
    const person = personOf(writer, members, entry.email)
    if (person instanceof AppError) refuse(index, entry.email, person)
    else if (entry.startedAt !== null || entry.finishedAt !== null) sessions.push({ index, entry, person })
    else positions.push({ index, entry, person })
  }
  const isKept = await judgeOf(context, writer, positions, sessions)
  const points: { index: number; point: NewPoint }[] = []
  for (const position of positions) {
    const { index, entry, person } = position
    if (isKept(position)) points.push({ index, point: toPoint(writer, person, entry) })
    else refuse(index, person.email, locationErrors.outsideSession())
  }
  assignTaskEvents(
    points.map(({ point }) => point),
    places,
  )
  await recordPoints(context, writer, points, outcomes)
  if (sessions.length > 0) context.onPointsStored(context.pool)
  sessions.sort((a, b) => a.entry.recordedAt - b.entry.recordedAt || a.index - b.index)
  for (const { index, entry, person } of sessions) {
    try {
      const radius = person.number === writer.self.number ? writer.tripRadius : undefined
      const review = await outsideRadius(context.sql, radius, entry)
      const id = await inTransaction(context.sql, (tx) =>
        recordSession(
          tx,
          { tenant: writer, live: context.live, now: context.now, writer: writer.self.email },
          person,
          review ? { ...entry, data: { ...entry.data, ...review } } : entry,
        ),
      )
      const warning = review?.startReview ?? review?.finishReview
      outcomes[index] = {
        ...{ ok: true, id, email: person.email, kind: "session" },
        ...(typeof warning === "string" ? { warning } : {}),
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refuse(index, person.email, error)
    }
  }
  return outcomes
}

interface PersonalEntry {
  index: number
  entry: LocationEntry
  person: TrackedPerson
}

async function judgeOf(
  { sql, pool }: WriteContext,
  writer: Writer,
  positions: readonly PersonalEntry[],
  sessions: readonly PersonalEntry[],
): Promise<(position: PersonalEntry) => boolean> {
  if (positions.length === 0 || !(await keepsOnlySessions(pool, writer))) return () => true
  return sessionJudge(sql, writer, positions, sessions)
}

function personOf(
  writer: Writer,
  members: ReadonlyMap<string, TrackedPerson>,
  email: string | null,
): TrackedPerson | AppError {
  if (email === null || email === writer.self.email) return writer.self
  if (!writer.mayWriteOthers)
    return locationErrors.forbidden({
      message:
        "You can only send your own positions. Sending other people's positions requires the permission edit/member",
    })
  return (
    members.get(normalizeEmail(email)) ??
    locationErrors.badEmail({ fields: { email: ["is not a member of your organization"] } })
  )
}

function toPoint(writer: Writer, person: TrackedPerson, entry: LocationEntry): NewPoint {
  const label = entry.createdFrom ?? defaultSource
  const source = sourceCodeOf(label) ?? null
  const extra: PointExtra = {
    ...(entry.notes === null ? {} : { notes: entry.notes }),
    ...(entry.data === null ? {} : { data: entry.data }),
    ...(source !== null || label === defaultSource ? {} : { createdFrom: label }),
  }
  return {
    person,
    recordedAt: entry.recordedAt,
    lat: entry.lat,
    lng: entry.lng,
    fingerprint: fingerprintOf(label, entry.lat, entry.lng),
    createdBy: person.number === writer.self.number ? null : writer.self.number,
    speed: entry.speed,
    distance: entry.distance,
    duration: entry.duration,
    accuracy: entry.accuracy,
    altitude: entry.altitude,
    distanceToDestination: null,
    bearing: entry.bearing === null ? null : Math.round(entry.bearing) % 360,
    battery: entry.battery === null ? null : Math.round(entry.battery),
    charging: entry.charging,
    source,
    event: entry.event === null ? null : eventCodes[entry.event],
    taskId: entry.taskId,
    attributes: deviceAttributes(source, entry.data),
    extra: Object.keys(extra).length > 0 ? { ...extra } : null,
  }
}

/** In time order, because "done" is said once, of the first point after it. */
function assignTaskEvents(points: readonly NewPoint[], places: TaskPlaces): void {
  if (places.size === 0) return
  for (const point of [...points].sort((a, b) => a.recordedAt - b.recordedAt)) assignTaskEvent(point, places)
}

async function recordPoints(
  context: WriteContext,
  writer: Writer,
  points: readonly { index: number; point: NewPoint }[],
  outcomes: EntryOutcome[],
): Promise<void> {
  if (points.length === 0) return
  const bare = points.map(({ point }) => point)
  const now = context.now.epochMilliseconds
  const isInTransaction = !isPool(context.sql)
  const stored = isInTransaction
    ? await storePoints(context.sql, writer, bare, now)
    : await context.recorder.record(writer, bare, now)
  const alarms = alarmsOf(bare)
  if (alarms.length > 0) await storeAlarms(context.sql, writer, alarms, context.now)
  context.live.wake()
  context.onPointsStored(context.pool, alarms.length > 0 ? writer.organizationId : undefined)
  for (const [place, { index, point }] of points.entries()) {
    const storedPoint = stored[place]
    if (!storedPoint) throw new Error("a stored point has no outcome")
    const { email } = point.person
    const id = pointId(writer.organizationId, email, storedPoint.time)
    outcomes[index] = { ok: true, id, email, kind: "point", point, stored: storedPoint }
  }
}
