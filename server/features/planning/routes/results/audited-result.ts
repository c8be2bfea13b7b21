import { type AuditedObject, eachById } from "#core/audit-trail/audited-object.ts"
import { visibleResults } from "../queries.ts"

export const auditedResult: AuditedObject = {
  type: "result",
  viewPermission: "view/result",
  trashType: "Routing Result",
  isVisible: (sql, caller, id) =>
    sql`exists (select from routing_results where ${visibleResults(sql, caller)} and routing_results.id = ${id})`,
  undo: {
    table: "routing_results",
    // A dispatch knows what each task was before it, also of those that it split.
    alsoUndoes: ["task"],
    revert: (results) =>
      results.map(({ id, before, row }) =>
        "dispatch_status" in before && before.dispatch_status === null && row.dispatch_status !== null
          ? { method: "POST", path: "/dispatch/undo", body: { resultId: id }, ids: [id] }
          : { refusal: "A plan is not changed back; choose one of its versions instead", ids: [id] },
      ),
    remove: (ids) =>
      eachById(
        ids.map((id) => ({ id })),
        ({ id }) => ({ method: "DELETE", path: `/result/${id}` }),
      ),
  },
}
