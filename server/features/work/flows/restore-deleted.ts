import { type Restorer, restoreRows, rowOf, showRows } from "#core/trash.ts"
import { type FlowRow, flowColumns, toWireFlow } from "./queries.ts"
import { announce } from "./write-flow.ts"

/** Puts a deleted flow back with its id, so that its tasks have their flow again. */
export const flowRestorer: Restorer = {
  type: "Flow",
  dataType: "flows",
  viewPermission: "view/flow",
  permission: "add/flow",
  show: showRows<FlowRow>("flows", flowColumns, toWireFlow),
  async restore(tx, caller, { sourceId, content }, { live }) {
    await restoreRows(tx, caller, "flows", [rowOf(content)])
    await announce(tx, caller, sourceId, live)
  },
}
