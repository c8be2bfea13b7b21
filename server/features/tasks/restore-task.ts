import { Type } from "typebox"
import { Value } from "typebox/value"
import { type Restorer, restoreRows, trashErrors } from "#core/trash.ts"
import { publishTasks, taskCreated } from "./events.ts"
import { findWritten } from "./queries.ts"

const Content = Type.Object({
  task: Type.Record(Type.String(), Type.Unknown()),
  histories: Type.Array(Type.Record(Type.String(), Type.Unknown())),
})

/** Puts a deleted task back with its history, where its hub still is. */
export const taskRestorer: Restorer = {
  type: "Task",
  permission: "add/task",
  async restore(tx, caller, { sourceId, content }, { live }) {
    if (!Value.Check(Content, content)) throw trashErrors.notRestorable()
    await restoreRows(tx, caller, "tasks", [content.task])
    await restoreRows(tx, caller, "task_histories", content.histories)
    await publishTasks(tx, live, taskCreated, await findWritten(tx, caller, [sourceId]))
  },
}
