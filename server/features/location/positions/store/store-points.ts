import { hasCitus } from "#core/database/citus.ts"
import { databaseErrorOf, type Fragment, inTransaction, type Sql } from "#core/database/database.ts"
import { memoizeLast } from "#core/owned-state.ts"
import { numberArray, textArray } from "../thinning/array-text.ts"
import type { Tenant, TrackedPerson } from "./people.ts"
import { upsertPeople } from "./upsert-people.ts"

/** A point ready to be stored. Times in epoch milliseconds; null is absent. */
export interface NewPoint {
  person: TrackedPerson
  recordedAt: number
  lat: number
  lng: number
  fingerprint: number
  /** users.number of the writer, null for the person. */
  createdBy: number | null
  speed: number | null
  distance: number | null
  duration: number | null
  accuracy: number | null
  altitude: number | null
  distanceToDestination: number | null
  bearing: number | null
  battery: number | null
  charging: boolean | null
  source: number | null
  event: number | null
  taskId: string | null
  attributes: Readonly<Record<string, unknown>> | null
  extra: Readonly<Record<string, unknown>> | null
}

export interface StoredPoint {
  /** Epoch milliseconds of receipt, the last part of the wire's id. */
  time: number
  /** True when this very point was stored before. */
  isDuplicate: boolean
  /** True when it is the newest record of its person. */
  isLatest: boolean
}

/**
 * Stores points of one organization with one statement, and moves the newest position of their people with
 * it. Returns one outcome per point, in order, once the statement has run; on a pool it has committed then.
 * A point that is there already stays as it is.
 */
export async function storePoints(
  sql: Sql,
  tenant: Tenant,
  points: readonly NewPoint[],
  now: number,
): Promise<StoredPoint[]> {
  if (points.length === 0) return []
  const batch = arrange(points)
  const rows = await insertOnce(sql, tenant, batch, now)
  const reserved = new Map(rows.map((row) => [row.personNumber, row]))
  const outcomes = new Array<StoredPoint>(points.length)
  for (const { point, index, ordinal, ofPerson } of batch.entries) {
    const row = reserved.get(point.person.number)
    outcomes[index] = {
      time: (row?.lastTime ?? 0) - ofPerson.count + ordinal,
      isDuplicate: false,
      isLatest: row?.newestAt === point.recordedAt && row.newestFingerprint === point.fingerprint,
    }
  }
  const storedCount = rows[0]?.stored ?? 0
  if (storedCount < points.length) await findDuplicates(sql, tenant, batch.entries, outcomes)
  return outcomes
}

interface PersonPart {
  person: TrackedPerson
  count: number
  newest: NewPoint
  oldest: number
}

interface Arranged {
  point: NewPoint
  /** Place in the caller's list. */
  index: number
  /** 1 for the person's earliest point of this batch. */
  ordinal: number
  ofPerson: PersonPart
}

interface Batch {
  entries: Arranged[]
  people: PersonPart[]
}

/** In time order within each person, so that times of receipt follow it and the last one is the newest. */
function arrange(points: readonly NewPoint[]): Batch {
  const order = points.map((_, index) => index)
  const numberAt = (index: number) => points[index]?.person.number ?? 0
  const timeAt = (index: number) => points[index]?.recordedAt ?? 0
  order.sort((a, b) => numberAt(a) - numberAt(b) || timeAt(a) - timeAt(b) || a - b)
  const entries: Arranged[] = []
  const people: PersonPart[] = []
  for (const index of order) {
    const point = points[index]
    if (!point) continue
    let part = people.at(-1)
    if (part?.person.number !== point.person.number) {
      part = { person: point.person, count: 0, newest: point, oldest: point.recordedAt }
      people.push(part)
    }
    part.count += 1
    part.newest = point
    entries.push({ point, index, ordinal: part.count, ofPerson: part })
  }
  return { entries, people }
}

interface InsertedRow {
  personNumber: number
  lastTime: number
  newestAt: number
  newestFingerprint: number | null
  stored: number
}

type Copies = "refuse" | "skip"

/**
 * One round trip, one commit: reserve times of receipt on the people's rows (whose locks, taken in the order
 * of their numbers, also keep two writers of one person apart), insert, count.
 */
function insert(sql: Sql, tenant: Tenant, batch: Batch, now: number, copies: Copies): Promise<InsertedRow[]> {
  const count = batch.entries.length
  // What a plain insert stores is known before; only one that skips copies has to count.
  const counts =
    copies === "skip"
      ? sql`select ${tenant.organizationNumber}::int, date_trunc('month', recorded_at), count(*) from stored group by 2`
      : monthCounts(
          sql,
          tenant,
          batch.entries.map(({ point }) => point.recordedAt),
        )
  const stored = copies === "skip" ? sql`(select count(*) from stored)` : sql`${count}::bigint`
  const insertion = sql<InsertedRow[]>`
    with people as (${upsertPeople(sql, tenant, batch.people, now)}),
    stored as (${insertPoints(sql, tenant, batch, copies, sql`people`)}),
    counted as (
      insert into location_count_changes (organization_number, month, change) ${counts}
    )
    select person_number, last_time, newest_at, newest_fingerprint, ${stored} as stored from people`
  return count <= pointsOfReusedPlan ? insertion.reusePlan() : insertion
}

/**
 * The same with Citus, which sends what one part of a statement hands to another to every machine: then no organization
 * could store while one machine is away. In steps, the coordinator's and the one of the organization's machine.
 */
function insertInSteps(
  sql: Sql,
  tenant: Tenant,
  batch: Batch,
  now: number,
  copies: Copies,
): Promise<InsertedRow[]> {
  return inTransaction(sql, async (tx) => {
    const count = (times: readonly number[]) => tx`
      insert into location_count_changes (organization_number, month, change) ${monthCounts(tx, tenant, times)}`
    const sent = batch.entries.map(({ point }) => point.recordedAt)
    const people = upsertPeople(tx, tenant, batch.people, now)
    const isSmall = batch.entries.length <= pointsOfReusedPlan
    const reservation =
      copies === "refuse"
        ? tx<ReservedRow[]>`with counted as (${count(sent)}), people as (${people}) select * from people`
        : tx<ReservedRow[]>`${people}`
    const rows = await (isSmall ? reservation.reusePlan() : reservation)
    if (copies === "refuse") {
      await (batch.entries.length <= pointsSentAsValues
        ? insertValues(tx, tenant, batch, rows).reusePlan()
        : insertPoints(tx, tenant, batch, copies, listed(tx, rows)))
      return rows.map((row) => ({ ...row, stored: sent.length }))
    }
    const returned = await tx<
      { recordedAt: Temporal.Instant }[]
    >`${insertPoints(tx, tenant, batch, copies, listed(tx, rows))}`
    await count(returned.map((row) => row.recordedAt.epochMilliseconds))
    return rows.map((row) => ({ ...row, stored: returned.length }))
  })
}

const pointsSentAsValues = 10

type ReservedRow = InsertedRow & { batchSize: number }

function listed(sql: Sql, rows: readonly ReservedRow[]) {
  const numbers = (read: (row: ReservedRow) => number) => numberArray(rows.map(read))
  return sql`unnest(${numbers((row) => row.personNumber)}::int[], ${numbers((row) => row.lastTime)}::bigint[],
    ${numbers((row) => row.batchSize)}::int[]) as people (person_number, last_time, batch_size)`
}

/** Citus sends values straight to the machine, in half the time of rows of a query, which it copies there. For 40 it takes longer. */
function insertValues(sql: Sql, tenant: Tenant, { entries }: Batch, rows: readonly ReservedRow[]) {
  const before = new Map(rows.map((row) => [row.personNumber, row.lastTime - row.batchSize]))
  const timeOf = (milliseconds: number) => new Date(milliseconds).toISOString()
  const values = entries.map(({ point, ordinal }) => ({
    recordedAt: timeOf(point.recordedAt),
    receivedAt: timeOf((before.get(point.person.number) ?? 0) + ordinal),
    lat: point.lat,
    lng: point.lng,
    distance: point.distance,
    organizationNumber: tenant.organizationNumber,
    personNumber: point.person.number,
    fingerprint: point.fingerprint,
    createdBy: point.createdBy,
    speed: point.speed,
    duration: point.duration,
    accuracy: point.accuracy,
    altitude: point.altitude,
    distanceToDestination: point.distanceToDestination,
    bearing: point.bearing,
    battery: point.battery,
    source: point.source,
    event: point.event,
    taskId: point.taskId,
    extra: sql.json(point.extra),
  }))
  return sql`insert into location_points ${sql(values)}`
}

function monthCounts(sql: Sql, tenant: Tenant, times: readonly number[]) {
  const months = Map.groupBy(times, (at) => monthOfDay(Math.floor(at / dayMilliseconds)))
  return sql`select ${tenant.organizationNumber}::int, month, count from unnest(
    ${`{${[...months.keys()].join(",")}}`}::date[],
    ${numberArray([...months.values()].map((group) => group.length))}::bigint[]) as counts (month, count)`
}

/** `people` has the reserved times; the ordinal of a point says which of them it gets. */
function insertPoints(sql: Sql, tenant: Tenant, { entries }: Batch, copies: Copies, people: Fragment) {
  const points = entries.map((entry) => entry.point)
  const numbers = (read: (point: NewPoint) => number | null) => numberArray(points.map(read))
  const extras = points.map((point) => (point.extra ? JSON.stringify(point.extra) : null))
  return sql`
    insert into location_points (recorded_at, received_at, lat, lng, distance, organization_number, person_number,
      fingerprint, created_by, speed, duration, accuracy, altitude, distance_to_destination, bearing, battery, source,
      event, task_id, extra)
    select to_timestamp(sent.recorded_at / 1000.0),
      to_timestamp((people.last_time - people.batch_size + sent.ordinal) / 1000.0),
      lat, lng, distance, ${tenant.organizationNumber}::int, person_number, fingerprint, created_by, speed, duration,
      accuracy, altitude, distance_to_destination, bearing, battery, source, event, task_id, extra
    from unnest(
      ${numbers((point) => point.person.number)}::int[],
      ${numberArray(entries.map((entry) => entry.ordinal))}::int[],
      ${numbers((point) => point.recordedAt)}::float8[],
      ${numbers((point) => point.lat)}::float8[],
      ${numbers((point) => point.lng)}::float8[],
      ${numbers((point) => point.fingerprint)}::int[],
      ${numbers((point) => point.distance)}::float8[],
      ${numbers((point) => point.createdBy)}::int[],
      ${numbers((point) => point.speed)}::real[],
      ${numbers((point) => point.duration)}::real[],
      ${numbers((point) => point.accuracy)}::real[],
      ${numbers((point) => point.altitude)}::real[],
      ${numbers((point) => point.distanceToDestination)}::real[],
      ${numbers((point) => point.bearing)}::smallint[],
      ${numbers((point) => point.battery)}::smallint[],
      ${numbers((point) => point.source)}::smallint[],
      ${numbers((point) => point.event)}::smallint[],
      ${textArray(points.map((point) => point.taskId))}::text[],
      ${textArray(extras)}::jsonb[]
    ) as sent (person_number, ordinal, recorded_at, lat, lng, fingerprint, distance, created_by, speed, duration,
      accuracy, altitude, distance_to_destination, bearing, battery, source, event, task_id, extra)
    join ${people} using (person_number)
    ${copies === "skip" ? sql`on conflict do nothing returning recorded_at` : sql``}`
}

/** Planning takes longer than storing a few points. The plan expects ten; for many, one of their number is better. */
const pointsOfReusedPlan = 50

/** First day of the month (UTC) of a day; thousands of points in a row are of the same one. */
const monthOfDay = memoizeLast(
  (day: number) => `${new Date(day * dayMilliseconds).toISOString().slice(0, 7)}-01`,
)
const dayMilliseconds = 86_400_000

/** Where fewer were inserted than sent, those with another time of receipt than the reserved one were there before. */
async function findDuplicates(
  sql: Sql,
  tenant: Tenant,
  entries: readonly Arranged[],
  outcomes: StoredPoint[],
): Promise<void> {
  const rows = await sql<{ ordinal: number; time: number }[]>`
    select asked.ordinal, floor(extract(epoch from received_at) * 1000 + 0.5)::bigint as time
    from unnest(
      ${numberArray(entries.map((entry) => entry.point.person.number))}::int[],
      ${numberArray(entries.map((entry) => entry.point.recordedAt))}::float8[],
      ${numberArray(entries.map((entry) => entry.point.fingerprint))}::int[]
    ) with ordinality as asked (person_number, recorded_at, fingerprint, ordinal)
    join location_points point on point.organization_number = ${tenant.organizationNumber}
      and point.person_number = asked.person_number and point.recorded_at = to_timestamp(asked.recorded_at / 1000.0)
      and point.fingerprint = asked.fingerprint`
  for (const row of rows) {
    const entry = entries[row.ordinal - 1]
    if (!entry) continue
    const outcome = outcomes[entry.index]
    if (outcome && outcome.time !== row.time)
      outcomes[entry.index] = { ...outcome, time: row.time, isDuplicate: true }
  }
}

/**
 * Inserts and, where that is refused, helps and inserts again. Points that are there already are rare, and
 * `on conflict do nothing` makes every insert of a thousand new ones take 2.4 times as long (14.4 against 6 ms):
 * so it is only used once a plain insert has met a copy.
 */
async function insertOnce(sql: Sql, tenant: Tenant, batch: Batch, now: number): Promise<InsertedRow[]> {
  let copies: Copies = "refuse"
  const write = (await hasCitus(sql)) ? insertInSteps : insert
  const store = (handle: Sql) => write(handle, tenant, batch, now, copies)
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Inside a transaction a savepoint, so that a refused statement does not break what others began.
      return "savepoint" in sql ? await inTransaction(sql, store) : await store(sql)
    } catch (error) {
      const refusal = databaseErrorOf(error)
      if (attempt > 3 || refusal === undefined) throw error
      if (refusal.code === "23505") copies = "skip"
      // A month that nobody prepared: a clock moved, or the job that prepares them was late.
      else if (refusal.code === "23514" && refusal.constraint === undefined) await prepareMonths(sql, batch)
      else throw error
    }
  }
}

async function prepareMonths(sql: Sql, { entries }: Batch): Promise<void> {
  const months = new Set(entries.map(({ point }) => new Date(point.recordedAt).toISOString().slice(0, 7)))
  for (const month of months)
    await sql`select ensure_location_partition(${`${month}-15T00:00:00Z`}::text::timestamptz)`
}

const scratch = new DataView(new ArrayBuffer(16))

/** 32 bits of source, latitude and longitude (FNV-1a): with person and time, what makes two points the same. */
export function fingerprintOf(source: string, lat: number, lng: number): number {
  scratch.setFloat64(0, lat)
  scratch.setFloat64(8, lng)
  let hash = 0x811c9dc5
  for (let offset = 0; offset < 16; offset++) hash = Math.imul(hash ^ scratch.getUint8(offset), 0x01000193)
  for (let index = 0; index < source.length; index++)
    hash = Math.imul(hash ^ source.charCodeAt(index), 0x01000193)
  return hash | 0
}
