import { type AuditedObject, eachById, toBody } from "#core/audit-trail/audited-object.ts"
import { visibleVehicles } from "./queries.ts"
import { termNames } from "./terms.ts"

/** Terms are one column, and keys of their own on the wire. */
function bodyOf({ terms, ...columns }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (typeof terms !== "object") return toBody(columns)
  return { ...toBody(columns), ...Object.fromEntries(termNames.map((name) => [name, null])), ...terms }
}

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
        body: bodyOf(before),
      })),
    remove: (ids) =>
      eachById(
        ids.map((id) => ({ id })),
        ({ id }) => ({ method: "DELETE", path: `/vehicle/${id}` }),
      ),
  },
}
