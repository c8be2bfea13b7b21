import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import type { LiveEventType } from "#core/events/live-event-types.ts"
import { type LiveEvents, publish } from "#core/events/live-events.ts"
import { newId } from "#core/ids.ts"
import {
  changedVisits,
  type FenceVisit,
  fenceVisits,
  invalidateSimplifiedTracks,
  lockPending,
  type PendingPerson,
  plausiblePoints,
  refreshSessions,
  setPending,
} from "../positions/index.ts"
import { fencesOf, type PlaceFence } from "./fences.ts"

/** What began before the first new point may be confirmed by it, and a jump is only seen beside its neighbours. */
const marginMinutes = 30
/** Further back than this, arrivals are history that nobody waits for; sessions are still recounted. */
const furthestHours = 48
/** As long after the last point as silence still confirms an arrival or a departure. */
const settleMinutes = 7

/**
 * Draws the consequences of a person's new points: totals of the sessions they fall into, arrivals at and
 * departures from their places. Recomputed from the stored points, so their order of arrival does not
 * matter, and a second run changes nothing.
 */
export async function followPerson(
  sql: Pool,
  live: LiveEvents,
  person: PendingPerson,
  now: Temporal.Instant,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    // The lock keeps this person's new points out until what is known is drawn from.
    const row = await lockPending(tx, person)
    if (!row) return
    await refreshSessions(tx, person, person.personNumber, row.pendingFrom)
    await refreshVisits(tx, live, person, row.pendingFrom, now)
    await invalidateSimplifiedTracks(tx, person, row.pendingFrom)
    const settled = now.subtract({ minutes: settleMinutes })
    const next = Temporal.Instant.compare(row.recordedAt, settled) > 0 ? row.recordedAt : null
    await setPending(tx, person, next)
  })
}

async function refreshVisits(
  tx: Tx,
  live: LiveEvents,
  person: PendingPerson,
  pendingFrom: Temporal.Instant,
  now: Temporal.Instant,
): Promise<void> {
  const furthest = now.subtract({ hours: furthestHours })
  const from = latest(furthest, pendingFrom.subtract({ minutes: marginMinutes }))
  for (const fence of await fencesOf(tx, person, from)) {
    const before = await tx<{ id: string; arrivedAt: Temporal.Instant; leftAt: Temporal.Instant | null }[]>`
      select id, arrived_at, left_at from location_visits
      where organization_id = ${person.organizationId} and user_id = ${person.userId}
        and place_type = ${fence.placeType} and place_id = ${fence.placeId}
        and (left_at is null or left_at >= ${from}) order by arrived_at`
    // A visit that reaches into the span is computed from its beginning on.
    const start = before[0] ? earliest(from, before[0].arrivedAt) : from
    const points = await plausiblePoints(tx, person, person.personNumber, start, now)
    const after = fenceVisits(points, fence, now.epochMilliseconds)
    const known = before.map((visit) => ({
      arrivedAt: visit.arrivedAt.epochMilliseconds,
      leftAt: visit.leftAt?.epochMilliseconds ?? null,
    }))
    await writeChanges(tx, live, person, fence, known, after)
  }
}

async function writeChanges(
  tx: Tx,
  live: LiveEvents,
  person: PendingPerson,
  fence: PlaceFence,
  before: readonly FenceVisit[],
  after: readonly FenceVisit[],
): Promise<void> {
  const { added, changed, withdrawn } = changedVisits(before, after)
  const publishEvent = (kind: LiveEventType, at: number) =>
    publish(tx, live, kind, {
      organizationId: person.organizationId,
      hubId: fence.hubId,
      emails: [person.email],
      content: { userId: person.userId, placeType: fence.placeType, placeId: fence.placeId, time: at },
    })
  for (const visit of [...added, ...changed]) {
    await tx`
      insert into location_visits (organization_id, id, user_id, place_type, place_id, arrived_at, left_at)
      values (${person.organizationId}, ${newId()}, ${person.userId}, ${fence.placeType}, ${fence.placeId},
        ${instant(visit.arrivedAt)}, ${visit.leftAt === null ? null : instant(visit.leftAt)})
      on conflict (organization_id, user_id, place_type, place_id, arrived_at) do update set left_at = excluded.left_at`
    if (added.includes(visit)) await publishEvent("place.arrived", visit.arrivedAt)
    if (visit.leftAt !== null) await publishEvent("place.left", visit.leftAt)
  }
  for (const visit of withdrawn) {
    await tx`
      delete from location_visits where organization_id = ${person.organizationId} and user_id = ${person.userId}
        and place_type = ${fence.placeType} and place_id = ${fence.placeId} and arrived_at = ${instant(visit.arrivedAt)}`
    await publishEvent("place.withdrawn", visit.arrivedAt)
  }
}

const instant = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds)
const latest = (one: Temporal.Instant, other: Temporal.Instant) =>
  Temporal.Instant.compare(one, other) > 0 ? one : other
const earliest = (one: Temporal.Instant, other: Temporal.Instant) =>
  Temporal.Instant.compare(one, other) < 0 ? one : other
