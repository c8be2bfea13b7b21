import { localOf } from "../../../i18n/day-bounds.ts"
import { parseTime } from "../../../i18n/formats.ts"
import type { ListedTask } from "./tasks.queries.ts"

const dayMilliseconds = 86_400_000

/** The calendar date that many days later, as `2031-05-04`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMilliseconds).toISOString().slice(0, 10)
}

/** The days that are shown around a date: itself, or its week from Monday. */
export function daysAround(date: string, span: "week" | "day"): string[] {
  if (span === "day") return [date]
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7
  return Array.from({ length: 7 }, (_, index) => addDays(date, index - weekday))
}

/** Tasks by day and hour of their start in the organization's zone: `2031-05-04T08`. */
export function byHour(tasks: readonly ListedTask[], timeZone: string): Map<string, ListedTask[]> {
  const cells = new Map<string, ListedTask[]>()
  for (const task of tasks) {
    const start = parseTime(task.startTime)
    if (!start) continue
    const cell = localOf(start, timeZone).slice(0, 13)
    const known = cells.get(cell)
    if (known) known.push(task)
    else cells.set(cell, [task])
  }
  return cells
}

/** The hours that are shown: those of a usual day, and those in which something starts. */
export function hoursOf(cells: ReadonlyMap<string, unknown>): number[] {
  const used = [...cells.keys()].map((cell) => Number(cell.slice(11, 13)))
  const first = Math.min(7, ...used)
  const last = Math.max(18, ...used)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** The cell `hours` later: `2031-05-04T23` and 1 give `2031-05-05T00`. Wall time, whatever the zone does meanwhile. */
export function shiftCell(cell: string, hours: number): string {
  const shifted = new Date(`${cell}:00:00Z`)
  shifted.setUTCHours(shifted.getUTCHours() + hours)
  return shifted.toISOString().slice(0, 13)
}
