import type { VehicleRow } from "./wire.ts"

/** When a vehicle has its break as far as no plan says more: one of some minutes in the middle of its span. */
export function usualBreak({
  breakTime,
  terms: { breakMinutes },
}: Pick<VehicleRow, "breakTime" | "terms">): { startTime: string; endTime: string } | null {
  if (!breakTime || breakMinutes === undefined) return breakTime
  const [from, to] = [minutesOf(breakTime.startTime), minutesOf(breakTime.endTime)]
  const until = to <= from ? to + day : to
  const start = from + Math.max(0, Math.floor((until - from - breakMinutes) / 2))
  return { startTime: clockOf(start), endTime: clockOf(start + breakMinutes) }
}

const day = 1440

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number)
  return hours * 60 + minutes
}

function clockOf(minutes: number): string {
  const pad = (value: number) => String(value).padStart(2, "0")
  return `${pad(Math.floor((minutes % day) / 60))}:${pad(minutes % 60)}`
}

/** Whether a vehicle works on a day, which for a night is the one on which it begins. */
export function worksOn(
  {
    workDays,
    daysOff,
  }: { workDays?: readonly number[] | undefined; daysOff?: readonly string[] | undefined },
  date: Temporal.PlainDate,
): boolean {
  return workDays?.includes(date.dayOfWeek) !== false && daysOff?.includes(date.toString()) !== true
}
