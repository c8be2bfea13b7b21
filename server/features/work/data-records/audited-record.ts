import {
  type AuditedObject,
  type Columns,
  changedKeys,
  eachById,
  toBody,
} from "#core/audit-trail/audited-object.ts"
import { visibleRecords } from "./queries.ts"

export const auditedRecord: AuditedObject = {
  type: "record",
  viewPermission: "view/data",
  trashType: "Data",
  isVisible: (sql, caller, id) =>
    sql`exists (select from data_records where ${visibleRecords(sql, { caller, onlyMine: true })} and data_records.id = ${id})`,
  undo: {
    table: "data_records",
    revert: (records) =>
      eachById(records, ({ id, before, row }) => {
        const { values, ...columns } = before
        const [was, is] = [(values ?? row.values) as Columns, row.values as Columns]
        const fields = Object.fromEntries(changedKeys(was, is).map((key) => [key, was[key] ?? null]))
        return { method: "PATCH", path: `/data/${id}`, body: { ...fields, ...toBody(columns) } }
      }),
    remove: (ids) =>
      eachById(
        ids.map((id) => ({ id })),
        ({ id }) => ({ method: "DELETE", path: `/data/${id}` }),
      ),
  },
}
