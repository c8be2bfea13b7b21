import type { ReportFacet, ReportMetricName } from "#shared/report-metrics.ts"
import type { Measure, Sums } from "../rollups/index.ts"

export interface Costs {
  perSession: number
  perHour: number
  perKilometer: number
}

/** The sums of one group, by what they count. A facet without work has none. */
export type GroupSums = Partial<Record<ReportFacet, Sums>>

export type Values = Partial<Record<ReportMetricName, number | null>>

/** The sums of a facet that metrics are computed from: fewer sums of a year's rows are quicker. */
export function measuresOf(metrics: readonly ReportMetricName[], facet: ReportFacet): Set<Measure> {
  const used = new Set<Measure>()
  const sums = new Proxy({} as Sums, {
    get(_, measure) {
      used.add(measure as Measure)
      return 1
    },
  })
  metricsOf(metrics, { [facet]: sums }, { perSession: 1, perHour: 1, perKilometer: 1 })
  return used
}

/** The sums of a group as figures are computed from them. */
interface Reading {
  of(facet: ReportFacet, measure: Measure): number
  finished(measure: Measure): number
  hours(): number
  cost(): number
}

function readingOf(group: GroupSums, costs: Costs): Reading {
  const of: Reading["of"] = (facet, measure) => group[facet]?.[measure] ?? 0
  const hours = () => of("attended", "seconds") / 3600
  return {
    of,
    finished: (measure) => of("finished", measure),
    hours,
    cost: () =>
      of("attended", "tasks") * costs.perSession +
      hours() * costs.perHour +
      (of("attended", "meters") / 1000) * costs.perKilometer,
  }
}

const figures: Record<ReportMetricName, (reading: Reading) => number | null> = {
  created: ({ of }) => of("created", "tasks"),
  planned: ({ of }) => of("planned", "tasks"),
  finished: ({ finished }) => finished("tasks"),
  done: ({ finished }) => finished("done"),
  partial: ({ finished }) => finished("partial"),
  failed: ({ finished }) => finished("failed"),
  returned: ({ finished }) => finished("returned"),
  failures: ({ finished }) => finished("tasks") - finished("done"),
  failureRate: ({ finished }) => ratio(finished("tasks") - finished("done"), finished("tasks")),
  onTime: ({ finished }) => finished("tasks") - finished("late"),
  late: ({ finished }) => finished("late"),
  onTimeRate: ({ finished }) => ratio(finished("tasks") - finished("late"), finished("tasks")),
  lateMinutes: ({ finished }) => ratio(finished("lateSeconds") / 60, finished("late")),
  firstAttempts: ({ finished }) => finished("firstAttempts"),
  firstAttemptRate: ({ finished }) => ratio(finished("firstAttempts"), finished("tasks")),
  completionRate: ({ of, finished }) => ratio(finished("tasks"), of("planned", "tasks")),
  stops: ({ finished }) => finished("stops"),
  serviceMinutes: ({ finished }) => ratio(finished("serviceSeconds") / 60, finished("timed")),
  serviceHours: ({ finished }) => finished("serviceSeconds") / 3600,
  waitingHours: ({ finished }) => finished("waitingSeconds") / 3600,
  ratings: ({ finished }) => finished("ratings"),
  averageRating: ({ finished }) => ratio(finished("stars"), finished("ratings")),
  plannedKilometers: ({ of }) => of("planned", "meters") / 1000,
  kilometers: ({ of }) => of("attended", "meters") / 1000,
  sessions: ({ of }) => of("attended", "tasks"),
  attendedHours: ({ hours }) => hours(),
  travelHours: ({ of }) => of("attended", "travelSeconds") / 3600,
  idleHours: ({ of }) => of("attended", "idleSeconds") / 3600,
  idleRate: ({ of }) => ratio(of("attended", "idleSeconds"), of("attended", "seconds")),
  usedHours: ({ of }) => of("attended", "usedSeconds") / 3600,
  shiftHours: ({ of }) => of("attended", "shiftSeconds") / 3600,
  utilization: ({ of }) => ratio(of("attended", "usedSeconds"), of("attended", "shiftSeconds")),
  loadRate: ({ of }) => ratio(of("attended", "loadUsed"), of("attended", "loads")),
  tasksPerHour: ({ finished, hours }) => ratio(finished("tasks"), hours()),
  due: ({ of }) => of("open", "tasks"),
  expectedLate: ({ of }) => of("open", "late"),
  forecastOnTimeRate: ({ of, finished }) =>
    ratio(
      finished("tasks") - finished("late") + of("open", "tasks") - of("open", "late"),
      finished("tasks") + of("open", "tasks"),
    ),
  speeding: ({ of }) => of("driving", "speeding"),
  harshDriving: ({ of }) => of("driving", "harshDriving"),
  cost: ({ cost }) => cost(),
  costPerStop: ({ finished, cost }) => ratio(cost(), finished("stops")),
}

/** Figures of a group. Counts are 0 without work; rates and means are null then. */
export function metricsOf(names: readonly ReportMetricName[], group: GroupSums, costs: Costs): Values {
  const reading = readingOf(group, costs)
  const values: Values = {}
  for (const name of names) {
    const value = figures[name](reading)
    values[name] = value === null ? null : Math.round(value * 1e6) / 1e6
  }
  return values
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null
}

/** Adds sums to others of the same facet and measures, in place: a report by person and month adds thousands. */
export function addSums(one: Sums, other: Sums): Sums {
  for (const name in other) {
    if (name !== "key") one[name as Measure] = (one[name as Measure] ?? 0) + (other[name as Measure] ?? 0)
  }
  return one
}
