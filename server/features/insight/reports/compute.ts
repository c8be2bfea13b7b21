import type { ReportFacet, ReportMetricName } from "#shared/report-metrics.ts"
import type { Measure, Sums } from "../rollups/index.ts"

export interface Costs {
  perSession: number
  perHour: number
  perKilometer: number
}

/** The sums of one group, by what they count. A facet without work has none. */
export type GroupSums = Partial<Record<ReportFacet, Sums>>

/** The sums of a facet that metrics are computed from: fewer sums of a year's rows are quicker. */
export function measuresOf(metrics: readonly ReportMetricName[], facet: ReportFacet): Set<Measure> {
  const used = new Set<Measure>()
  const sums = new Proxy({} as Sums, {
    get(_, measure) {
      used.add(measure as Measure)
      return 1
    },
  })
  for (const metric of metrics)
    metricOf(metric, { [facet]: sums }, { perSession: 1, perHour: 1, perKilometer: 1 })
  return used
}

/** One figure of a group. Counts are 0 without work; rates and means are null then. */
export function metricOf(name: ReportMetricName, group: GroupSums, costs: Costs): number | null {
  const of = (facet: ReportFacet, measure: Measure) => group[facet]?.[measure] ?? 0
  const finished = (measure: Measure) => of("finished", measure)
  const hours = () => of("attended", "seconds") / 3600
  const cost = () =>
    of("attended", "tasks") * costs.perSession +
    hours() * costs.perHour +
    (of("attended", "meters") / 1000) * costs.perKilometer
  const figures: Record<ReportMetricName, () => number | null> = {
    created: () => of("created", "tasks"),
    planned: () => of("planned", "tasks"),
    finished: () => finished("tasks"),
    done: () => finished("done"),
    partial: () => finished("partial"),
    failed: () => finished("failed"),
    returned: () => finished("returned"),
    failures: () => finished("tasks") - finished("done"),
    failureRate: () => ratio(finished("tasks") - finished("done"), finished("tasks")),
    onTime: () => finished("tasks") - finished("late"),
    late: () => finished("late"),
    onTimeRate: () => ratio(finished("tasks") - finished("late"), finished("tasks")),
    lateMinutes: () => ratio(finished("lateSeconds") / 60, finished("late")),
    firstAttempts: () => finished("firstAttempts"),
    firstAttemptRate: () => ratio(finished("firstAttempts"), finished("tasks")),
    completionRate: () => ratio(finished("tasks"), of("planned", "tasks")),
    stops: () => finished("stops"),
    serviceMinutes: () => ratio(finished("serviceSeconds") / 60, finished("timed")),
    serviceHours: () => finished("serviceSeconds") / 3600,
    waitingHours: () => finished("waitingSeconds") / 3600,
    ratings: () => finished("ratings"),
    averageRating: () => ratio(finished("stars"), finished("ratings")),
    plannedKilometers: () => of("planned", "meters") / 1000,
    kilometers: () => of("attended", "meters") / 1000,
    sessions: () => of("attended", "tasks"),
    attendedHours: hours,
    travelHours: () => of("attended", "travelSeconds") / 3600,
    idleHours: () => of("attended", "idleSeconds") / 3600,
    idleRate: () => ratio(of("attended", "idleSeconds"), of("attended", "seconds")),
    usedHours: () => of("attended", "usedSeconds") / 3600,
    shiftHours: () => of("attended", "shiftSeconds") / 3600,
    utilization: () => ratio(of("attended", "usedSeconds"), of("attended", "shiftSeconds")),
    loadRate: () => ratio(of("attended", "loadUsed"), of("attended", "loads")),
    tasksPerHour: () => ratio(finished("tasks"), hours()),
    due: () => of("open", "tasks"),
    expectedLate: () => of("open", "late"),
    forecastOnTimeRate: () =>
      ratio(
        finished("tasks") - finished("late") + of("open", "tasks") - of("open", "late"),
        finished("tasks") + of("open", "tasks"),
      ),
    speeding: () => of("driving", "speeding"),
    harshDriving: () => of("driving", "harshDriving"),
    cost,
    costPerStop: () => ratio(cost(), finished("stops")),
  }
  const value = figures[name]()
  return value === null ? null : Math.round(value * 1e6) / 1e6
}

function ratio(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null
}

/** Adds sums to others of the same facet and measures, in place: a report by person and month adds thousands. */
export function addSums(one: Sums | undefined, other: Sums): Sums {
  if (!one) return { ...other }
  for (const name in other) {
    if (name !== "key") one[name as Measure] = (one[name as Measure] ?? 0) + (other[name as Measure] ?? 0)
  }
  return one
}
