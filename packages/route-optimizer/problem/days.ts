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
    const days = dailyShifts(vehicle.shift).map((shift, d) => dayOf(vehicle, shift, d))
    if (days.length === 1) return days.map((day) => ({ ...vehicle, ...day }))
    return dayStart === "from hub" ? splitByDay(vehicle, days) : [restedNights(vehicle, days)]
  })
  const dayCount = problem.vehicles.reduce((most, { shift }) => Math.max(most, dailyShifts(shift).length), 1)
  return { ...problem, vehicles, visits: problem.visits.map((visit) => openDaily(visit, dayCount)) }
}

type Day = Pick<Vehicle, "shift" | "breaks" | "flexibleBreaks" | "isOff">

function dayOf({ breaks, flexibleBreaks, daysOff }: Vehicle, shift: TimeSpan, d: number): Day {
  return {
    shift,
    breaks: breaks.map(([from, to]) => laterBy(from, to, d)),
    ...(flexibleBreaks
      ? {
          flexibleBreaks: flexibleBreaks.map(({ within: [from, to], seconds }) => ({
            within: laterBy(from, to, d),
            seconds,
          })),
        }
      : {}),
    ...(daysOff?.includes(d) ? { isOff: true } : {}),
  }
}

/** Windows are times of day, so they return every day on which the visit may be served. */
function openDaily(visit: Visit, dayCount: number): Visit {
  const { days } = visit
  const spans = visit.windows.length > 0 || days === undefined ? visit.windows : [wholeDay]
  const isEveryDay = days === undefined || (dayCount === 1 && days.includes(0))
  if ((dayCount === 1 && isEveryDay) || spans.length === 0) return visit
  const windows = Array.from({ length: dayCount }, (_, d) =>
    isEveryDay || days.includes(d) ? spans.map(([from, to]) => laterBy(from, to, d)) : [],
  ).flat()
  return { ...visit, windows: windows.length > 0 ? windows : [never] }
}

const wholeDay: TimeSpan = [0, daySeconds - 1]
/** None of the days of the plan: no shift reaches it. */
const never: TimeSpan = [-1, -1]

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

function restedNights(vehicle: Vehicle, days: readonly Day[]): Vehicle {
  const working = days.filter(({ isOff }) => isOff !== true)
  const [first] = working
  const last = working.at(-1)
  if (first === undefined || last === undefined) return { ...vehicle, ...days[0], isOff: true }
  const nights = working
    .slice(1)
    .map(({ shift: [start] }, d): TimeSpan => [working[d]?.shift[1] ?? start, start])
  const flexibleBreaks = working.flatMap((day) => day.flexibleBreaks ?? [])
  return {
    ...vehicle,
    shift: [first.shift[0], last.shift[1]],
    breaks: joined([...working.flatMap(({ breaks }) => breaks), ...nights]),
    ...(vehicle.flexibleBreaks ? { flexibleBreaks } : {}),
  }
}

function splitByDay(vehicle: Vehicle, days: readonly Day[]): Vehicle[] {
  const last = days.findLastIndex(({ isOff }) => isOff !== true)
  return days.map((day, d) => ({
    ...vehicle,
    ...day,
    id: `${vehicle.id}@${d + 1}`,
    owner: vehicle.owner ?? vehicle.id,
    endLocation: d < last && vehicle.maxTrips === 1 ? null : vehicle.endLocation,
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
