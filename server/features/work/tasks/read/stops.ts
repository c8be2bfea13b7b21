import type { Sql, Tx } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"

/** A task as a place where somebody has to go. */
export interface OpenStop {
  id: Id<"task">
  hubId: Id<"hub">
  flowId: Id<"flow">
  /** The first assignee. */
  email: string
  lat: number
  lng: number
  startTime: Temporal.Instant
  endTime: Temporal.Instant
  orderIndex: number
  routingResultId: string | null
  values: Record<string, unknown>
  /** Position in the planned route, planned arrival as a local time, vehicle; null where it was assigned by hand. */
  routePlannedOrder: number | null
  assignedVehicleId: string | null
  arrivedTime: Temporal.Instant | null
  leftTime: Temporal.Instant | null
  isSkipped: boolean
}

/** Further back, an open task is not part of a route of today. */
const maxAgeDays = 90

/** Tasks in progress of these people that have a place and a time between two moments, in no particular order. */
export function openStops(
  sql: Sql,
  organizationId: string,
  emails: readonly string[],
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<OpenStop[]> {
  return sql<OpenStop[]>`
    select id, hub_id, flow_id, first_assignee as email, lat, lng, start_time, end_time, order_index, routing_result_id,
      "values", (attributes ->> 'routePlannedOrder')::float8 as route_planned_order,
      attributes ->> 'assignedVehicleId' as assigned_vehicle_id,
      (attributes ->> 'arrivedTime')::timestamptz as arrived_time,
      (attributes ->> 'leftTime')::timestamptz as left_time,
      coalesce(attributes ->> 'outcome' = 'skipped', false) as is_skipped
    from tasks
    where organization_id = ${organizationId} and first_assignee = any (${[...emails]})
      and created_time > ${to.subtract({ hours: 24 * maxAgeDays })}
      and status = 'ONGOING' and task_type = 'task' and lat is not null and start_time < ${to} and end_time > ${from}`
}

/** Tasks of a hub that are not finished, have a place, and begin between two moments. */
export function stopsOfHub(
  sql: Sql,
  { organizationId, hubId }: { organizationId: string; hubId: string },
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<
  (Pick<OpenStop, "id" | "flowId" | "lat" | "lng" | "startTime" | "endTime" | "values"> & {
    email: string | null
  })[]
> {
  return sql`
    select id, flow_id, first_assignee as email, lat, lng, start_time, end_time, "values" from tasks
    where organization_id = ${organizationId} and hub_id = ${hubId} and start_time >= ${from} and start_time < ${to}
      and status <> 'DONE' and task_type = 'task' and lat is not null
    order by start_time, id limit 1000`
}

/** Flow and values of what somebody finished between two moments, both included. */
export function finishedValues(
  sql: Sql,
  organizationId: string,
  email: string,
  { from, to }: { from: Temporal.Instant; to: Temporal.Instant },
): Promise<Pick<OpenStop, "id" | "flowId" | "values">[]> {
  return sql`
    select id, flow_id, "values" from tasks
    where organization_id = ${organizationId} and done_by = ${email} and done_time >= ${from} and done_time <= ${to}
      and status = 'DONE' and task_type <> 'activityMaster' limit 1000`
}

/** A visit that somebody made, with the times that their client sent. */
export interface FinishedStop {
  id: Id<"task">
  flowId: Id<"flow">
  email: string
  lat: number
  lng: number
  values: Record<string, unknown>
  arrivedTime: Temporal.Instant
  leftTime: Temporal.Instant
}

/** Finished tasks with an arrival, newest first; who did not record leaving left when they finished. */
export function finishedStops(
  sql: Sql,
  organizationId: string,
  since: Temporal.Instant,
  limit: number,
): Promise<FinishedStop[]> {
  return sql<FinishedStop[]>`
    select id, flow_id, done_by as email, lat, lng, "values", (attributes ->> 'arrivedTime')::timestamptz as arrived_time,
      coalesce((attributes ->> 'leftTime')::timestamptz, done_time) as left_time
    from tasks
    where organization_id = ${organizationId} and done_time > ${since} and status = 'DONE' and done_by is not null
      and lat is not null and attributes ? 'arrivedTime'
    order by done_time desc limit ${limit}`
}

/** When the workers of these tasks arrived, for those who have. */
export function arrivalsAt(
  sql: Sql,
  organizationId: string,
  taskIds: readonly string[],
): Promise<{ id: string; arrivedTime: Temporal.Instant }[]> {
  return sql<{ id: string; arrivedTime: Temporal.Instant }[]>`
    select id, (attributes ->> 'arrivedTime')::timestamptz as arrived_time from tasks
    where organization_id = ${organizationId} and id = any (${[...taskIds]}) and attributes ? 'arrivedTime'`.reusePlan()
}

/** Those of these tasks that exist, and will until the transaction ends. */
export async function lockExistingTasks(
  tx: Tx,
  organizationId: string,
  taskIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select id from tasks where organization_id = ${organizationId} and id = any (${[...taskIds]})
    order by id for key share`
  return new Set(rows.map(({ id }) => id))
}
