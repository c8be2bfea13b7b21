import { Type } from "typebox"
import { unlessAway } from "#core/database/database.ts"
import { defineJob, type Job, type JobContext } from "#core/jobs/define-job.ts"
import { seenSince } from "../../../location/positions/index.ts"
import { findOrganization } from "../../../organization/organizations/index.ts"
import { driverSpans, organizationsWithDrivers, vehiclesDrivenBy } from "../../../work/vehicles/index.ts"
import { countHours } from "./count-hours.ts"
import { lastCounts } from "./queries.ts"

/** Two runs: a position that arrives while one begins is in the next. */
const seenMinutes = 12
/** Phones without a network send their queue when they have one again. */
const lateHours = 2
/** What arrives later than this is not counted any more. */
const maxDays = 8
const organizationsAtOnce = 50

/** Counts what the vehicles have travelled whose drivers were seen lately. */
const countMeters = defineJob({
  name: "fleet.count-meters",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 280,
  cron: "*/5 * * * *",
  async handle(context) {
    const { sql, clock, signal } = context
    const seen = await seenSince(sql, clock.now().subtract({ minutes: seenMinutes }))
    for (const [organizationId, people] of Map.groupBy(seen, (person) => person.organizationId)) {
      if (signal.aborted) return
      const vehicleIds = await vehiclesDrivenBy(
        sql,
        organizationId,
        people.map(({ email }) => email),
      )
      await countVehicles(context, organizationId, vehicleIds)
    }
  },
})

/** Counts the last days of all vehicles again, with the positions that arrived late. */
const recountMeters = defineJob({
  name: "fleet.recount-meters",
  payload: Type.Object({}),
  maxAttempts: 2,
  timeoutSeconds: 3600,
  isLong: true,
  cron: "23 2 * * *",
  async handle(context) {
    const { sql, clock, signal } = context
    const since = clock.now().subtract({ hours: maxDays * 24 })
    for (let after = ""; !signal.aborted; ) {
      const ids = await organizationsWithDrivers(sql, { since, after, limit: organizationsAtOnce })
      for (const organizationId of ids) await countVehicles(context, organizationId, undefined)
      after = ids.at(-1) ?? ""
      if (ids.length < organizationsAtOnce) return
    }
  },
})

export const meterJobs: readonly Job[] = [countMeters, recountMeters]

/** Counts vehicles of an organization since a little before they were last counted; all of them, from the first day on. */
async function countVehicles(
  { sql, clock, signal, log }: JobContext,
  organizationId: string,
  vehicleIds: readonly string[] | undefined,
): Promise<void> {
  if (vehicleIds?.length === 0) return
  const now = clock.now()
  const first = now.subtract({ hours: maxDays * 24 })
  const { number: organizationNumber } = await findOrganization(sql, organizationId)
  const [spans, counted] = await Promise.all([
    driverSpans(sql, organizationId, { from: fullHour(first), until: now }),
    vehicleIds ? lastCounts(sql, organizationId, vehicleIds) : new Map<string, Temporal.Instant>(),
  ])
  for (const [vehicleId, own] of Map.groupBy(spans, (span) => span.vehicleId)) {
    if (signal.aborted) return
    if (vehicleIds && !vehicleIds.includes(vehicleId)) continue
    const last = counted.get(vehicleId)?.subtract({ hours: lateHours }) ?? first
    const from = fullHour(Temporal.Instant.compare(last, first) > 0 ? last : first)
    const clipped = own.flatMap((span) =>
      Temporal.Instant.compare(span.until, from) <= 0
        ? []
        : [{ ...span, from: Temporal.Instant.compare(span.from, from) < 0 ? from : span.from }],
    )
    // One vehicle that cannot be counted must not stop the others.
    await countHours(
      sql,
      { organizationId, organizationNumber },
      { vehicleId, spans: clipped, from, until: now },
      now,
    ).catch(
      unlessAway((error) =>
        log.error({ organizationId, vehicleId, reason: String(error) }, "a vehicle could not be counted"),
      ),
    )
  }
}

function fullHour(at: Temporal.Instant): Temporal.Instant {
  return at.round({ smallestUnit: "hour", roundingMode: "floor" })
}
