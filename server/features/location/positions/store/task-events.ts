import type { Sql } from "#core/database/database.ts"
import { distanceMeters } from "#packages/geodesy/geodesy.ts"
import { eventCodes } from "../thinning/point-codes.ts"
import type { Tenant } from "./people.ts"
import type { NewPoint } from "./store-points.ts"

interface TaskPlace {
  id: string
  status: string
  /** Epoch milliseconds. */
  doneAt: number | null
  lat: number | null
  lng: number | null
  /** Whether a point was already marked as the first after the task was done. */
  isDoneReported: boolean
}
export type TaskPlaces = Map<string, TaskPlace>

/** As far from a task's place as its own arrival stamps reach. */
const nearMeters = 50

export async function findTaskPlaces(
  sql: Sql,
  tenant: Tenant,
  taskIds: readonly string[],
): Promise<TaskPlaces> {
  if (taskIds.length === 0) return new Map()
  const rows = await sql<(Omit<TaskPlace, "doneAt"> & { doneTime: Temporal.Instant | null })[]>`
    select id, status, done_time, lat, lng, reported.task_id is not null as is_done_reported
    from tasks left join (
      select distinct task_id from location_points where organization_number = ${tenant.organizationNumber}
        and task_id = any (${taskIds as string[]}) and event = ${eventCodes.done}
    ) reported on reported.task_id = tasks.id
    where organization_id = ${tenant.organizationId} and id = any (${taskIds as string[]})`
  return new Map(
    rows.map(({ doneTime, ...row }) => [row.id, { ...row, doneAt: doneTime?.epochMilliseconds ?? null }]),
  )
}

/** Sets the event of a point sent with a task and its distance to the destination (km). An event sent by the client is kept. */
export function assignTaskEvent(point: NewPoint, places: TaskPlaces): void {
  const task = point.taskId === null ? undefined : places.get(point.taskId)
  if (!task) return
  const meters =
    task.lat === null || task.lng === null
      ? undefined
      : distanceMeters([point.lng, point.lat], [task.lng, task.lat])
  if (meters !== undefined && task.status !== "DONE") point.distanceToDestination = Math.round(meters) / 1000
  if (point.event !== null) return
  if (task.doneAt !== null && point.recordedAt >= task.doneAt) {
    if (!task.isDoneReported) point.event = eventCodes.done
    task.isDoneReported = true
  } else if (meters !== undefined && meters <= nearMeters) point.event = eventCodes.nearBy
  else if (task.status !== "UNASSIGNED") point.event = eventCodes.otw
}
