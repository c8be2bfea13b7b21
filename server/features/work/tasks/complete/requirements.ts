import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { type FlowRow, findRequirements } from "../../flows/index.ts"
import type { TaskRow } from "../wire.ts"

/** By task: the components that its flow demanded when it was made, where the flow has changed since. */
export async function demandedWhenMade(
  tx: Tx,
  caller: Caller,
  tasks: readonly TaskRow[],
  flows: ReadonlyMap<string, FlowRow>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const older = tasks.filter(
    (task) => task.flowVersion !== null && task.flowVersion !== flows.get(task.flowId)?.version,
  )
  if (older.length === 0) return new Map()
  const flowIds = [...new Set(older.map((task) => task.flowId as string))]
  const rows = await findRequirements(tx, caller.organizationId, flowIds)
  return new Map(
    older.flatMap((task) => {
      const row = rows.find(
        ({ flowId, flowVersion }) => flowId === task.flowId && flowVersion === task.flowVersion,
      )
      return row ? [[task.id as string, new Set(row.componentIds)] as const] : []
    }),
  )
}
