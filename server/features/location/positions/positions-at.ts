import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { toT1 } from "#shared/wire-time.ts"
import { findPeopleByNumber } from "../../people/users/index.ts"
import { keptSince } from "./settings.ts"
import { isVisible, visiblePeople } from "./sharing/visible-people.ts"
import { tenantOf } from "./store/people.ts"

/** Where a person was at a moment. */
export interface PositionAt {
  userId: string
  email: string
  name: string
  lat: number
  lng: number
  /** km/h */
  speed: number | null
  recordedAt: Temporal.Instant
}

/** Older positions say nothing about a moment. */
const reachHours = 8

/**
 * The last position at or before a moment of everybody whom the caller sees, by name; then those of people who are no longer
 * members, for callers who see everybody.
 */
export async function positionsAt(
  sql: Sql,
  caller: Caller,
  { at, hubIds, now }: { at: Temporal.Instant; hubIds: readonly string[] | undefined; now: Temporal.Instant },
): Promise<PositionAt[]> {
  const [people, known] = await Promise.all([
    visiblePeople(sql, caller),
    sql<{ personNumber: number; userId: string; email: string }[]>`
      select person_number, user_id, email from person_positions where organization_number = ${caller.organizationNumber}`,
  ])
  const visible = new Map(
    known.flatMap(({ personNumber, ...person }) =>
      isVisible(people, personNumber) ? [[personNumber, person] as const] : [],
    ),
  )
  // Not an array, of which a plan for any values expects ten people: such a plan would look into every month for each of them.
  const points = await sql<
    (Pick<PositionAt, "lat" | "lng" | "speed" | "recordedAt"> & { personNumber: number })[]
  >`
    select asked.person_number, point.* from (
      select number::int as person_number from string_to_table(${[...visible.keys()].join(",")}, ',') as number
    ) as asked cross join lateral (
      select lat, lng, speed, recorded_at from location_points
      where organization_number = ${caller.organizationNumber} and location_points.person_number = asked.person_number
        and recorded_at <= ${at} and recorded_at > ${at.subtract({ hours: reachHours })}
        and recorded_at > ${keptSince(sql, tenantOf(caller), now)}
      order by recorded_at desc limit 1
    ) as point`
  const seen = new Map(
    points.flatMap(({ personNumber, ...point }) => {
      const person = visible.get(personNumber)
      return person ? [[personNumber, { ...point, ...person }] as const] : []
    }),
  )
  const members = await findPeopleByNumber(sql, caller.organizationId, [...seen.keys()])
  const shown = members
    .filter((member) => hubIds === undefined || member.hubIds.some((id) => hubIds.includes(id)))
    .flatMap(({ email, name, number }) => {
      const point = seen.get(number)
      return point ? [{ ...point, email, name }] : []
    })
  if (people !== "all" || hubIds !== undefined) return shown
  for (const { number } of members) seen.delete(number)
  return [...shown, ...[...seen.values()].map((point) => ({ ...point, name: point.email }))]
}

export interface RecordedPosition {
  time: string
  lat: number
  lon: number
  accuracy: number | null
  speed: number | null
}

const maxPointsOfPerson = 50_000

/** Recorded positions of members in a span that are still kept, for those of them whom the caller sees, by e-mail. */
export async function recordedPositions(
  sql: Sql,
  caller: Caller,
  emails: readonly string[],
  { from, to, now }: { from: Temporal.Instant; to: Temporal.Instant; now: Temporal.Instant },
): Promise<ReadonlyMap<string, RecordedPosition[]>> {
  const people = await visiblePeople(sql, caller)
  const members = await sql<{ email: string; personNumber: number }[]>`
    select email, person_number from person_positions
    where organization_number = ${caller.organizationNumber} and email = any (${[...emails]})`
  const found = new Map<string, RecordedPosition[]>()
  for (const { email, personNumber } of members.filter(({ personNumber: number }) =>
    isVisible(people, number),
  )) {
    const rows = await sql<
      {
        recordedAt: Temporal.Instant
        lat: number
        lng: number
        accuracy: number | null
        speed: number | null
      }[]
    >`
      select recorded_at, lat, lng, accuracy, speed from location_points
      where organization_number = ${caller.organizationNumber} and person_number = ${personNumber}
        and recorded_at between ${from} and ${to} and recorded_at > ${keptSince(sql, tenantOf(caller), now)} order by recorded_at limit ${maxPointsOfPerson}`
    found.set(
      email,
      rows.map(({ recordedAt, lng, ...point }) => ({ time: toT1(recordedAt), ...point, lon: lng })),
    )
  }
  return found
}
