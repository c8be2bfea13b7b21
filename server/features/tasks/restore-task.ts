import { Type } from "typebox"
import { Value } from "typebox/value"
import { type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { emitTasks, publishTasks, taskCreated } from "./events.ts"
import { findWritten } from "./queries.ts"

const Row = Type.Record(Type.String(), Type.Unknown())
const TaskContent = { task: Row, histories: Type.Array(Row) }
const Content = Type.Object({
  ...TaskContent,
  subTasks: Type.Optional(Type.Array(Type.Object(TaskContent))),
})

/** Puts a deleted task back with its history and the sub-tasks that went with it, where its hub still is. */
export const taskRestorer: Restorer = {
  type: "Task",
  permission: "add/task",
  async restore(tx, caller, { sourceId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    const all = [content, ...(content.subTasks ?? [])]
    for (const { task, histories } of all) {
      await restoreRows(tx, caller, "tasks", [task])
      await restoreRows(tx, caller, "task_histories", histories)
    }
    const ids = [sourceId, ...(content.subTasks ?? []).map(({ task }) => String(task.id))]
    const restored = await findWritten(tx, caller, ids)
    await emitTasks(tx, "onTaskCreated", restored)
    await publishTasks(tx, live, taskCreated, restored)
  },
}
