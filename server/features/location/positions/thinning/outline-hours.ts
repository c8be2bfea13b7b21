import { Type } from "typebox"
import { inTransaction, type Pool, type Sql } from "#core/database/database.ts"
import { defineJob } from "#core/jobs/define-job.ts"
import { readPoints } from "../read-track.ts"
import type { Tenant } from "../store/people.ts"
import { contextMilliseconds, stretchOf } from "../track/stretch.ts"
import { encodeStretch } from "../track/stretch-code.ts"

const hourMilliseconds = 3_600_000
/** A point every half a minute. A month of hours with fewer is read as fast as a day of one-second points. */
const worthOutliningPoints = 120
/** Phones that lost the network for a while have sent what they kept. */
const settleHours = 2
const daysAtOnce = 31
/** Of any zoom: half of the error that counts as noise of the receiver however near the map is. */
const anyZoom = { zoom: 14, tolerancePixels: 0 }

/**
 * Thins the hours of people who send often, once they have ended, for `readWay`. A person's hours are gone through in order;
 * `outlined_until` says how far. Whoever changes points behind it moves it back (`moveOutlinesBack`).
 */
export const outlineHours = defineJob({
  name: "location.outline-hours",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 3600,
  isLong: true,
  cron: "*/15 * * * *",
  async handle({ sql, clock, signal, log }) {
    const until = hourOf(clock.now().epochMilliseconds) - settleHours * hourMilliseconds
    // Who began to send after that is not gone through one by one.
    const behind = await sql<(Person & { since: number })[]>`
      select organization_id, organization_number, person_number, floor(extract(epoch from since) * 1000)::bigint as since
      from person_positions person cross join lateral (select coalesce(outlined_until, (
        select p.recorded_at from location_points p where p.organization_number = person.organization_number
          and p.person_number = person.person_number order by p.recorded_at limit 1)) as since) as begin
      where since < least(to_timestamp(${until}::float8 / 1000), recorded_at)`
    for (const person of behind) {
      if (signal.aborted) return
      await outlinePerson(sql, person, until, signal).catch((error) =>
        log.error(
          { personNumber: person.personNumber, reason: String(error) },
          "a track could not be simplified",
        ),
      )
    }
  },
})

type Person = Tenant & { personNumber: number }

async function outlinePerson(
  sql: Pool,
  person: Person & { since: number },
  until: number,
  signal: AbortSignal,
): Promise<void> {
  for (let from = hourOf(person.since); from < until && !signal.aborted; ) {
    const to = Math.min(until, from + daysAtOnce * 24 * hourMilliseconds)
    for (const hour of [...(await listDenseHours(sql, person, from, to)), undefined]) {
      const next = hour === undefined ? to : hour + hourMilliseconds
      if (!(await inTransaction(sql, (tx) => outlineUpTo(tx, person, from, next, hour)))) return
      from = next
    }
  }
}

/** Begins of the hours that are worth it. */
async function listDenseHours(sql: Pool, person: Person, from: number, to: number): Promise<number[]> {
  const rows = await sql<{ hour: number }[]>`
    select floor(extract(epoch from recorded_at) / 3600)::bigint as hour from location_points
    where ${isPerson(sql, person)} and recorded_at >= ${instant(from)} and recorded_at < ${instant(to)}
    group by 1 having count(*) >= ${worthOutliningPoints} order by 1`
  return rows.map((row) => row.hour * hourMilliseconds)
}

/**
 * Goes on from `from` to `to`, with an outline of the `hour` at its end or none. False where somebody moved the mark or
 * changed points of this time meanwhile: the next run begins there.
 */
async function outlineUpTo(
  tx: Sql,
  person: Person,
  from: number,
  to: number,
  hour: number | undefined,
): Promise<boolean> {
  // The lock keeps this person's new points out, as everybody who writes points takes it.
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
    const outline = encodeStretch(stretchOf(points, hour, to, anyZoom))
    await tx`
      insert into location_outlines values (${person.organizationNumber}, ${person.personNumber}, ${instant(hour)}, ${outline})`
  }
  await tx`update person_positions set outlined_until = ${instant(to)} where ${isPerson(tx, person)}`
  return true
}

/** Says that a person's points changed at and after a moment: outlines from there on are made again. Needs the lock. */
export async function moveOutlinesBack(
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
