import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { type Restorer, restoreRows, rowOf, showRows, trashErrors } from "#core/trash.ts"
import { emitRecords, publishRecords } from "../events.ts"
import { findWritten, recordColumns } from "../queries.ts"
import { type RecordRow, toWireRecord } from "../wire.ts"

/** The list of people of a record counts while its type says so; the list of a type that is gone counts too. */
function isOpenTo(sql: Sql, caller: Caller): Fragment {
  if (caller.isOwner) return sql`true`
  return sql`(jsonb_typeof(trash.content -> 'limit_user') is distinct from 'array'
    or trash.content -> 'limit_user' ? ${caller.email}
    or exists (select from data_types open where open.organization_id = trash.organization_id
      and open.id = trash.content ->> 'data_type_id' and not open.limit_user))`
}

/** Puts a deleted record back, where its type and hub still are and nobody took its key. */
export const recordRestorer: Restorer = {
  type: "Data",
  dataType: "data",
  viewPermission: "view/data",
  permission: "add/data",
  isVisible: isOpenTo,
  show: showRows<RecordRow>("data_records", recordColumns, toWireRecord),
  async restore(tx, caller, { sourceId, hubId, content }, { live }) {
    if (hubId !== null && !hasHub(caller, hubId)) throw trashErrors.notFound()
    const row = rowOf(content)
    await restoreRows(tx, caller, "data_records", [row])
    await emitRecords(tx, live, "onDataSourceCreated", await findWritten(tx, caller, [sourceId]))
    const restored = [{ id: sourceId, dataTypeId: String(row.data_type_id), hubId }]
    await publishRecords(tx, live, "data.created", caller.organizationId, restored)
  },
}
