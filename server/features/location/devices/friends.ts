import type { Pool } from "#core/database/database.ts"
import { ownedState } from "#core/owned-state.ts"
import { shortCache } from "#core/short-cache.ts"
import { listPositions, seesOthers } from "../positions/index.ts"
import type { DeviceHolder } from "./keys.ts"
import { type OwnTracksFriend, trackerIds } from "./protocols/owntracks.ts"

/** Friends of a phone whose last sign of life is older are not on its map. */
const friendSeconds = 24 * 3600
const maxFriends = 200

/**
 * Phones that see the same and report within this time share a reading: it costs more than storing a position, and
 * phones report every few seconds.
 */
const sharedMilliseconds = 1_000

/** Where the people are that the holder of a device sees, at most a second old. */
export async function friendsOf(
  sql: Pool,
  holder: DeviceHolder,
  now: Temporal.Instant,
): Promise<OwnTracksFriend[]> {
  if (!seesOthers(holder.sight)) return []
  const { organizationId, sight } = holder
  const hubs = sight.hubs === "all" ? "all" : sight.hubs.toSorted().join(" ")
  const teams = sight.teamIds.toSorted().join(" ")
  const people = await peopleInSight(sql).get(`${organizationId} ${hubs} ${teams}`, () =>
    readPeople(sql, holder, now),
  )
  return people.filter(({ id }) => id !== holder.userId).slice(0, maxFriends)
}

const peopleInSight = ownedState((_sql: Pool) => shortCache<OwnTracksFriend[]>(sharedMilliseconds))

async function readPeople(
  sql: Pool,
  holder: DeviceHolder,
  now: Temporal.Instant,
): Promise<OwnTracksFriend[]> {
  const positions = await listPositions(sql, holder.sight, {}, now)
  const seen = positions.filter(({ ageSeconds }) => ageSeconds !== null && ageSeconds < friendSeconds)
  const codes = trackerIds(seen.map(({ userId, name }) => ({ id: userId, name })))
  return seen.map((one) => ({
    id: one.userId,
    name: one.name,
    trackerId: codes.get(one.userId) ?? "??",
    recordedAt: new Date(one.time ?? 0),
    position: [one.lon ?? 0, one.lat ?? 0] as const,
    accuracyMeters: one.accuracy ?? undefined,
    speedMetersPerSecond: one.speed === null ? undefined : one.speed / 3.6,
    bearingDegrees: one.bearing ?? undefined,
    batteryPercent: one.battery ?? undefined,
  }))
}
