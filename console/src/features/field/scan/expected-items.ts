import { linesOf } from "../../work/flows/fields/bill-total.ts"
import type { Flow, FlowComponent } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"

/** Something that has to be in the vehicle before departure. */
export interface ExpectedItem {
  /** Of the stop and the line: the same as long as the plan is. */
  key: string
  stop: string
  title: string
  content: string | null
  data: unknown
  quantity: number
}

/** What the stops of the day need: the lines that planners entered, or the stop itself where there are none. */
export function expectedItems(tasks: readonly Task[], flows: ReadonlyMap<string, Flow>): ExpectedItem[] {
  return tasks.flatMap((task) => {
    const stop = task.title ?? task.flow
    const planned = (flows.get(task.flowId)?.pages[0]?.components ?? []) as FlowComponent[]
    const lines = planned
      .filter(({ component }) => ["list", "bill"].includes(component.toLowerCase()))
      .flatMap(({ id }) =>
        linesOf(task[id]).map((line, index) => ({ line, key: `${task._id} ${id} ${index}` })),
      )
    if (lines.length === 0)
      return [{ key: task._id, stop, title: stop, content: task.refId ?? null, data: task._id, quantity: 1 }]
    return lines.map(({ line: { title, content = null, qty, data }, key }) => ({
      key,
      stop,
      title,
      content,
      data,
      quantity: Math.max(1, Math.ceil(qty ?? 1)),
    }))
  })
}

/** What was scanned so far: pieces by item, and codes that no stop needs. */
export interface LoadState {
  counts: Readonly<Record<string, number>>
  unknown: readonly string[]
}

export const emptyLoad: LoadState = { counts: {}, unknown: [] }

export function missingItems(items: readonly ExpectedItem[], { counts }: LoadState) {
  return items.flatMap((item) => {
    const missing = item.quantity - (counts[item.key] ?? 0)
    return missing > 0 ? [{ ...item, missing }] : []
  })
}
