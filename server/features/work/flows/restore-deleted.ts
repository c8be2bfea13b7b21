import { Type } from "typebox"
import { Value } from "typebox/value"
import { keptRows, type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { type FlowRow, flowColumns, toWireFlow } from "./queries.ts"
import { announce } from "./write-flow.ts"

const Content = Type.Record(Type.String(), Type.Unknown())

/** Puts a deleted flow back with its id, so that its tasks have their flow again. */
export const flowRestorer: Restorer = {
  type: "Flow",
  dataType: "flows",
  viewPermission: "view/flow",
  permission: "add/flow",
  async show(sql, _caller, contents) {
    const rows = await sql<FlowRow[]>`select ${flowColumns(sql)} from ${keptRows(sql, "flows", contents)}`
    return rows.map(toWireFlow)
  },
  async restore(tx, caller, { sourceId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    await restoreRows(tx, caller, "flows", [content])
    await announce(tx, caller, sourceId, live)
  },
}
