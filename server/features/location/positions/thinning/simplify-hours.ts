import { Type } from "typebox"
import { inTransaction, type Pool, type Sql, unlessAway } from "#core/database/database.ts"
import { defineJob } from "#core/jobs/define-job.ts"
import { readPoints } from "../read-track.ts"
import type { Tenant } from "../store/people.ts"
import { contextMilliseconds, segmentOf } from "../track/track-segment.ts"
import { encodeSegment } from "../track/track-segment-code.ts"

const hourMilliseconds = 3_600_000
/** One point every 30 seconds. A month of hours with fewer is read as fast as a day of one-second points. */
const minPointsPerHour = 120
/** Gives phones without a network time to send their queued points. */
const settleHours = 2
const daysAtOnce = 31
const peopleAtOnce = 200
/** Suits every zoom: half of the error that is treated as receiver noise at the largest zoom. */
const storedZoom = { zoom: 14, tolerancePixels: 0 }

/**
 * Stores the simplified tracks of ended hours of people who send often, for `readSimplifiedTrack`. A person's hours are
 * processed in order up to `outlined_until`. A change of earlier points moves it back (`invalidateSimplifiedTracks`).
 */
export const simplifyHours = defineJob({
  name: "location.outline-hours",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 3600,
  isLong: true,
  cron: "*/15 * * * *",
  async handle({ sql, clock, signal, log }) {
    const until = hourOf(clock.now().epochMilliseconds) - settleHours * hourMilliseconds
    for (let last: Person | undefined; !signal.aborted; ) {
      const people = await listPeople(sql, last, until)
      for (const person of people) {
        if (signal.aborted) return
        if (person.since === null) continue
        await simplifyPerson(sql, { ...person, since: person.since }, until, signal).catch(
          unlessAway((error) =>
            log.error(
              { personNumber: person.personNumber, reason: String(error) },
              "a track could not be simplified",
            ),
          ),
        )
      }
      last = people.at(-1)
      if (people.length < peopleAtOnce) return
    }
  },
})

/** The next people after `last`; `since` is where to begin, or null where nothing is to be done. */
async function listPeople(sql: Pool, last: Person | undefined, until: number) {
  const { organizationNumber, personNumber } = last ?? { organizationNumber: 0, personNumber: 0 }
  const people = await sql<(Person & { since: number | null; recordedAt: number })[]>`
    select organization_id, organization_number, person_number,
      floor(extract(epoch from outlined_until) * 1000)::bigint as since,
      floor(extract(epoch from recorded_at) * 1000)::bigint as recorded_at
    from person_positions where (organization_number, person_number) > (${organizationNumber}::int, ${personNumber}::int)
    order by organization_number, person_number limit ${peopleAtOnce}`
  return Promise.all(
    people.map(async ({ recordedAt, ...person }) => {
      const since = person.since ?? (await firstTime(sql, person))
      // A first point that is later excludes its person.
      return { ...person, since: since !== null && since < Math.min(until, recordedAt) ? since : null }
    }),
  )
}

async function firstTime(sql: Pool, person: Person): Promise<number | null> {
  const rows = await sql<{ at: number }[]>`
    select floor(extract(epoch from recorded_at) * 1000)::bigint as at from location_points
    where ${isPerson(sql, person)} order by recorded_at limit 1`
  return rows[0]?.at ?? null
}

type Person = Tenant & { personNumber: number }

async function simplifyPerson(
  sql: Pool,
  person: Person & { since: number },
  until: number,
  signal: AbortSignal,
): Promise<void> {
  for (let from = hourOf(person.since); from < until && !signal.aborted; ) {
    const to = Math.min(until, from + daysAtOnce * 24 * hourMilliseconds)
    for (const hour of [...(await listDenseHours(sql, person, from, to)), undefined]) {
      const next = hour === undefined ? to : hour + hourMilliseconds
      if (!(await inTransaction(sql, (tx) => simplifyUpTo(tx, person, from, next, hour)))) return
      from = next
    }
  }
}

/** Starts of the hours with enough points. */
async function listDenseHours(sql: Pool, person: Person, from: number, to: number): Promise<number[]> {
  const rows = await sql<{ hour: number }[]>`
    select floor(extract(epoch from recorded_at) / 3600)::bigint as hour from location_points
    where ${isPerson(sql, person)} and recorded_at >= ${instant(from)} and recorded_at < ${instant(to)}
    group by 1 having count(*) >= ${minPointsPerHour} order by 1`
  return rows.map((row) => row.hour * hourMilliseconds)
}

/**
 * Advances `outlined_until` from `from` to `to` and stores the track of the `hour` at its end, if any. Returns false
 * after a concurrent change of the mark or of these points: the next run starts there.
 */
async function simplifyUpTo(
  tx: Sql,
  person: Person,
  from: number,
  to: number,
  hour: number | undefined,
): Promise<boolean> {
  // Every writer of this person's points takes this lock.
  const [state] = await tx<{ isReady: boolean }[]>`
    select (outlined_until is null or outlined_until = ${instant(from)})
      and (pending_from is null or pending_from >= ${instant(to + contextMilliseconds)}) as is_ready
    from person_positions where ${isPerson(tx, person)} for update`
  if (!state?.isReady) return false
  await tx`
    delete from location_outlines where ${isPerson(tx, person)} and hour >= ${instant(from)} and hour < ${instant(to)}`
  if (hour !== undefined) {
    const span = { from: instant(hour - contextMilliseconds), to: instant(to + contextMilliseconds) }
    const points = await readPoints(tx, { ...span, tenant: person, personNumber: person.personNumber }, null)
    const segment = encodeSegment(segmentOf(points, hour, to, storedZoom))
    await tx`
      insert into location_outlines values (${person.organizationNumber}, ${person.personNumber}, ${instant(hour)}, ${segment})`
  }
  await tx`update person_positions set outlined_until = ${instant(to)} where ${isPerson(tx, person)}`
  return true
}

/** Invalidates a person's simplified tracks from a moment on, because points changed. Requires the lock. */
export async function invalidateSimplifiedTracks(
  tx: Sql,
  person: { organizationNumber: number; personNumber: number },
  changedFrom: Temporal.Instant,
): Promise<void> {
  const hour = instant(hourOf(changedFrom.epochMilliseconds - contextMilliseconds))
  await tx`
    update person_positions set outlined_until = ${hour}
    where ${isPerson(tx, person)} and outlined_until > ${hour}`
}

function isPerson(sql: Sql, person: { organizationNumber: number; personNumber: number }) {
  return sql`organization_number = ${person.organizationNumber} and person_number = ${person.personNumber}`
}

function hourOf(milliseconds: number): number {
  return Math.floor(milliseconds / hourMilliseconds) * hourMilliseconds
}

const instant = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds)
