import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { type FlowRow, findFlows, referenceIn, type SubFlow, subFlowsOf } from "../../flows/index.ts"
import { taskErrors } from "../errors.ts"
import type { TaskRow } from "../wire.ts"
import type { NewTask } from "../write/insert-tasks.ts"
import type { TaskBody } from "../write/task-body.ts"

/** The flows that tasks of these flows make tasks of, by id. */
export async function readSubFlows(
  tx: Tx,
  caller: Caller,
  flows: Iterable<FlowRow>,
): Promise<ReadonlyMap<string, FlowRow>> {
  const ids = [...flows].flatMap(({ pages }) => subFlowsOf(pages).map(({ flowId }) => flowId))
  if (ids.length === 0) return new Map()
  const found = await findFlows(tx, caller, [...new Set(ids)])
  return new Map(found.map((flow) => [flow.id as string, flow]))
}

/** The body of the task that a sub-flow makes beside its master: same hub, same people, with the values mapped to it. */
export function subTaskBody(master: NewTask, flow: FlowRow, { values }: SubFlow): TaskBody {
  const mapped = Object.entries(values).flatMap(([id, value]) => {
    const source = referenceIn(value)
    const filling = source === undefined ? value : master.values[source]
    return filling === undefined || filling === null ? [] : [[id, filling] as const]
  })
  return {
    ...Object.fromEntries(mapped),
    flow: flow.name,
    hubId: master.hubId,
    assignee: master.assignee,
    createdFrom: master.createdFrom,
  }
}

/** A sub-task that is not finished yet. */
export interface OpenSubTask {
  id: string
  parentId: string
  flow: string
  title: string | null
}

/** The open sub-tasks of the masters among these tasks. */
export async function findOpenSubTasks(
  tx: Tx,
  caller: Caller,
  tasks: readonly TaskRow[],
): Promise<OpenSubTask[]> {
  const masters = tasks.filter(({ taskType }) => taskType === "taskMaster").map(({ id }) => id as string)
  if (masters.length === 0) return []
  return tx<OpenSubTask[]>`
    select id, parent_id, flow, title from tasks
    where organization_id = ${caller.organizationId} and parent_id = any (${masters}) and task_type = 'taskChild'
      and status <> 'DONE' order by order_index, id`
}

/** Refuses to finish a task before the ones that it made. */
export function checkSubTasks(
  task: TaskRow,
  openSubTasks: readonly OpenSubTask[],
  current: ReadonlyMap<string, TaskRow>,
): void {
  const open = openSubTasks.find(
    ({ id, parentId }) => parentId === task.id && current.get(id)?.status !== "DONE",
  )
  if (!open) return
  const name = open.title ? `${open.flow}, ${open.title}` : open.flow
  throw taskErrors.invalid({ message: `Finish the sub-task first: ${name}` })
}
