import { type AuditedObject, eachById, toBody } from "#core/audit-trail/audited-object.ts"

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
