import { Type } from "typebox"
import { Value } from "typebox/value"
import { keptRows, type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { emitTasks, publishTasks } from "../events.ts"
import { findWritten, relatedColumns, taskColumns, visibleTasks } from "../queries.ts"
import { type TaskRow, toWireTask } from "../wire.ts"
import { holdRestoredRefs } from "../write/unique-refs.ts"

const Row = Type.Record(Type.String(), Type.Unknown())
const TaskContent = { task: Row, histories: Type.Array(Row) }
const Content = Type.Object({
  ...TaskContent,
  subTasks: Type.Optional(Type.Array(Type.Object(TaskContent))),
})

/** Puts a deleted task back with its history and the sub-tasks that went with it, where its hub still is. */
export const taskRestorer: Restorer = {
  type: "Task",
  dataType: "tasks",
  viewPermission: "view/task",
  permission: "add/task",
  isVisible: (sql, caller) =>
    caller.isOwner
      ? sql`true`
      : sql`exists (
          select from jsonb_populate_record(null::tasks, trash.content -> 'task') as tasks where ${visibleTasks(sql, caller)})`,
  async show(sql, _caller, contents) {
    const tasks = contents.map(({ task }) => task)
    const rows = await sql<TaskRow[]>`
      select ${taskColumns(sql)}, ${relatedColumns(sql)} from ${keptRows(sql, "tasks", tasks)}`
    return rows.map((row) => toWireTask(row))
  },
  async restore(tx, caller, { sourceId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    const all = [content, ...(content.subTasks ?? [])]
    const refIds = all.flatMap(({ task }) => (typeof task.ref_id === "string" ? [task.ref_id] : []))
    await holdRestoredRefs(tx, caller, refIds)
    for (const { task, histories } of all) {
      await restoreRows(tx, caller, "tasks", [task])
      await restoreRows(tx, caller, "task_histories", histories)
    }
    const ids = [sourceId, ...(content.subTasks ?? []).map(({ task }) => String(task.id))]
    const restored = await findWritten(tx, caller, ids)
    await emitTasks(tx, live, "onTaskCreated", restored)
    await publishTasks(tx, live, "task.created", restored)
  },
}
