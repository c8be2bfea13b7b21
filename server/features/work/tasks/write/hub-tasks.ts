import type { Tx } from "#core/database/database.ts"
import type { LiveEvents } from "#core/events/live-events.ts"
import { emitTasks } from "../events.ts"
import { hubAndOrganization, taskColumns } from "../queries.ts"
import type { TaskRow } from "../wire.ts"

const batchSize = 500

/** Emits an event for every task of a hub that is about to be deleted, or that was restored. */
export async function emitTasksOfHub(
  tx: Tx,
  live: LiveEvents,
  { organizationId, hubId }: { organizationId: string; hubId: string },
  event: "onTaskCreated" | "onTaskDeleted",
): Promise<void> {
  let rows: TaskRow[] = []
  do {
    rows = await tx<TaskRow[]>`
      select ${taskColumns(tx)}, ${hubAndOrganization(tx)} from tasks
      where organization_id = ${organizationId} and hub_id = ${hubId} and id > ${rows.at(-1)?.id ?? ""}
      order by id limit ${batchSize}`
    await emitTasks(tx, live, event, rows)
  } while (rows.length === batchSize)
}
