import { type AuditedObject, eachById, toBody } from "#core/audit-trail/audited-object.ts"
import { visibleVehicles } from "./queries.ts"

export const auditedVehicle: AuditedObject = {
  type: "vehicle",
  viewPermission: "view/vehicle",
  trashType: "Vehicle",
  isVisible: (sql, caller, id) =>
    sql`exists (select from vehicles where ${visibleVehicles(sql, caller)} and vehicles.id = ${id})`,
  undo: {
    table: "vehicles",
    revert: (vehicles) =>
      eachById(vehicles, ({ id, before }) => ({
        method: "PATCH",
        path: `/vehicle/${id}`,
        body: toBody(before),
      })),
    remove: (ids) =>
      eachById(
        ids.map((id) => ({ id })),
        ({ id }) => ({ method: "DELETE", path: `/vehicle/${id}` }),
      ),
  },
}
