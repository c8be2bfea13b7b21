import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import type { FlowRow } from "../../flows/index.ts"
import type { TaskRow } from "../wire.ts"
import { isRequired } from "./component-values.ts"

/** Stores the requirements of these flows in their present versions, for the tasks that are made now. */
export async function storeRequirements(tx: Tx, caller: Caller, flows: Iterable<FlowRow>): Promise<void> {
  for (const flow of flows) {
    const components = flow.pages.flatMap((page) => page.components)
    const demanded = components.filter(isRequired).map((component) => component.id)
    await tx`
      insert into task_requirements (organization_id, flow_id, flow_version, component_ids)
      values (${caller.organizationId}, ${flow.id}, ${flow.version}, ${demanded})
      on conflict do nothing`
  }
}

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
  const rows = await tx<{ flowId: string; flowVersion: number; componentIds: string[] }[]>`
    select flow_id, flow_version, component_ids from task_requirements
    where organization_id = ${caller.organizationId} and flow_id = any (${[...new Set(older.map((task) => task.flowId as string))]})`
  return new Map(
    older.flatMap((task) => {
      const row = rows.find(
        ({ flowId, flowVersion }) => flowId === task.flowId && flowVersion === task.flowVersion,
      )
      return row ? [[task.id as string, new Set(row.componentIds)] as const] : []
    }),
  )
}
