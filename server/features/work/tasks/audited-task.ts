import {
  type AuditedObject,
  type Columns,
  changedKeys,
  type Earlier,
  type UndoCall,
} from "#core/audit-trail/audited-object.ts"
import { visibleTasks } from "./queries.ts"

export const auditedTask: AuditedObject = {
  type: "task",
  viewPermission: "view/task",
  trashType: "Task",
  isVisible: (sql, caller, id) =>
    sql`exists (select from tasks where ${visibleTasks(sql, caller)} and tasks.id = ${id})`,
  undo: {
    table: "tasks",
    revert(tasks) {
      const isFinished = ({ before, row }: Earlier) => "status" in before && row.status === "DONE"
      const finished = tasks.filter(isFinished).map(({ id }) => id)
      const open = tasks.filter((task) => !isFinished(task))
      const [edited, others] = [open.filter(patchOf), open.filter((task) => !patchOf(task))]
      // People must have access to the hub that a task is assigned in, so it moves first.
      return [
        ...(finished.length > 0 ? [{ refusal: "Finished work cannot be undone", ids: finished }] : []),
        ...bulk("PUT", "/tasks/bulk/move", others, hubOf),
        ...bulk("PUT", "/tasks/bulk/assign", others, assigneeOf),
        // One write for each task, however much of it was changed.
        ...bulk("PATCH", "/tasks/bulk", edited, (task) => ({
          ...hubOf(task),
          ...assigneeOf(task),
          ...patchOf(task),
        })),
      ]
    },
    remove: (ids) =>
      bulk(
        "DELETE",
        "/tasks/bulk",
        ids.map((id) => ({ id, before: {}, row: {}, parts: [] })),
        () => ({}),
      ),
  },
}

function bulk(
  method: UndoCall["method"],
  path: string,
  tasks: readonly Earlier[],
  bodyOf: (task: Earlier) => object | undefined,
): UndoCall[] {
  const bodies = tasks.flatMap((task) => {
    const body = bodyOf(task)
    return body ? [{ _id: task.id, ...body }] : []
  })
  if (bodies.length === 0) return []
  return [{ method, path, body: { tasks: bodies }, ids: bodies.map(({ _id }) => _id) }]
}

const hubOf = ({ before }: Earlier) => ("hub_id" in before ? { hubId: before.hub_id } : undefined)
const assigneeOf = ({ before }: Earlier) => ("assignee" in before ? { assignee: before.assignee } : undefined)

const plain = {
  start_time: "startTime",
  end_time: "endTime",
  order_index: "orderIndex",
  ref_id: "refId",
} as const

function patchOf({ before, row }: Earlier): object | undefined {
  const patch: Record<string, unknown> = {}
  for (const [column, name] of Object.entries(plain)) if (column in before) patch[name] = before[column]
  // Values of components and the rarer fields are beside the others; null clears one.
  for (const column of ["attributes", "values"]) {
    if (!(column in before)) continue
    const [was, is] = [before[column] as Columns, row[column] as Columns]
    for (const key of changedKeys(was, is)) patch[key] = was[key] ?? null
  }
  return Object.keys(patch).length > 0 ? patch : undefined
}
