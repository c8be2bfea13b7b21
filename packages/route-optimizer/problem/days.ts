import type { PlanProblem, TimeSpan, Vehicle, Visit } from "./problem.ts"

export const daySeconds = 24 * 60 * 60

export type DayStart = "last visit" | "from hub"

/**
 * Turns shifts that run over several days into daily ones.
 *
 * A shift from 8:00 to 41:00 stands for two days, 8:00 to 17:00 each (an end of 24 h or more counts one more
 * day per 24 h); from 20:00 to 4:00 it is one night. Breaks are those of the first day and repeat daily.
 *
 * `last visit`: the vehicle rests where it stands. Nights become breaks, in which nothing moves.
 * `from hub`: each day starts at the hub, and the way back at night is free. The vehicle becomes one per day
 * with the same owner, so that it counts once; only the last day returns, if the vehicle does at all.
 */
export function spreadOverDays(problem: PlanProblem, dayStart: DayStart): PlanProblem {
  const vehicles = problem.vehicles.flatMap((vehicle) => {
    const days = dailyShifts(vehicle.shift)
    if (days.length === 1) return [{ ...vehicle, shift: days[0] ?? vehicle.shift }]
    const breaks = days.map((_, d) => vehicle.breaks.map(([from, to]) => laterBy(from, to, d)))
    return dayStart === "from hub"
      ? splitByDay(vehicle, days, breaks)
      : [restedNights(vehicle, days, breaks.flat())]
  })
  const dayCount = problem.vehicles.reduce((most, { shift }) => Math.max(most, dailyShifts(shift).length), 1)
  return { ...problem, vehicles, visits: problem.visits.map((visit) => openDaily(visit, dayCount)) }
}

/** Windows are times of day, so they return every day. */
function openDaily(visit: Visit, dayCount: number): Visit {
  if (dayCount === 1 || visit.windows.length === 0) return visit
  const windows = Array.from({ length: dayCount }, (_, d) =>
    visit.windows.map(([from, to]) => laterBy(from, to, d)),
  )
  return { ...visit, windows: windows.flat() }
}

/** The daily spans of a shift, ascending. */
export function dailyShifts([start, end]: TimeSpan): TimeSpan[] {
  const startOfDay = ((start % daySeconds) + daySeconds) % daySeconds
  const isOvernight = end <= start
  const whole = isOvernight ? end + daySeconds : end
  if (!Number.isFinite(whole)) return [[start, end]]
  // 20:00 to 28:00 is written with an hour above 24 too, but its end of day lies before its start of day.
  const length = (((whole - startOfDay) % daySeconds) + daySeconds) % daySeconds || daySeconds
  const count = Math.max(1, Math.round((whole - start - length) / daySeconds) + 1)
  return Array.from({ length: count }, (_, d) => laterBy(start, start + length, d))
}

function laterBy(from: number, to: number, days: number): TimeSpan {
  return [from + days * daySeconds, to + days * daySeconds]
}

function restedNights(vehicle: Vehicle, days: readonly TimeSpan[], breaks: readonly TimeSpan[]): Vehicle {
  const nights = days.slice(1).map(([start], d): TimeSpan => [days[d]?.[1] ?? start, start])
  const [first] = days
  const last = days.at(-1)
  return {
    ...vehicle,
    shift: [first?.[0] ?? vehicle.shift[0], last?.[1] ?? vehicle.shift[1]],
    breaks: joined([...breaks, ...nights]),
  }
}

function splitByDay(
  vehicle: Vehicle,
  days: readonly TimeSpan[],
  breaks: readonly (readonly TimeSpan[])[],
): Vehicle[] {
  return days.map((shift, d) => ({
    ...vehicle,
    id: `${vehicle.id}@${d + 1}`,
    owner: vehicle.owner ?? vehicle.id,
    shift,
    breaks: breaks[d] ?? [],
    endLocation: d < days.length - 1 && vehicle.maxTrips === 1 ? null : vehicle.endLocation,
  }))
}

/** Sorted, with touching and overlapping spans as one. */
export function joined(spans: readonly TimeSpan[]): TimeSpan[] {
  const result: TimeSpan[] = []
  for (const [from, to] of [...spans].filter(([from, to]) => from < to).sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && from <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)]
    else result.push([from, to])
  }
  return result
}
