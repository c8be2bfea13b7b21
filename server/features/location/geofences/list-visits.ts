import { type Caller, inCallersHubs } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { isInSight } from "../positions/index.ts"
import { visibleGeofences } from "./areas/index.ts"
import type { PlaceType } from "./fences.ts"

export interface VisitRow {
  id: string
  userId: string
  email: string
  name: string
  placeType: PlaceType
  placeId: string
  placeName: string | null
  lat: number | null
  lng: number | null
  arrivedAt: Temporal.Instant
  leftAt: Temporal.Instant | null
}

export const maxVisits = 2_000

export interface VisitFilter {
  userId?: string
  placeId?: string
  placeType?: PlaceType
  from: Temporal.Instant | undefined
  to: Temporal.Instant | undefined
}

/** Arrivals that the caller may see, newest first. */
export async function listVisits(sql: Sql, caller: Caller, filter: VisitFilter): Promise<VisitRow[]> {
  return sql<VisitRow[]>`
    select visit.id, visit.user_id, users.email, users.name, visit.place_type, visit.place_id, visit.arrived_at,
      visit.left_at, coalesce(hubs.name, tasks.title, geofences.name) as place_name, coalesce(hubs.lat, tasks.lat) as lat,
      coalesce(hubs.lng, tasks.lng) as lng
    from location_visits visit
    join users on users.organization_id = visit.organization_id and users.id = visit.user_id
    left join hubs on visit.place_type = 'hub' and hubs.organization_id = visit.organization_id
      and hubs.id = visit.place_id and ${inCallersHubs(sql, caller, sql`hubs.id`)}
    left join tasks on visit.place_type = 'task' and tasks.organization_id = visit.organization_id
      and tasks.id = visit.place_id and ${inCallersHubs(sql, caller, sql`tasks.hub_id`)}
      and (${caller.permissions.has("view/task")} or ${caller.email} = any (tasks.assignee))
    left join geofences on visit.place_type = 'geofence' and geofences.id = visit.place_id and ${visibleGeofences(sql, caller)}
    where visit.organization_id = ${caller.organizationId} and ${isInSight(sql, caller)}
      ${filter.placeType === undefined ? sql`` : sql`and visit.place_type = ${filter.placeType}`}
      ${filter.userId === undefined ? sql`` : sql`and visit.user_id = ${filter.userId.toLowerCase()}`}
      ${filter.placeId === undefined ? sql`` : sql`and visit.place_id = ${filter.placeId.toLowerCase()}`}
      ${filter.from ? sql`and (visit.left_at is null or visit.left_at >= ${filter.from})` : sql``}
      ${filter.to ? sql`and visit.arrived_at <= ${filter.to}` : sql``}
    order by visit.arrived_at desc, visit.id limit ${maxVisits}`
}

/** Who is at the place of one of their tasks right now, by their recorded positions. */
export function openTaskVisits(
  sql: Sql,
  organizationId: string,
): Promise<{ taskId: string; arrivedAt: Temporal.Instant }[]> {
  return sql`
    select place_id as task_id, max(arrived_at) as arrived_at from location_visits
    where organization_id = ${organizationId} and place_type = 'task' and left_at is null
    group by place_id`
}

const maxRecent = 20_000

/** Visits of geofences that are open, or began or ended since a moment. */
export function recentGeofenceVisits(
  sql: Sql,
  organizationId: string,
  since: Temporal.Instant,
): Promise<
  {
    id: string
    userId: string
    geofenceId: string
    placeName: string | null
    arrivedAt: Temporal.Instant
    leftAt: Temporal.Instant | null
  }[]
> {
  return sql`
    select visit.id, visit.user_id, visit.place_id as geofence_id, geofences.name as place_name, visit.arrived_at,
      visit.left_at
    from location_visits visit
    left join geofences on geofences.organization_id = visit.organization_id and geofences.id = visit.place_id
    where visit.organization_id = ${organizationId} and visit.place_type = 'geofence'
      and (visit.left_at is null or visit.left_at >= ${since})
    order by visit.arrived_at desc limit ${maxRecent}`
}
