import { batchReads } from "#core/database/batch-reads.ts"
import type { Pool } from "#core/database/database.ts"
import { ownedState } from "#core/owned-state.ts"
import { listPositions, seesOthers } from "../positions/index.ts"
import type { DeviceHolder } from "./keys.ts"
import { type OwnTracksFriend, trackerIds } from "./protocols/owntracks.ts"

/** Friends of a phone whose last sign of life is older are not on its map. */
const friendSeconds = 24 * 3600
const maxFriends = 200

interface Asked {
  holder: DeviceHolder
  now: Temporal.Instant
}

/** Where the people are that the holder of a device sees. Phones that see the same and report together share a statement. */
export async function friendsOf(
  sql: Pool,
  holder: DeviceHolder,
  now: Temporal.Instant,
): Promise<OwnTracksFriend[]> {
  if (!seesOthers(holder.sight)) return []
  const people = await peopleInSight(sql)({ holder, now })
  return people.filter(({ id }) => id !== holder.userId).slice(0, maxFriends)
}

const peopleInSight = ownedState((sql: Pool) =>
  batchReads({
    read: (asked: readonly Asked[]) => Promise.all(asked.map((one) => readPeople(sql, one))),
    keyOf: ({ holder: { organizationId, sight } }) =>
      `${organizationId} ${sight.hubs === "all" ? "all" : sight.hubs.toSorted().join(" ")}`,
  }),
)

async function readPeople(sql: Pool, { holder, now }: Asked): Promise<OwnTracksFriend[]> {
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
