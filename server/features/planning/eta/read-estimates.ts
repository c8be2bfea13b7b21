import type { Sql } from "#core/database/database.ts"
import { toT1 } from "#shared/wire-time.ts"
import { hubsOfTasks } from "../../work/tasks/index.ts"

/** When a worker is expected at an open stop. */
export interface TaskEstimate {
  taskId: string
  arrival: Temporal.Instant
  /** The arrival is between these in nine of ten cases. */
  earliest: Temporal.Instant
  latest: Temporal.Instant
  stopsBefore: number
  /** `straight`: without road times. */
  basis: "road" | "straight"
  /** Expected after the deadline. */
  isLate: boolean
  computedAt: Temporal.Instant
}

/**
 * Estimates of the open stops among these tasks, by task. Tasks without a place, without an assignee, not of today or
 * already reached have none. The caller has checked who may see the tasks.
 */
export async function readEstimates(
  sql: Sql,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, TaskEstimate>> {
  if (taskIds.length === 0) return new Map()
  const rows = await sql<TaskEstimate[]>`
    select task_id, arrival, earliest, latest, stops_before, basis, late_since is not null as is_late, computed_at
    from task_estimates where task_id = any (${[...taskIds]})`.reusePlan()
  return new Map(rows.map((row) => [row.taskId, row]))
}

/** The fields that the tasks among these with an estimate have on the wire. */
export async function estimateFields(
  sql: Sql,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, object>> {
  const estimates = await readEstimates(sql, taskIds)
  return new Map([...estimates].map(([taskId, estimate]) => [taskId, toWireEstimate(estimate)]))
}

export function toWireEstimate({
  arrival,
  earliest,
  latest,
  stopsBefore,
  basis,
  isLate,
  computedAt,
}: TaskEstimate) {
  return {
    estimatedArrival: toT1(arrival),
    estimatedArrivalWindow: {
      earliest: toT1(earliest),
      latest: toT1(latest),
      stopsBefore,
      basis,
      isLate,
      computedTime: toT1(computedAt),
    },
  }
}

const maxLate = 5_000

/** Open stops of an organization that are expected after their deadline, the latest first. */
export async function lateEstimates(
  sql: Sql,
  organizationId: string,
): Promise<
  { taskId: string; hubId: string; emails: string[]; deadline: Temporal.Instant; reached: Temporal.Instant }[]
> {
  const rows = await sql<
    { taskId: string; email: string; deadline: Temporal.Instant; arrival: Temporal.Instant }[]
  >`
    select task_id, email, deadline, arrival from task_estimates
    where organization_id = ${organizationId} and arrival > deadline order by arrival - deadline desc limit ${maxLate}`
  const hubs = await hubsOfTasks(
    sql,
    organizationId,
    rows.map(({ taskId }) => taskId),
  )
  return rows.flatMap(({ taskId, email, deadline, arrival }) => {
    const hubId = hubs.get(taskId)
    return hubId === undefined ? [] : [{ taskId, hubId, emails: [email], deadline, reached: arrival }]
  })
}
