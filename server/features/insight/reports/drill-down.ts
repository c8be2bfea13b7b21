import type { Caller } from "#core/access/caller.ts"
import {
  type ReportDimension,
  type ReportMetric,
  type ReportMetricName,
  reportMetrics,
} from "#shared/report-metrics.ts"
import type { FilterCondition, RowFilter } from "#shared/row-filter.ts"
import type { Days } from "./report-query.ts"

const times = { created: "createdTime", planned: "startTime", finished: "doneTime", open: "endTime" } as const
const people = {
  created: "createdBy",
  planned: "firstAssignee",
  finished: "doneBy",
  open: "firstAssignee",
} as const

export interface DrillDown extends Days {
  metric: ReportMetricName
  groupBy: readonly ReportDimension[]
  /** The row's key; undefined for the total. */
  key: readonly string[] | undefined
  hubIds: readonly string[] | undefined
  flowIds: readonly string[] | undefined
  people: readonly string[] | undefined
  /** Who drove the vehicle of a row; empty for rows that are about none. */
  drivers: readonly string[]
}

/**
 * The query of `GET /tasks` whose list has exactly the tasks of a figure; for figures of sessions what their people finished.
 * Undefined for those of trackers.
 */
export function tasksQuery(caller: Pick<Caller, "timeZone">, drill: DrillDown): string | undefined {
  const metric: ReportMetric = reportMetrics[drill.metric]
  const own = metric.listed ?? metric.facets[0]
  const keyOf = (dimension: ReportDimension) => drill.key?.[drill.groupBy.indexOf(dimension)]
  if (!metric.tasks || !own || own === "driving") return undefined
  // Sessions are by the hour in which they began.
  if (own === "attended" && (keyOf("hour") !== undefined || keyOf("hub") !== undefined)) return undefined
  const facet = own === "attended" ? "finished" : own
  const query = new URLSearchParams()
  const conditions: RowFilter[] = [
    { not: { field: "taskType", operator: "equals", value: "activityMaster" } },
  ]
  const time = times[facet]
  const { from, until } = narrowed(drill, keyOf("day"), keyOf("month"))
  const bound = (day: Temporal.PlainDate) => day.toZonedDateTime(caller.timeZone).toInstant().toString()
  if (time === "endTime") conditions.push({ field: time, operator: "gte", value: bound(from) })
  else {
    query.set("timeBy", time)
    query.set("timeFrom", bound(from))
    query.set("timeTo", bound(until))
  }
  // The list includes its end.
  conditions.push({ field: time, operator: "lt", value: bound(until) })
  for (const part of ["weekday", "hour"] as const) {
    const value = keyOf(part)
    if (value !== undefined) conditions.push(equals(`${time}.${part}`, Number(value)))
  }
  const hub = keyOf("hub")
  const flow = keyOf("flow")
  if (hub ?? drill.hubIds) query.set("hubId", hub ?? drill.hubIds?.join(",") ?? "")
  if (flow ?? drill.flowIds) query.set("flowId", flow ?? drill.flowIds?.join(",") ?? "")
  conditions.push(...ofPerson(people[facet], keyOf("person"), drill))
  if (facet === "finished") conditions.push(...ofOutcome(query, metric.tasks, keyOf))
  if (facet === "open") {
    conditions.push({ not: equals("status", "DONE") })
    if (metric.tasks === "late") conditions.push(equals("expectedLate", "true"))
  }
  query.set("filter", JSON.stringify({ and: conditions }))
  return query.toString()
}

function ofPerson(field: string, person: string | undefined, { people, drivers }: DrillDown): RowFilter[] {
  if (person !== undefined) return [person === "" ? empty(field) : equals(field, person)]
  if (drivers.length > 0) return [equals(field, [...drivers])]
  return people ? [equals(field, [...people])] : []
}

function ofOutcome(
  query: URLSearchParams,
  tasks: NonNullable<ReportMetric["tasks"]>,
  keyOf: (dimension: ReportDimension) => string | undefined,
): RowFilter[] {
  const conditions: RowFilter[] = []
  query.set("status", "DONE")
  const outcomes: Partial<Record<typeof tasks, string>> = {
    done: "done",
    firstAttempts: "done",
    failures: "partial,failed,returned",
    partial: "partial",
    failed: "failed",
    returned: "returned",
  }
  const [outcome, ofKey] = [outcomes[tasks], keyOf("outcome")]
  if (outcome) query.set("outcome", outcome)
  if (ofKey !== undefined) conditions.push(ofKey === "done" ? empty("_outcome") : equals("_outcome", ofKey))
  if (tasks === "firstAttempts") conditions.push(empty("_previousTaskId"))
  if (tasks === "rated") conditions.push({ not: empty("stars") })
  if (tasks === "late" || tasks === "onTime") query.set("isLate", String(tasks === "late"))
  const [reason, lateReason] = [keyOf("reason"), keyOf("lateReason")]
  if (reason !== undefined) conditions.push(reasonIs("_outcomeReason", reason))
  // A reason without lateness is not counted.
  if (lateReason === "") conditions.push({ or: [empty("_lateReason"), { not: equals("_isLate", true) }] })
  else if (lateReason !== undefined)
    conditions.push(equals("_isLate", true), reasonIs("_lateReason", lateReason))
  return conditions
}

function reasonIs(field: string, reason: string): FilterCondition {
  return reason === "" ? empty(field) : equals(field, reason)
}

function equals(field: string, value: FilterCondition["value"]): FilterCondition {
  return { field, operator: "equals", value } as FilterCondition
}

function empty(field: string): FilterCondition {
  return { field, operator: "empty" } as FilterCondition
}

function narrowed({ from, until }: Days, day: string | undefined, month: string | undefined): Days {
  if (day !== undefined) {
    const date = Temporal.PlainDate.from(day)
    return { from: date, until: date.add({ days: 1 }) }
  }
  if (month === undefined) return { from, until }
  const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
  const next = first.add({ months: 1 })
  return {
    from: Temporal.PlainDate.compare(first, from) > 0 ? first : from,
    until: Temporal.PlainDate.compare(next, until) < 0 ? next : until,
  }
}
