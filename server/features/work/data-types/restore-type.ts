import { publish } from "#core/events/publish.ts"
import { type Restorer, restoreRows, rowOf, showRows } from "#core/trash.ts"
import { type DataTypeRow, dataTypeColumns, toWireDataType } from "./queries.ts"

/** Puts a deleted data type back. The key of an external one was not kept: it must be given again. */
export const dataTypeRestorer: Restorer = {
  type: "Data Type",
  dataType: "data-types",
  viewPermission: "view/dataType",
  permission: "add/dataType",
  show: showRows<DataTypeRow>("data_types", dataTypeColumns, toWireDataType),
  async restore(tx, caller, { sourceId, content }, { live }) {
    await restoreRows(tx, caller, "data_types", [rowOf(content)])
    const { organizationId } = caller
    await publish(tx, live, "dataType.changed", { organizationId, content: { dataTypeId: sourceId } })
  },
}
