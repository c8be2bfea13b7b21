import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { findFlow } from "../../flows/index.ts"
import { isClientField } from "../complete/client-attributes.ts"
import { TaskSchema } from "../schemas.ts"
import { type TaskRow, toWireTask } from "../wire.ts"
import { TaskBody, TaskReplacement } from "../write/task-body.ts"

const baseKeys = new Set(
  [TaskSchema, TaskBody, TaskReplacement].flatMap(({ properties }) => Object.keys(properties)),
)
/** What clients send back of a task that they read. */
for (const key of ["histories", "parentId", "routingResultId", "doneBy", "subTask"]) baseKeys.add(key)

/**
 * Keys of a task's body that nothing knows: no base field, no field of phones, nothing that the task has, and no
 * component of its flow. The flow is read only for keys that the first three do not explain.
 */
export async function ignoredKeys(
  sql: Sql,
  caller: Caller,
  task: TaskRow,
  body: Readonly<Record<string, unknown>>,
): Promise<string[]> {
  const wire = toWireTask(task)
  const open = Object.keys(body).filter(
    (key) => !baseKeys.has(key) && !Object.hasOwn(wire, key) && !isClientField(key),
  )
  if (open.length === 0) return []
  const flow = await findFlow(sql, caller, task.flowId)
  const ids = (flow?.pages ?? []).flatMap(({ components }) => components.map(({ id }) => id))
  // A component's file keys begin with its id.
  return open.filter((key) => !ids.some((id) => key === id || key.startsWith(`${id}_`)))
}
