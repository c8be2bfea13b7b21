import { orderIndexesAt } from "#shared/dispatch/order-index.ts"
import { localOf } from "../../../i18n/day-bounds.ts"
import { parseTime } from "../../../i18n/formats.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"
import { serverNow } from "../clock.ts"

/**
 * Without those that were finished meanwhile: the lists of open and of finished stops come at different moments, and the
 * newer one is right where both have a stop.
 */
export function stillOpen(
  tasks: readonly Task[],
  done: readonly Pick<Task, "_id" | "updatedTime">[],
): Task[] {
  const timeOf = ({ updatedTime }: Pick<Task, "updatedTime">) => parseTime(updatedTime)?.getTime() ?? 0
  const finished = new Map(done.map((task) => [task._id, timeOf(task)]))
  return tasks.filter((task) => (finished.get(task._id) ?? Number.NEGATIVE_INFINITY) < timeOf(task))
}

/** The date of today as `2031-05-04`, in the organization's zone. */
export function today(timeZone: string): string {
  return localOf(new Date(serverNow()), timeZone).slice(0, 10)
}

/** The date on which a stop is to be made; what began earlier is still today's. */
export function dayOfStop({ startTime }: Pick<Task, "startTime">, timeZone: string): string {
  const start = Math.max(parseTime(startTime)?.getTime() ?? 0, serverNow())
  return localOf(new Date(start), timeZone).slice(0, 10)
}

/** Day by day in the order of the route, then of time; what was skipped for now comes last on its day. */
export function inOrder(tasks: readonly Task[], timeZone: string): Task[] {
  const placed = tasks.map((task) => ({
    task,
    day: dayOfStop(task, timeZone),
    skipped: task.outcome === "skipped" ? 1 : 0,
    index: Number(task.orderIndex ?? 0),
    start: parseTime(task.startTime)?.getTime() ?? 0,
  }))
  placed.sort(
    (one, other) =>
      one.day.localeCompare(other.day) ||
      one.skipped - other.skipped ||
      one.index - other.index ||
      one.start - other.start,
  )
  return placed.map(({ task }) => task)
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
