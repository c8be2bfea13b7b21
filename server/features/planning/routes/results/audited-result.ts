import {
  type AuditedObject,
  type Columns,
  type Earlier,
  eachById,
  type UndoStep,
} from "#core/audit-trail/audited-object.ts"
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
    leads: isDispatch,
    revert: (results) => results.flatMap(callsOf),
    remove: (ids) =>
      eachById(
        ids.map((id) => ({ id })),
        ({ id }) => ({ method: "DELETE", path: `/result/${id}` }),
      ),
  },
}

function isDispatch(before: Columns): boolean {
  return "dispatch_status" in before && before.dispatch_status === null
}

function callsOf({ id, before, row }: Earlier): UndoStep[] {
  if (isDispatch(before) && row.dispatch_status !== null)
    return [{ method: "POST", path: "/dispatch/undo", body: { resultId: id }, ids: [id] }]
  const { name, current_version: version } = before
  const calls: UndoStep[] = [
    ...(typeof version === "number"
      ? [{ method: "PUT" as const, path: `/result/${id}/restore/${version}`, ids: [id] }]
      : []),
    ...(typeof name === "string"
      ? [{ method: "PATCH" as const, path: `/result/${id}`, body: { name }, ids: [id] }]
      : []),
  ]
  return calls.length > 0 ? calls : [{ refusal: "The computation of a plan cannot be undone", ids: [id] }]
}
