import type { Sql } from "#core/database/database.ts"
import type { HubRow } from "../../../organization/hubs/index.ts"

const daysOfHistory = 28
const maxPoints = 200_000
/** Below, somebody walks or stands; above, a fix jumped. */
const slowestKilometersPerHour = 5
const fastestKilometersPerHour = 130
const fewestPoints = 100

/**
 * How fast the people of a hub drive, in km/h: the median of their own positions per hour of the day, then the
 * mean of those hours, so that a busy morning does not count for the whole day. The default where they have
 * sent too little. A road service has times of its own, so that nothing is asked then.
 */
export async function usualSpeed(
  sql: Sql,
  hub: HubRow,
  defaultSpeed: number,
  { now, hasRoadService }: { now: Temporal.Instant; hasRoadService: boolean },
): Promise<number> {
  if (hasRoadService) return defaultSpeed
  const rows = await sql<{ speed: number | null; points: number }[]>`
    with sent as (
      select p.speed, extract(hour from p.recorded_at) as hour from location_points p
      join users on users.organization_id = ${hub.organizationId} and users.number = p.person_number
      join user_hubs h on h.organization_id = users.organization_id and h.user_id = users.id and h.hub_id = ${hub.id}
      where p.organization_number = (select number from organizations where id = ${hub.organizationId})
        and p.recorded_at >= ${now.subtract({ hours: 24 * daysOfHistory })} and p.recorded_at <= ${now}
        and p.speed between ${slowestKilometersPerHour} and ${fastestKilometersPerHour}
      limit ${maxPoints}
    ), hourly as (
      select percentile_cont(0.5) within group (order by speed) as speed, count(*) as points from sent group by hour
    )
    select avg(speed)::float8 as speed, coalesce(sum(points), 0)::int as points from hourly`
  const [found] = rows
  if (!found || found.speed === null || found.points < fewestPoints) return defaultSpeed
  return Math.max(5, Math.round(found.speed * 10) / 10)
}
