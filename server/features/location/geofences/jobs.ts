import { Type } from "typebox"
import { inTransaction, type Pool, unlessAway } from "#core/database/database.ts"
import { emit } from "#core/domain-events.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { nextOrganizationIds } from "../../organization/organizations/index.ts"
import { listPending } from "../positions/index.ts"
import { followPerson } from "./follow-person.ts"
import { lookAround } from "./look-around.ts"
import { listSilent, toWireSilent } from "./silence.ts"

const Nothing = Type.Object({})
const peopleAtOnce = 500
const organizationsAtOnce = 100

/** Draws the consequences of new points for everybody who sent some: arrivals, departures, session totals. */
const followPeople = defineJob({
  name: "geofences.follow",
  payload: Nothing,
  maxAttempts: 1,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle({ sql, live, clock, signal, log }) {
    const now = clock.now()
    for (const person of await listPending(sql, peopleAtOnce * 20)) {
      if (signal.aborted) return
      // One person whose points cannot be worked on must not stop the others.
      await followPerson(sql, live, person, now).catch(
        unlessAway((error) =>
          log.error({ userId: person.userId, reason: String(error) }, "arrivals could not be computed"),
        ),
      )
    }
  },
})

/** Publishes one event when somebody at work stops sending positions, and one when they send again. */
const watchSilence = defineJob({
  name: "geofences.watch-silence",
  payload: Nothing,
  maxAttempts: 1,
  timeoutSeconds: 120,
  cron: "* * * * *",
  async handle({ sql, live, clock, signal }) {
    for (let last = ""; !signal.aborted; ) {
      const ids = await nextOrganizationIds(sql, last, organizationsAtOnce)
      await reportSilence(sql, live, clock.now(), ids)
      last = ids.at(-1) ?? ""
      if (ids.length < organizationsAtOnce) return
    }
  },
})

async function reportSilence(
  sql: Pool,
  live: LiveEvents,
  now: Temporal.Instant,
  organizationIds: readonly string[],
): Promise<void> {
  const silent = await listSilent(sql, now, organizationIds)
  const reported = await sql<{ organizationId: string; userId: string; email: string }[]>`
    select reported.organization_id, reported.user_id, users.email from location_silences reported
    join users on users.organization_id = reported.organization_id and users.id = reported.user_id
    where reported.organization_id = any (${[...organizationIds]})`
  const isReported = new Set(reported.map(({ userId }) => userId))
  const isSilent = new Set(silent.map(({ userId }) => userId))
  for (const person of silent.filter(({ userId }) => !isReported.has(userId)))
    await inTransaction(sql, async (tx) => {
      const { organizationId, userId, email } = person
      const made = await tx`
        insert into location_silences (organization_id, user_id, told_at) values (${organizationId}, ${userId}, ${now})
        on conflict do nothing returning 1`
      if (made.length === 0) return
      await publish(tx, live, "person.silent", { organizationId, emails: [email], content: { userId } })
      await emit(tx, live, organizationId, "onWorkerSilent", [
        { referenceId: userId, hubId: null, record: toWireSilent(person, now) },
      ])
    })
  for (const { organizationId, userId, email } of reported.filter((person) => !isSilent.has(person.userId)))
    await inTransaction(sql, async (tx) => {
      const gone = await tx`
        delete from location_silences where organization_id = ${organizationId} and user_id = ${userId} returning 1`
      if (gone.length > 0)
        await publish(tx, live, "person.heard", { organizationId, emails: [email], content: { userId } })
    })
}

export const geofenceJobs: readonly Job[] = [followPeople, lookAround, watchSilence]
