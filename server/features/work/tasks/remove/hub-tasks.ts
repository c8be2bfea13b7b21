import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { restoreRows } from "#core/trash.ts"
import type { HubOfCaller } from "../../../organization/hubs/index.ts"
import { emitTasks } from "../events.ts"
import { relatedColumns, taskColumns } from "../queries.ts"
import type { TaskRow } from "../wire.ts"
import { holdRestoredRefs } from "../write/unique-refs.ts"

const batchSize = 500

/** Deletes the tasks of a hub that is being deleted, with their events. Returns the rows, to be kept in the trash. */
export async function removeTasksOfHub(tx: Tx, live: LiveEvents, hub: HubOfCaller): Promise<unknown[]> {
  await emitTasksOfHub(tx, live, hub, "onTaskDeleted")
  const removed = await tx<{ row: unknown }[]>`
    delete from tasks where organization_id = ${hub.caller.organizationId} and hub_id = ${hub.hubId}
    returning to_jsonb(tasks) as row`
  return removed.map(({ row }) => row)
}

/** Puts them back, unless one has a `refId` that must be unique and belongs to another task by now. */
export async function restoreTasksOfHub(
  tx: Tx,
  live: LiveEvents,
  hub: HubOfCaller,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const refIds = rows.flatMap(({ ref_id }) => (typeof ref_id === "string" ? [ref_id] : []))
  await holdRestoredRefs(tx, hub.caller, refIds)
  await restoreRows(tx, hub.caller, "tasks", rows)
  await emitTasksOfHub(tx, live, hub, "onTaskCreated")
}

async function emitTasksOfHub(
  tx: Tx,
  live: LiveEvents,
  { caller: { organizationId }, hubId }: HubOfCaller,
  event: "onTaskCreated" | "onTaskDeleted",
): Promise<void> {
  let rows: TaskRow[] = []
  do {
    rows = await tx<TaskRow[]>`
      select ${taskColumns(tx)}, ${relatedColumns(tx)} from tasks
      where organization_id = ${organizationId} and hub_id = ${hubId} and id > ${rows.at(-1)?.id ?? ""}
      order by id limit ${batchSize}`
    await emitTasks(tx, live, event, rows)
  } while (rows.length === batchSize)
}
