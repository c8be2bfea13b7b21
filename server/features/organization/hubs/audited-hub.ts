import { type AuditedObject, eachById, toBody } from "#core/audit-trail/audited-object.ts"
import { visibleHubs } from "./queries.ts"

export const auditedHub: AuditedObject = {
  type: "hub",
  viewPermission: "view/hub",
  trashType: "Hub",
  isVisible: (sql, caller, id) =>
    sql`exists (select from hubs where ${visibleHubs(sql, caller)} and hubs.id = ${id})`,
  undo: {
    table: "hubs",
    revert: (hubs) =>
      eachById(hubs, ({ id, before, row }) => {
        const { name, address, lat, lng, country_code, time_zone } = { ...row, ...before }
        return {
          method: "PUT",
          path: `/hub/${id}`,
          body: toBody({ name, address, lat, lng, country_code, time_zone }),
        }
      }),
    remove: (ids) =>
      eachById(
        ids.map((id) => ({ id })),
        ({ id }) => ({ method: "DELETE", path: `/hub/${id}` }),
      ),
  },
}
