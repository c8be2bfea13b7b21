import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { emit } from "#core/domain-events.ts"
import type { LiveEventType } from "#core/events/live-event-types.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { publish } from "#core/events/publish.ts"
import { newId } from "#core/ids.ts"
import { send } from "#core/jobs/define-job.ts"
import { findPeopleByNumber } from "../../people/users/index.ts"
import { stampVisits, type TaskVisit } from "../../work/tasks/index.ts"
import {
  changedVisits,
  type FencePoint,
  type FenceVisit,
  fenceVisits,
  invalidateSimplifiedTracks,
  lockPending,
  type PendingPerson,
  plausiblePoints,
  refreshSessions,
  setPending,
} from "../positions/index.ts"
import { areasAround, geofenceNames, toFence } from "./areas/index.ts"
import { fencesOf, type PlaceFence, type PlaceType } from "./fences.ts"
import { toWireVisit } from "./visit-wire.ts"

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
    const [member] = await findPeopleByNumber(tx, person.organizationId, [person.personNumber])
    // The points of a removed person stay, but no visits follow from them.
    if (member) await refreshVisits(tx, live, person, row.pendingFrom, now)
    await invalidateSimplifiedTracks(tx, person, row.pendingFrom)
    const settled = now.subtract({ minutes: settleMinutes })
    const isSettled = !member || Temporal.Instant.compare(row.recordedAt, settled) <= 0
    const next = isSettled ? null : row.recordedAt
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
  const known = Map.groupBy(await knownVisits(tx, person, from), placeKey)
  const points = await plausiblePoints(tx, person, person.personNumber, from, now)
  const stops: TaskVisit[] = []
  for (const fence of await allFences(tx, person, from, points, [...known.values()].flat())) {
    const before = known.get(placeKey(fence)) ?? []
    const open = before.find((visit) => visit.arrivedAt < from.epochMilliseconds)
    const after = fenceVisits(points, fence, now.epochMilliseconds, open)
    const visits = await writeChanges(tx, live, person, fence, before, after)
    if (fence.placeType === "task")
      stops.push(...visits.map(({ arrivedAt, leftAt }) => ({ taskId: fence.placeId, arrivedAt, leftAt })))
  }
  if (stops.length > 0) await stampStops(tx, person, stops)
}

async function stampStops(tx: Tx, person: PendingPerson, visits: TaskVisit[]): Promise<void> {
  await send(tx, stampVisits, { organizationId: person.organizationId, userId: person.userId, visits })
}

interface KnownVisit extends FenceVisit {
  placeType: PlaceType
  placeId: string
}

const placeKey = ({ placeType, placeId }: { placeType: PlaceType; placeId: string }) =>
  `${placeType} ${placeId}`

/** The person's visits that are open or ended in the span. */
async function knownVisits(tx: Tx, person: PendingPerson, from: Temporal.Instant): Promise<KnownVisit[]> {
  const rows = await tx<
    { placeType: PlaceType; placeId: string; arrivedAt: Temporal.Instant; leftAt: Temporal.Instant | null }[]
  >`
    select place_type, place_id, arrived_at, left_at from location_visits
    where organization_id = ${person.organizationId} and user_id = ${person.userId}
      and (left_at is null or left_at >= ${from}) order by arrived_at`
  return rows.map((row) => ({
    ...row,
    arrivedAt: row.arrivedAt.epochMilliseconds,
    leftAt: row.leftAt?.epochMilliseconds ?? null,
  }))
}

/** Places of the person, and the geofences that the points may have touched or that the person was in. */
async function allFences(
  tx: Tx,
  person: PendingPerson,
  from: Temporal.Instant,
  points: readonly FencePoint[],
  known: readonly KnownVisit[],
): Promise<PlaceFence[]> {
  const places = await fencesOf(tx, person, from)
  const entered = known.filter(({ placeType }) => placeType === "geofence").map(({ placeId }) => placeId)
  const positions = points.map(({ position }) => position)
  const areas = await areasAround(tx, person.organizationId, positions, entered)
  const hubs = new Set(places.filter(({ placeType }) => placeType === "hub").map(({ placeId }) => placeId))
  const own = areas.filter(({ id, hubId }) => hubId === null || hubs.has(hubId) || entered.includes(id))
  return [...places, ...own.map(toFence)]
}

/** Returns the visits that are new or have ended. */
async function writeChanges(
  tx: Tx,
  live: LiveEvents,
  person: PendingPerson,
  fence: PlaceFence,
  before: readonly FenceVisit[],
  after: readonly FenceVisit[],
): Promise<FenceVisit[]> {
  const { added, changed, withdrawn } = changedVisits(before, after)
  const publishEvent = (kind: LiveEventType, at: number) =>
    publish(tx, live, kind, {
      organizationId: person.organizationId,
      hubId: fence.hubId,
      emails: [person.email],
      content: { userId: person.userId, placeType: fence.placeType, placeId: fence.placeId, time: at },
    })
  for (const visit of [...added, ...changed]) {
    const [row] = await tx<{ id: string }[]>`
      insert into location_visits (organization_id, id, user_id, place_type, place_id, arrived_at, left_at)
      values (${person.organizationId}, ${newId()}, ${person.userId}, ${fence.placeType}, ${fence.placeId},
        ${instant(visit.arrivedAt)}, ${visit.leftAt === null ? null : instant(visit.leftAt)})
      on conflict (organization_id, user_id, place_type, place_id, arrived_at) do update set left_at = excluded.left_at
      returning id`
    const isNew = added.includes(visit)
    if (isNew) await publishEvent("place.arrived", visit.arrivedAt)
    if (visit.leftAt !== null) await publishEvent("place.left", visit.leftAt)
    if (fence.placeType === "geofence" && row) {
      await emitCrossings(tx, live, person, fence, { ...visit, id: row.id, isNew })
    }
  }
  for (const visit of withdrawn) {
    await tx`
      delete from location_visits where organization_id = ${person.organizationId} and user_id = ${person.userId}
        and place_type = ${fence.placeType} and place_id = ${fence.placeId} and arrived_at = ${instant(visit.arrivedAt)}`
    await publishEvent("place.withdrawn", visit.arrivedAt)
  }
  return [...added, ...changed]
}

/** `onGeofence` of an entry and of an exit: the visit, as it was then. */
async function emitCrossings(
  tx: Tx,
  live: LiveEvents,
  person: PendingPerson,
  { placeType, placeId, hubId }: PlaceFence,
  { id, arrivedAt, leftAt, isNew }: FenceVisit & { id: string; isNew: boolean },
): Promise<void> {
  const names = await geofenceNames(tx, person.organizationId, [placeId])
  const [member] = await findPeopleByNumber(tx, person.organizationId, [person.personNumber])
  const visit = {
    ...{ id, placeType, placeId, userId: person.userId, email: person.email, lat: null, lng: null },
    name: member?.name ?? "",
    placeName: names.get(placeId) ?? null,
    arrivedAt: instant(arrivedAt),
  }
  const moments = [...(isNew ? [null] : []), ...(leftAt === null ? [] : [instant(leftAt)])]
  const events = moments.map((left) => ({
    referenceId: id,
    hubId,
    record: toWireVisit({ ...visit, leftAt: left }),
  }))
  await emit(tx, live, person.organizationId, "onGeofence", events)
}

const instant = (milliseconds: number) => Temporal.Instant.fromEpochMilliseconds(milliseconds)
const latest = (one: Temporal.Instant, other: Temporal.Instant) =>
  Temporal.Instant.compare(one, other) > 0 ? one : other
