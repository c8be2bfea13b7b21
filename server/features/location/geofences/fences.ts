import type { Sql } from "#core/database/database.ts"
import { hubRadiusMeters, taskRadiusMeters } from "#packages/geodesy/fence-radius.ts"
import type { Fence } from "../positions/index.ts"

export const placeTypes = ["hub", "task", "geofence"] as const
export type PlaceType = (typeof placeTypes)[number]

/** A circle around a hub, or around the place of a task of the person; or a geofence. */
export type PlaceFence = Fence & {
  placeType: PlaceType
  placeId: string
  /** Null: of the whole organization. */
  hubId: string | null
}

/** The places at which somebody's arrival matters: their hubs, and their tasks that are open or were done in the span. */
export async function fencesOf(
  sql: Sql,
  person: { organizationId: string; userId: string; email: string },
  from: Temporal.Instant,
): Promise<PlaceFence[]> {
  const rows = await sql<
    { placeType: "hub" | "task"; placeId: string; hubId: string; lat: number; lng: number }[]
  >`
    select 'hub' as place_type, hubs.id as place_id, hubs.id as hub_id, hubs.lat, hubs.lng from user_hubs h
    join hubs on hubs.organization_id = h.organization_id and hubs.id = h.hub_id
    where h.organization_id = ${person.organizationId} and h.user_id = ${person.userId}
    union all
    select 'task', id, hub_id, lat, lng from tasks
    where organization_id = ${person.organizationId} and assignee @> array[${person.email}]::text[]
      and (first_assignee = ${person.email} or cardinality(assignee) > 1) and lat is not null
      and (status = 'ONGOING' or (status = 'DONE' and done_time >= ${from}))`
  return rows.map(({ lat, lng, ...place }) => ({
    ...place,
    center: [lng, lat] as const,
    radiusMeters: place.placeType === "hub" ? hubRadiusMeters : taskRadiusMeters,
  }))
}
