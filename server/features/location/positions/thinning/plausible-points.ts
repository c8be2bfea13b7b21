import type { Sql } from "#core/database/database.ts"
import { readTrack } from "../read-track.ts"
import type { Tenant } from "../store/people.ts"
import type { FencePoint } from "../track/geofence.ts"
import { judgeTrack, verdicts } from "../track/plausibility.ts"
import { orderedTrack } from "../track/track.ts"

/** A person's points of a time span that they can really have travelled, in time order. */
export async function plausiblePoints(
  sql: Sql,
  tenant: Tenant,
  personNumber: number,
  from: Temporal.Instant,
  to: Temporal.Instant,
): Promise<FencePoint[]> {
  const { points } = await readTrack(sql, { tenant, personNumber, from, to })
  const judged = judgeTrack(orderedTrack(points))
  return points.filter(
    (_, index) => judged[index] === verdicts.plausible || judged[index] === verdicts.restart,
  )
}
