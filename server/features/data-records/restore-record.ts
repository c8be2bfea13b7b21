import { Type } from "typebox"
import { Value } from "typebox/value"
import { hasHub } from "#core/access/caller.ts"
import { type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { dataCreated, emitRecords, publishRecords } from "./events.ts"
import { findWritten } from "./queries.ts"

const Content = Type.Record(Type.String(), Type.Unknown())

/** Puts a deleted record back, where its type and hub still are and nobody took its key. */
export const recordRestorer: Restorer = {
  type: "Data",
  permission: "add/data",
  async restore(tx, caller, { sourceId, hubId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    if (hubId !== null && !hasHub(caller, hubId)) throw trashErrors.notFound()
    await restoreRows(tx, caller, "data_records", [content])
    await emitRecords(tx, "onDataSourceCreated", await findWritten(tx, caller, [sourceId]))
    const restored = [{ id: sourceId, dataTypeId: String(content.data_type_id), hubId }]
    await publishRecords(tx, live, dataCreated, caller.organizationId, restored)
  },
}
