import { type AuditedObject, eachById, toBody } from "#core/audit-trail/audited-object.ts"
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

export const auditedFlow: AuditedObject = {
  type: "flow",
  viewPermission: "view/flow",
  trashType: "Flow",
  isVisible: (sql, caller, id) =>
    sql`exists (select from flows where flows.organization_id = ${caller.organizationId} and flows.id = ${id})`,
  undo: {
    table: "flows",
    revert: (flows) =>
      eachById(flows, ({ id, before, row }) => {
        const { name, pages, configurations, is_default, order_index } = { ...row, ...before }
        const body = toBody({ name, pages, configurations, is_default, order_index })
        return { method: "PUT", path: `/flow/${id}`, body }
      }),
    remove: (ids) =>
      eachById(
        ids.map((id) => ({ id })),
        ({ id }) => ({ method: "DELETE", path: `/flow/${id}` }),
      ),
  },
}
