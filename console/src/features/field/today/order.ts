import { orderIndexesAt } from "#shared/dispatch/order-index.ts"
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

/** The day of a stop as `2031-05-04`, in the organization's zone; what began earlier is still today's. */
export function dayOfStop({ startTime }: Partial<Pick<Task, "startTime">>, timeZone: string): string {
  const now = serverNow()
  const start = Math.max(parseTime(startTime)?.getTime() ?? now, now)
  return dayFormat(timeZone).format(start)
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()

/** One for all stops: creating formats takes long. */
function dayFormat(timeZone: string): Intl.DateTimeFormat {
  const format = dayFormats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone })
  dayFormats.set(timeZone, format)
  return format
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
      (one.day < other.day ? -1 : one.day > other.day ? 1 : 0) ||
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
