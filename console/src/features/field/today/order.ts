import { orderIndexesAt } from "#shared/dispatch/order-index.ts"
import { parseTime } from "../../../i18n/formats.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"

/** The order of the route, then of time; what was skipped for now comes last. */
export function inOrder(tasks: readonly Task[]): Task[] {
  const keyOf = ({ outcome, orderIndex, startTime }: Task) =>
    [outcome === "skipped" ? 1 : 0, Number(orderIndex ?? 0), parseTime(startTime)?.getTime() ?? 0] as const
  return tasks.toSorted((one, other) => {
    const [skipped, index, start] = keyOf(one)
    const [otherSkipped, otherIndex, otherStart] = keyOf(other)
    return skipped - otherSkipped || index - otherIndex || start - otherStart
  })
}

/** The order indexes that put the stop at `from` to the place `to`. */
export function moved(tasks: readonly Task[], from: number, to: number): Map<string, number> {
  const stop = tasks[from]
  if (!stop || to < 0 || to >= tasks.length || from === to) return new Map()
  const order = tasks.toSpliced(from, 1).toSpliced(to, 0, stop)
  return orderIndexesAt(
    order.map(({ _id, orderIndex }) => ({ id: _id, orderIndex: Number(orderIndex ?? 0) })),
    to,
  )
}
