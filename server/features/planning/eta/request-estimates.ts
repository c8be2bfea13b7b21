import { Type } from "typebox"
import { afterCommit, type Pool, type Tx } from "#core/database/database.ts"
import type { DomainEvent, StoredEventName } from "#core/domain-events.ts"
import { sendSoon } from "#core/jobs/send-soon.ts"

/** The job that `estimateSoon` sends; its handler is in `follow-estimates.ts`. */
export const followJob = {
  name: "eta.follow",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 120,
} as const

/** Changes of a task after which the stops of its people are reached at other times. */
const relevant: ReadonlySet<StoredEventName> = new Set<StoredEventName>([
  "onTaskCreated",
  "onTaskAssigned",
  "onTaskFinished",
  "onTaskUpdated",
  "onTaskMoved",
  "onTaskDeleted",
  "onTaskArrived",
  "onTaskLeft",
])

/** Listener of domain events: notes with the change whose estimates are due, and has them computed after the commit. */
export async function requestEstimates(
  tx: Tx,
  organizationId: string,
  event: StoredEventName,
  events: readonly DomainEvent[],
  pool: Pool,
): Promise<void> {
  if (!relevant.has(event)) return
  const emails = new Set(events.flatMap(assigneesOf))
  // Nobody has an estimate of a new task without people.
  if (event === "onTaskCreated" && emails.size === 0) return
  await tx`
    insert into task_estimate_requests (organization_id, task_ids, emails)
    values (${organizationId}, ${events.map(({ referenceId }) => referenceId)}, ${[...emails]})`.reusePlan()
  afterCommit(tx, () => estimateSoon(pool))
}

function assigneesOf(event: DomainEvent): string[] {
  const record = ("record" in event ? event.record : JSON.parse(event.recordJson)) as { assignee?: unknown }
  return Array.isArray(record.assignee) ? record.assignee.map(String) : []
}

/** The shortest time between two computations of one process, however many changes and positions come. */
const pauseMilliseconds = 4_000

/** Has the estimates of people whose tasks or positions changed computed. */
export function estimateSoon(pool: Pool): void {
  sendSoon(pool, followJob, { pauseMilliseconds })
}
