import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { findWritten } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import { historyRows, insertionOf } from "./insert-tasks.ts"

/**
 * Unassigns a person who leaves from all their open tasks; tasks without other assignees become UNASSIGNED. Call it in
 * the transaction that removes the member.
 */
export async function releaseAssignee(
  tx: Tx,
  caller: Caller,
  email: string,
  context: { now: Temporal.Instant; live: LiveEvents },
): Promise<void> {
  const released = await tx<Pick<TaskRow, "id" | "organizationId" | "hubId" | "assignee">[]>`
    update tasks set
      assignee = array_remove(assignee, ${email}),
      status = case when array_remove(assignee, ${email}) = '{}' then 'UNASSIGNED' else status end,
      assigned_to = case when assigned_to->>'email' = ${email} then null else assigned_to end,
      assigned_by = case when array_remove(assignee, ${email}) = '{}' then null else assigned_by end,
      assigned_time = case when array_remove(assignee, ${email}) = '{}' then null else assigned_time end,
      updated_by = ${caller.email}, updated_time = ${context.now}
    where organization_id = ${caller.organizationId} and status = 'ONGOING' and assignee @> array[${email}]::text[]
      and (first_assignee = ${email} or cardinality(assignee) > 1)
    returning id, organization_id, hub_id, assignee`
  if (released.length === 0) return
  const entries = released.map((task) => ({ taskId: task.id, action: "unassign" as const, changeData: null }))
  await tx`${insertionOf(tx, caller, historyRows(caller, entries, context.now))}`
  const ids = released.map(({ id }) => id)
  await emitTasks(tx, context.live, "onTaskUpdated", await findWritten(tx, caller, ids))
  await publishTasks(tx, context.live, "task.updated", released)
}

/** Follows a person's new e-mail in everything that is assigned to them. */
export async function renameAssignee(
  tx: Tx,
  organizationId: string,
  from: string,
  to: string,
): Promise<void> {
  await tx`
    update tasks set assignee = array_replace(assignee, ${from}, ${to}),
      assigned_to = case when assigned_to->>'email' = ${from}
        then jsonb_set(assigned_to, '{email}', to_jsonb(${to}::text)) else assigned_to end
    where organization_id = ${organizationId} and assignee @> array[${from}]::text[]
      and (first_assignee = ${from} or cardinality(assignee) > 1)`
}
