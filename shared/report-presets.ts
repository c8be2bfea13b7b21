import type { ReportDimension, ReportMetricName } from "./report-metrics.ts"

export interface Preset {
  metrics: readonly ReportMetricName[]
  groupBy: ReportDimension
  /** The metric of the chart; the first one without it. */
  chart?: ReportMetricName
}

/** The built-in reports: what they show first and by what. */
export const reports = {
  onTime: { metrics: ["finished", "onTimeRate", "late", "firstAttemptRate"], groupBy: "day" },
  productivity: { metrics: ["finished", "stops", "tasksPerHour", "serviceMinutes"], groupBy: "person" },
  failures: { metrics: ["failures", "failureRate", "finished"], groupBy: "reason" },
  lateness: { metrics: ["late", "lateMinutes"], groupBy: "lateReason" },
  ratings: { metrics: ["averageRating", "ratings"], groupBy: "person" },
  attendance: {
    metrics: ["attendedHours", "sessions", "travelHours", "idleHours", "serviceHours", "waitingHours"],
    groupBy: "person",
  },
  distances: { metrics: ["kilometers", "plannedKilometers", "cost", "costPerStop"], groupBy: "person" },
  vehicles: {
    metrics: ["utilization", "usedHours", "shiftHours", "idleHours", "loadRate", "kilometers"],
    groupBy: "vehicle",
  },
  driving: { metrics: ["speeding", "harshDriving", "kilometers"], groupBy: "person" },
  forecast: { metrics: ["expectedLate", "due", "finished", "forecastOnTimeRate"], groupBy: "day" },
  plan: { metrics: ["planned", "finished", "completionRate"], groupBy: "day", chart: "finished" },
} as const satisfies Record<string, Preset>
export type ReportName = keyof typeof reports
export const reportNames = Object.keys(reports) as ReportName[]
