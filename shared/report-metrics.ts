const times = ["day", "week", "month", "weekday", "hour"] as const
const ofTasks = [...times, "person", "hub", "flow"] as const
/** What reports can show, and by what. Server and console share these tables. */
export const reportDimensions = [...ofTasks, "vehicle", "outcome", "reason", "lateReason"] as const
export type ReportDimension = (typeof reportDimensions)[number]

export type ReportFacet = "created" | "planned" | "finished" | "attended" | "driving" | "open"
type MetricUnit = "count" | "rate" | "minutes" | "hours" | "kilometers" | "money" | "stars" | "perHour"

export interface ReportMetric {
  unit: MetricUnit
  /** Which numbers it is computed from. Its dimensions are those that all of them have. */
  facets: readonly ReportFacet[]
  /** Whether more is better; undefined where it is neither. */
  better?: "higher" | "lower"
  /**
   * Which tasks its list shows: as many as a count says, or those that a rate or mean is about. Figures of sessions and of
   * trackers lead to lists of these instead.
   */
  tasks?:
    | "all"
    | "done"
    | "partial"
    | "failed"
    | "returned"
    | "failures"
    | "late"
    | "onTime"
    | "firstAttempts"
    | "rated"
  /** Which of several facets the list is about; by default the first. */
  listed?: ReportFacet
  description: string
}

const created = ["created"] as const
const planned = ["planned"] as const
const finished = ["finished"] as const
const attended = ["attended"] as const
const driving = ["driving"] as const
const open = ["open"] as const

export const reportMetrics = {
  created: { unit: "count", facets: created, tasks: "all", description: "Tasks created" },
  planned: { unit: "count", facets: planned, tasks: "all", description: "Tasks that start" },
  finished: {
    unit: "count",
    facets: finished,
    tasks: "all",
    better: "higher",
    description: "Tasks finished, with any outcome",
  },
  done: {
    unit: "count",
    facets: finished,
    tasks: "done",
    better: "higher",
    description: "Finished with the outcome done",
  },
  partial: {
    unit: "count",
    facets: finished,
    tasks: "partial",
    description: "Finished with the outcome partial",
  },
  failed: {
    unit: "count",
    facets: finished,
    tasks: "failed",
    better: "lower",
    description: "Finished with the outcome failed",
  },
  returned: {
    unit: "count",
    facets: finished,
    tasks: "returned",
    better: "lower",
    description: "Finished with the outcome returned",
  },
  failures: {
    unit: "count",
    facets: finished,
    tasks: "failures",
    better: "lower",
    description: "Finished with another outcome than done",
  },
  failureRate: {
    unit: "rate",
    facets: finished,
    tasks: "failures",
    better: "lower",
    description: "failures / finished",
  },
  onTime: {
    unit: "count",
    facets: finished,
    tasks: "onTime",
    better: "higher",
    description: "Finished by their end time",
  },
  late: {
    unit: "count",
    facets: finished,
    tasks: "late",
    better: "lower",
    description: "Finished after their end time",
  },
  onTimeRate: {
    unit: "rate",
    facets: finished,
    tasks: "late",
    better: "higher",
    description: "onTime / finished. The list shows the late ones",
  },
  lateMinutes: {
    unit: "minutes",
    facets: finished,
    tasks: "late",
    better: "lower",
    description: "Mean delay of the late ones",
  },
  firstAttempts: {
    unit: "count",
    facets: finished,
    tasks: "firstAttempts",
    better: "higher",
    description: "Done at the first attempt",
  },
  firstAttemptRate: {
    unit: "rate",
    facets: finished,
    tasks: "firstAttempts",
    better: "higher",
    description: "firstAttempts / finished",
  },
  completionRate: {
    unit: "rate",
    facets: ["planned", "finished"],
    tasks: "all",
    listed: "finished",
    better: "higher",
    description: "finished / planned: actual work against the plan",
  },
  stops: {
    unit: "count",
    facets: finished,
    tasks: "all",
    better: "higher",
    description:
      "Visits: tasks that a person finishes at one place within an hour are one. The list shows the tasks",
  },
  serviceMinutes: {
    unit: "minutes",
    facets: finished,
    tasks: "all",
    better: "lower",
    description: "Mean time at the customer, where arrivals are known",
  },
  serviceHours: {
    unit: "hours",
    facets: finished,
    tasks: "all",
    description: "Time at customers, where arrivals are known",
  },
  waitingHours: {
    unit: "hours",
    facets: finished,
    tasks: "all",
    better: "lower",
    description: "Time between arrivals and the start of windows",
  },
  ratings: {
    unit: "count",
    facets: finished,
    tasks: "rated",
    description: "Finished tasks that customers rated",
  },
  averageRating: {
    unit: "stars",
    facets: finished,
    tasks: "rated",
    better: "higher",
    description: "Mean of the stars",
  },
  plannedKilometers: {
    unit: "kilometers",
    facets: planned,
    tasks: "all",
    description: "Distances of planned routes",
  },
  kilometers: {
    unit: "kilometers",
    facets: attended,
    description: "Distances of finished sessions",
  },
  sessions: { unit: "count", facets: attended, description: "Sessions of work that began" },
  attendedHours: { unit: "hours", facets: attended, description: "Hours of finished sessions" },
  travelHours: {
    unit: "hours",
    facets: attended,
    better: "lower",
    description: "Hours of finished sessions in which people moved, except at stops and on breaks",
  },
  idleHours: {
    unit: "hours",
    facets: attended,
    better: "lower",
    description:
      "Hours of finished sessions in which people did not move, were at no stop and on no break, within the working time of their vehicle",
  },
  idleRate: {
    unit: "rate",
    facets: attended,
    better: "lower",
    description: "idleHours / attendedHours",
  },
  usedHours: {
    unit: "hours",
    facets: attended,
    description: "Hours of finished sessions with a vehicle, travelling or at stops",
  },
  shiftHours: {
    unit: "hours",
    facets: attended,
    description: "Working time, without breaks, of vehicles on the days on which they were driven",
  },
  utilization: {
    unit: "rate",
    facets: attended,
    better: "higher",
    description: "usedHours / shiftHours",
  },
  loadRate: {
    unit: "rate",
    facets: attended,
    better: "higher",
    description: "Mean load of sessions with a vehicle, of the capacity that was used most",
  },
  tasksPerHour: {
    unit: "perHour",
    facets: ["attended", "finished"],
    tasks: "all",
    listed: "finished",
    better: "higher",
    description: "finished / attendedHours",
  },
  due: {
    unit: "count",
    facets: open,
    tasks: "all",
    description: "Open tasks whose time window ends in the period",
  },
  expectedLate: {
    unit: "count",
    facets: open,
    tasks: "late",
    better: "lower",
    description: "Open tasks whose time window has ended, or whose expected arrival is after their deadline",
  },
  forecastOnTimeRate: {
    unit: "rate",
    facets: ["finished", "open"],
    tasks: "late",
    listed: "open",
    better: "higher",
    description:
      "(onTime + due - expectedLate) / (finished + due). The list shows those that are expected late",
  },
  speeding: {
    unit: "count",
    facets: driving,
    better: "lower",
    description: "Times that a tracker reported too high a speed; reports within a minute are one",
  },
  harshDriving: {
    unit: "count",
    facets: driving,
    better: "lower",
    description: "Times that a tracker reported harsh acceleration, braking or cornering",
  },
  cost: {
    unit: "money",
    facets: attended,
    better: "lower",
    description: "Sessions, hours and kilometers at the costs of the organization",
  },
  costPerStop: {
    unit: "money",
    facets: ["attended", "finished"],
    tasks: "all",
    listed: "finished",
    better: "lower",
    description: "cost / stops",
  },
} as const satisfies Record<string, ReportMetric>
export type ReportMetricName = keyof typeof reportMetrics

export function isReportMetric(name: string): name is ReportMetricName {
  return Object.hasOwn(reportMetrics, name)
}

export function isReportDimension(name: string): name is ReportDimension {
  return (reportDimensions as readonly string[]).includes(name)
}

const dimensionsOf: Readonly<Record<ReportFacet, readonly ReportDimension[]>> = {
  created: ofTasks,
  planned: ofTasks,
  finished: reportDimensions.filter((dimension) => dimension !== "vehicle"),
  attended: [...times, "person", "hub", "vehicle"],
  open: ofTasks,
  driving: [...times, "person", "hub"],
}

/** By what a metric can be shown. */
export function dimensionsOfMetric(name: ReportMetricName): ReportDimension[] {
  const { facets } = reportMetrics[name]
  return reportDimensions.filter((dimension) =>
    facets.every((facet) => dimensionsOf[facet].includes(dimension)),
  )
}
