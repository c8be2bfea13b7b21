import type { Fragment, Sql } from "#core/database/database.ts"
import { inSpan, noTimes, type Span } from "./hour-rows.ts"

/** Alarms of trackers about driving, as rows of a facet. */
export function drivingRows(sql: Sql, organizationId: string, span: Span): Fragment {
  return sql`
    select at, '' as hub_id, '' as flow_id, person, kind as outcome, false as is_late, '' as reason, '' as late_reason, '' as vehicle_id,
      1 as tasks, 0 as stops, 0 as first_attempts, 0 as timed, 0::float8 as service_seconds, 0::float8 as waiting_seconds,
      0::float8 as late_seconds, 0 as ratings, 0 as stars, 0::float8 as meters, 0::float8 as seconds, ${noTimes(sql)}
    from driving_alarms where organization_id = ${organizationId} and ${inSpan(sql, sql`at`, span)}`
}
