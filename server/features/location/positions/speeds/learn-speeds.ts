import { Type } from "typebox"
import type { Sql } from "#core/database/database.ts"
import { defineJob, type Job, type JobContext, longQueue, send } from "#core/jobs/define-job.ts"
import type { Stretch, TrackPoint } from "../../../../../packages/road-network/index.ts"
import { timeZoneOf } from "../../../organization/organizations/index.ts"
import {
  type BuiltInRoads,
  hourOfWeekAt,
  observeRoads,
  readSpeeds,
  roadMapsOf,
  storeStretches,
} from "../../roads/index.ts"
import { retentionDays } from "../settings.ts"
import type { Tenant } from "../store/people.ts"
import { plausiblePoints } from "../thinning/plausible-points.ts"

/** Local hours in which organizations learn. */
const nightHours = [1, 2, 3, 4]
const dueHours = 20
/** Somebody who was not seen for longer has nothing new. */
const seenHours = 48
/** The first night reads so many days; later ones what came since. */
const maxDays = 14
/** Days of people that are looked at in a night, and positions that are matched: a sample of a large organization. */
const maxPersonDays = 300
const maxPoints = 30_000
/** As many as a thread matches within seconds. */
const pointsAtOnce = 800
/** Phones without a network send later. */
const settleHours = 2

const learnOfOne = defineJob({
  name: "roads.learn-speeds",
  payload: Type.Object({ organizationId: Type.String() }),
  maxAttempts: 3,
  timeoutSeconds: 900,
  isLong: true,
  handle: (context, { organizationId }) => learnRoadSpeeds(context, organizationId),
})

/** Finds the organizations whose people drove, at night by their own clocks. */
const learn = defineJob({
  name: "roads.find-speeds",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 60,
  cron: "41 * * * *",
  async handle({ sql, clock }) {
    const now = clock.now()
    for (const organizationId of await listSeen(sql, now.subtract({ hours: seenHours }))) {
      const { learnedAt } = await readSpeeds(sql, organizationId)
      if (learnedAt && Temporal.Instant.compare(learnedAt, now.subtract({ hours: dueHours })) > 0) continue
      const { hour } = now.toZonedDateTimeISO(await timeZoneOf(sql, organizationId))
      if (!nightHours.includes(hour)) continue
      const options = { queue: longQueue("outside", organizationId), key: `road-speeds ${organizationId}` }
      await send(sql, learnOfOne, { organizationId }, options)
    }
  },
})

export const speedJobs: readonly Job[] = [learn, learnOfOne]

async function listSeen(sql: Sql, since: Temporal.Instant): Promise<string[]> {
  const rows = await sql<{ organizationId: string }[]>`
    select distinct organization_id from person_positions where recorded_at > ${since}`
  return rows.map(({ organizationId }) => organizationId)
}

/** Learns from the drives since the last time. Safe to run twice: a span of time counts once. */
export async function learnRoadSpeeds(context: JobContext, organizationId: string): Promise<void> {
  const { sql, clock, signal } = context
  const roads = { maps: roadMapsOf(context), organizationId, sql }
  if (!(await roads.maps.isAnyInstalled())) return
  const now = clock.now()
  const { learnedUntil } = await readSpeeds(sql, organizationId)
  const until = now.subtract({ hours: settleHours })
  const people = await listPeople(sql, organizationId, until.subtract({ hours: 24 * maxDays }))
  const [tenant] = people
  if (!tenant) return
  const days = Math.min(maxDays, await retentionDays(sql, tenant))
  const earliest = until.subtract({ hours: 24 * days })
  const since = learnedUntil && Temporal.Instant.compare(learnedUntil, earliest) > 0 ? learnedUntil : earliest
  if (Temporal.Instant.compare(since, until) >= 0) return
  const timeZone = await timeZoneOf(sql, organizationId)
  const stretches: Stretch[] = []
  let left = maxPoints
  for (const { person, from, to } of someDays(people, since, until)) {
    if (left <= 0) break
    signal.throwIfAborted()
    const points = (await plausiblePoints(sql, person, person.personNumber, from, to)).slice(0, left)
    left -= points.length
    stretches.push(...(await observe(roads, points, timeZone, signal)))
  }
  await storeStretches(sql, organizationId, stretches, { since: learnedUntil, until, now })
}

type Person = Tenant & { personNumber: number }

function listPeople(sql: Sql, organizationId: string, since: Temporal.Instant): Promise<Person[]> {
  return sql<Person[]>`
    select organization_id, organization_number, person_number from person_positions
    where organization_id = ${organizationId} and recorded_at > ${since}
    order by random() limit ${maxPersonDays}`
}

/** Days of people in a random order, so that those left out differ from night to night. */
function someDays(people: readonly Person[], since: Temporal.Instant, until: Temporal.Instant) {
  const days: { from: Temporal.Instant; to: Temporal.Instant }[] = []
  for (let from = since; Temporal.Instant.compare(from, until) < 0; ) {
    const next = from.add({ hours: 24 })
    const to = Temporal.Instant.compare(next, until) < 0 ? next : until
    days.push({ from, to })
    from = to
  }
  return people
    .flatMap((person) => days.map((day) => ({ person, ...day, order: Math.random() })))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, maxPersonDays)
}

type Points = Awaited<ReturnType<typeof plausiblePoints>>

async function observe(
  roads: BuiltInRoads,
  points: Points,
  timeZone: string,
  signal: AbortSignal,
): Promise<Stretch[]> {
  const stretches: Stretch[] = []
  for (let start = 0; start + 1 < points.length; start += pointsAtOnce) {
    const track = points.slice(start, start + pointsAtOnce).map(
      ({ position, recordedAt, accuracyMeters }): TrackPoint => ({
        lngLat: position,
        time: recordedAt / 1000,
        ...(accuracyMeters ? { accuracyMeters } : {}),
      }),
    )
    const observed = await observeRoads(roads, [track], signal)
    for (const { at, ...stretch } of observed ?? [])
      stretches.push({
        ...stretch,
        hourOfWeek: hourOfWeekAt(Temporal.Instant.fromEpochMilliseconds(Math.round(at * 1000)), timeZone),
      })
  }
  return stretches
}
