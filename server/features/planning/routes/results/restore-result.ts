import { Type } from "typebox"
import { Value } from "typebox/value"
import { publish } from "#core/events/publish.ts"
import { type Restorer, restoreRows, showRows, trashErrors } from "#core/trash.ts"
import { type ResultRow, resultColumns } from "../queries.ts"
import { toWireResult } from "./wire.ts"

const Row = Type.Record(Type.String(), Type.Unknown())
const Content = Type.Object({ result: Row, histories: Type.Array(Row) })

/** Brings a result back with its versions. A run that was deleted on its way is failed: nobody works on it. */
export const resultRestorer: Restorer = {
  type: "Routing Result",
  dataType: "results",
  viewPermission: "view/result",
  permission: "route-optimization",
  show: showRows<ResultRow>("routing_results", (sql) => resultColumns(sql), toWireResult, { key: "result" }),
  async restore(tx, caller, { sourceId, hubId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    const { result, histories } = content
    const wasRunning = result.status === "ongoing"
    const ended = wasRunning
      ? { status: "failed", message: "The run was deleted before it finished", runner: null }
      : {}
    await restoreRows(tx, caller, "routing_results", [{ ...result, ...ended }])
    await restoreRows(tx, caller, "routing_result_histories", histories)
    await publish(tx, live, "routing.changed", {
      organizationId: caller.organizationId,
      hubId,
      content: { resultIds: [sourceId] },
    })
  },
}
