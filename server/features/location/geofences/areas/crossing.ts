import type { Pool } from "#core/database/database.ts"
import { type AreaShape, areaOf } from "#packages/geodesy/area.ts"
import { findPeopleByNumber } from "../../../people/users/index.ts"
import { arrivalRules, type RecentPerson } from "../../positions/index.ts"

interface Candidate {
  place: number
  geofenceId: string
  hubId: string | null
  isOpen: boolean
}

/**
 * Those whose newest position contradicts the geofences that they are known to be in: inside of one without a visit, or
 * clearly outside of one with an open visit. The index on boxes narrows each person's areas down to a few.
 */
export async function crossingAreas(sql: Pool, people: readonly RecentPerson[]): Promise<RecentPerson[]> {
  if (people.length === 0) return []
  const candidates = await sql<Candidate[]>`
    with people as materialized (
      select place::int, organization_id, user_id, lat, lng from unnest(
        ${people.map(({ organizationId }) => organizationId)}::text[], ${people.map(({ userId }) => userId)}::text[],
        ${people.map(({ lat }) => lat)}::float8[], ${people.map(({ lng }) => lng)}::float8[]
      ) with ordinality as person (organization_id, user_id, lat, lng, place)
    ), open as materialized (
      select people.place, visit.place_id from people join location_visits visit
        on visit.organization_id = people.organization_id and visit.user_id = people.user_id
      where visit.place_type = 'geofence' and visit.left_at is null
    )
    select people.place, geofences.id as geofence_id, geofences.hub_id, false as is_open from people
    join geofences on geofences.organization_id = people.organization_id
      and (geofences.area @> point(people.lng, people.lat) or geofences.area @> point(people.lng + 360, people.lat))
    where not exists (select from open where open.place = people.place and open.place_id = geofences.id)
    union all
    select open.place, geofences.id, geofences.hub_id, true from open join people using (place)
    join geofences on geofences.organization_id = people.organization_id and geofences.id = open.place_id`
  if (candidates.length === 0) return []
  const ids = [...new Set(candidates.map(({ geofenceId }) => geofenceId))]
  const organizationIds = [...new Set(people.map(({ organizationId }) => organizationId))]
  const shapes = await sql<{ id: string; shape: AreaShape }[]>`
    select id, shape from geofences where organization_id = any (${organizationIds}) and id = any (${ids})`
  const areas = new Map(shapes.map(({ id, shape }) => [id, areaOf(shape)]))
  const crossing = candidates.filter(({ place, geofenceId, isOpen }) => {
    const person = people[place - 1]
    const meters = areas.get(geofenceId)?.metersOutside([person?.lng ?? 0, person?.lat ?? 0]) ?? 0
    return isOpen ? meters > arrivalRules.hysteresisMeters : meters === 0
  })
  const byPlace = Map.groupBy(crossing, ({ place }) => place)
  const found: RecentPerson[] = []
  for (const [place, own] of byPlace) {
    const person = people[place - 1]
    if (person && (await concerns(sql, person, own))) found.push(person)
  }
  return found
}

/** A geofence of a hub is for the people of the hub. */
async function concerns(sql: Pool, person: RecentPerson, own: readonly Candidate[]): Promise<boolean> {
  if (own.some(({ hubId, isOpen }) => isOpen || hubId === null)) return true
  const [member] = await findPeopleByNumber(sql, person.organizationId, [person.personNumber])
  return own.some(({ hubId }) => hubId !== null && member?.hubIds.includes(hubId))
}
