import { Type } from "typebox"
import { type Pool, unlessAway } from "#core/database/database.ts"
import { deleteExpired } from "#core/database/delete-expired.ts"
import { defineJob, type Job, type JobContext } from "#core/jobs/define-job.ts"
import { type SeenPerson, seenSince } from "../../location/positions/index.ts"
import { roadSupplyOf, usedSpeeds } from "../../location/roads/index.ts"
import { timeZoneOf } from "../../organization/organizations/index.ts"
import { arrivalsAt } from "../../work/tasks/index.ts"
import { estimatePeople } from "./estimate-people.ts"
import { legTimes } from "./leg-times.ts"
import { learnModel, listDue } from "./model.ts"
import { followJob } from "./request-estimates.ts"
import { storeEstimates } from "./store-estimates.ts"

const requestsAtOnce = 2_000
const peopleAtOnce = 100
/** Positions that came since; a process that was down for longer is caught up by `staleSeconds`. */
const recentMinutes = 15
/** Without any news, times still pass: who does not move becomes later. */
const staleSeconds = 240
/** People without open stops are looked at this often while they send positions. */
const idleSeconds = 60

/** Computes the estimates of everybody whose tasks or position changed since theirs were computed. */
const followEstimates = defineJob({
  ...followJob,
  cron: "* * * * *",
  async handle(context) {
    const { sql, clock, signal, log, live } = context
    const now = clock.now()
    const requests = await takeRequests(sql)
    const seen = await seenSince(sql, now.subtract({ minutes: 60 * 12 }))
    const due = await duePeople(sql, seen, now)
    for (const { organizationId, emails } of requests)
      for (const email of emails) addTo(due, organizationId, email)
    // Statements for each organization, not for each of its changes: there may be hundreds a second.
    for (const [organizationId, ofOne] of Map.groupBy(requests, (request) => request.organizationId)) {
      const taskIds = [...new Set(ofOne.flatMap((request) => request.taskIds))]
      await noteArrivals(sql, organizationId, taskIds)
      for (const email of await peopleOf(sql, organizationId, taskIds)) addTo(due, organizationId, email)
    }
    for (const [organizationId, emails] of due) {
      const positions = new Map(
        seen
          .filter((person) => person.organizationId === organizationId)
          .map((person) => [person.email, person]),
      )
      const roads = roadSupplyOf(context, organizationId)
      const all = [...emails]
      for (let start = 0; start < all.length && !signal.aborted; start += peopleAtOnce) {
        const part = all.slice(start, start + peopleAtOnce)
        // One organization whose stops cannot be worked on must not stop the others.
        await estimatePeople({ sql, now, roads, signal }, organizationId, part, positions)
          .then((people) => storeEstimates({ sql, live, now }, organizationId, people))
          .catch(
            unlessAway((error) =>
              log.error({ organizationId, reason: String(error) }, "arrivals could not be estimated"),
            ),
          )
      }
    }
    await removeRequests(sql, requests)
  },
})

interface Request {
  number: number
  organizationId: string
  taskIds: string[]
  emails: string[]
}

function takeRequests(sql: Pool): Promise<Request[]> {
  return sql<Request[]>`
    select number, organization_id, task_ids, emails from task_estimate_requests order by number limit ${requestsAtOnce}`
}

async function removeRequests(sql: Pool, requests: readonly Request[]): Promise<void> {
  if (requests.length > 0)
    await sql`delete from task_estimate_requests where number = any (${requests.map(({ number }) => number)})`
}

type Due = Map<string, Set<string>>

function addTo(due: Due, organizationId: string, email: string): void {
  const emails = due.get(organizationId) ?? new Set()
  due.set(organizationId, emails.add(email))
}

/** Who moved since their estimates were computed, and whose estimates are old. */
async function duePeople(sql: Pool, seen: readonly SeenPerson[], now: Temporal.Instant): Promise<Due> {
  const due: Due = new Map()
  const rows = await sql<
    { organizationId: string; email: string; stops: number; computedAt: Temporal.Instant }[]
  >`
    select organization_id, email, stops, computed_at from task_estimate_people
    where computed_at > ${now.subtract({ hours: 24 })}`
  const keyOf = (person: { organizationId: string; email: string }) =>
    `${person.organizationId} ${person.email}`
  const known = new Map(rows.map((row) => [keyOf(row), row]))
  const secondsSince = (time: Temporal.Instant) => (now.epochMilliseconds - time.epochMilliseconds) / 1000
  for (const person of seen) {
    if (secondsSince(person.receivedAt) > recentMinutes * 60) continue
    const last = known.get(keyOf(person))
    const isNew = !last || Temporal.Instant.compare(person.receivedAt, last.computedAt) > 0
    if (isNew && (!last || last.stops > 0 || secondsSince(last.computedAt) > idleSeconds))
      addTo(due, person.organizationId, person.email)
  }
  for (const { organizationId, email, stops, computedAt } of rows)
    if (stops > 0 && secondsSince(computedAt) > staleSeconds) addTo(due, organizationId, email)
  return due
}

/** Those who have estimates of these tasks, who may no longer be their assignees. */
async function peopleOf(sql: Pool, organizationId: string, taskIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ email: string }[]>`
    select distinct email from task_estimates
    where organization_id = ${organizationId} and task_id = any (${[...taskIds]})`
  return rows.map(({ email }) => email)
}

/** Writes the actual arrival next to what was promised. */
async function noteArrivals(sql: Pool, organizationId: string, taskIds: readonly string[]): Promise<void> {
  for (const { id, arrivedTime } of await arrivalsAt(sql, organizationId, taskIds))
    await sql`
      update task_estimate_history set arrived_at = ${arrivedTime}
      where organization_id = ${organizationId} and task_id = ${id} and arrived_at is null and computed_at < ${arrivedTime}`
}

/** Learns durations and the width of windows once a day, per organization. */
const learn = defineJob({
  name: "eta.learn",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 600,
  cron: "17 * * * *",
  async handle(context) {
    const { sql, clock, signal, log } = context
    const now = clock.now()
    for (const organizationId of await listDue(sql, now)) {
      if (signal.aborted) return
      await learnOf(context, organizationId, now).catch(
        unlessAway((error) =>
          log.error({ organizationId, reason: String(error) }, "nothing could be learned of arrivals"),
        ),
      )
    }
    await deleteExpired(sql, signal, {
      table: "task_estimate_history",
      column: "computed_at",
      age: "90 days",
    })
    await deleteExpired(sql, signal, { table: "task_estimate_people", column: "computed_at", age: "7 days" })
  },
})

async function learnOf(context: JobContext, organizationId: string, now: Temporal.Instant): Promise<void> {
  const { sql, signal } = context
  const roads = roadSupplyOf(context, organizationId)
  await learnModel(sql, organizationId, {
    now,
    speeds: await usedSpeeds(sql, organizationId),
    timeZone: await timeZoneOf(sql, organizationId),
    legTimes: (places) => legTimes(sql, roads, places, signal),
  })
}

export const etaJobs: readonly Job[] = [followEstimates, learn]
