import type { Caller } from "#core/access/caller.ts"
import type { Tx } from "#core/database/database.ts"
import { idPattern } from "#core/ids.ts"
import { isSameValue } from "#shared/values.ts"
import { parseDateTime } from "#shared/wire-time.ts"
import { readValues, type TaskRow, taskColumns, visibleTasks } from "../../../work/tasks/index.ts"
import { costFields } from "../rows/item-fields.ts"
import { changedItems, type GivenItem } from "../rows/read-items.ts"
import type { Draft, TaskWriting } from "./task-target.ts"

export type KeyedTask = Pick<
  TaskRow,
  | "id"
  | "hubId"
  | "flow"
  | "status"
  | "assignee"
  | "startTime"
  | "endTime"
  | "refId"
  | "values"
  | "attributes"
>

/** The visible tasks that the keys name: by `_id`, else by `refId`. Of several with one refId the newest. */
export async function findTasksByKey(
  tx: Tx,
  caller: Caller,
  keys: readonly string[],
): Promise<Map<string, KeyedTask>> {
  const given = keys.filter((key) => key !== "")
  const ids = given.filter((key) => idPattern.test(key)).map((key) => key.toLowerCase())
  const rows = await tx<TaskRow[]>`
    select ${taskColumns(tx)} from tasks
    where ${visibleTasks(tx, caller)} and (id = any (${ids}) or ref_id = any (${given}))
    order by created_time, id`
  const byRef = new Map(rows.flatMap((row) => (row.refId === null ? [] : [[row.refId, row] as const])))
  const byId = new Map(rows.map((row) => [row.id as string, row]))
  const found = new Map<string, KeyedTask>()
  for (const key of given) {
    const row = byId.get(key.toLowerCase()) ?? byRef.get(key)
    if (row) found.set(key, row)
  }
  return found
}

/**
 * What the line would change, as a patch; undefined when the task already is as the file says. Empty cells
 * change nothing. Values are compared as they would be stored, times as moments.
 */
export function taskChanges(
  task: KeyedTask,
  draft: Draft,
  { flow, groups }: TaskWriting,
): Record<string, unknown> | undefined {
  const {
    flow: _flow,
    hubId: _hub,
    createdFrom: _from,
    orderIndex: _order,
    refId: _key,
    ...sent
  } = draft.body
  const { startTime, endTime, assignee, ...values } = sent
  const { values: read } = readValues(flow.pages, values, "change")
  const patch: Record<string, unknown> = {}
  const lists = new Set(groups.map(({ id }) => id))
  const amounts = new Map(costFields(flow).map(({ id, amount }) => [id, amount]))
  for (const [id, value] of Object.entries(values)) {
    if (lists.has(id)) {
      const items = changedItems(task.values[id], value as GivenItem[])
      if (items) patch[id] = items
    } else if (amounts.has(id) && (task.values[id] ?? amounts.get(id)) === value) {
      // An export shows the flow's amount where the task has none of its own.
    } else if (!isSame(id in read ? read[id] : value, task.values[id] ?? task.attributes[id]))
      patch[id] = value
  }
  if (startTime !== undefined && parseDateTime(startTime) !== wholeSecond(task.startTime))
    patch.startTime = startTime
  if (endTime !== undefined && parseDateTime(endTime) !== wholeSecond(task.endTime)) patch.endTime = endTime
  if (assignee !== undefined && !isSamePeople(assignee, task.assignee)) patch.assignee = assignee
  return Object.keys(patch).length === 0 ? undefined : patch
}

function wholeSecond(instant: Temporal.Instant): number {
  return Math.floor(instant.epochMilliseconds / 1000) * 1000
}

function isSamePeople(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((email) => other.includes(email))
}

function isSame(one: unknown, other: unknown): boolean {
  if (isSameValue(one, other)) return true
  if (typeof one !== "string" || typeof other !== "string") return false
  if (one.trim() === other.trim()) return true
  const [at, was] = [parseDateTime(one), parseDateTime(other)]
  return at !== undefined && at === was
}
