import { Type } from "typebox"
import { Value } from "typebox/value"
import { publish } from "#core/events/live-events.ts"
import { keptRows, type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { type DataTypeRow, dataTypeColumns, toWireDataType } from "./queries.ts"

const Content = Type.Record(Type.String(), Type.Unknown())

/** Puts a deleted data type back. The key of an external one was not kept: it must be given again. */
export const dataTypeRestorer: Restorer = {
  type: "Data Type",
  dataType: "data-types",
  viewPermission: "view/dataType",
  permission: "add/dataType",
  async show(sql, _caller, contents) {
    const rows = await sql<DataTypeRow[]>`
      select ${dataTypeColumns(sql)} from ${keptRows(sql, "data_types", contents)}`
    return rows.map(toWireDataType)
  },
  async restore(tx, caller, { sourceId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    await restoreRows(tx, caller, "data_types", [content])
    const { organizationId } = caller
    await publish(tx, live, "dataType.changed", { organizationId, content: { dataTypeId: sourceId } })
  },
}
