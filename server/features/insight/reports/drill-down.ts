import type { Caller } from "#core/access/caller.ts"
import { daysOfWeek } from "#shared/iso-week.ts"
import {
  type ReportDimension,
  type ReportMetric,
  type ReportMetricName,
  reportMetrics,
} from "#shared/report-metrics.ts"
import type { FilterCondition, RowFilter } from "#shared/row-filter.ts"
import { isTaskOutcome } from "#shared/task-outcomes.ts"
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
}

/** Where the list behind a figure is read: `GET /tasks`, `GET /reports/sessions` or `GET /reports/alarms`. */
export type ListKind = "tasks" | "sessions" | "alarms"

/**
 * By metric, the query whose list has exactly what a row counts, and for rates and means what they are about. Figures with the
 * same list share its text: a report by person has thousands.
 */
export function listsOf(
  caller: Pick<Caller, "timeZone">,
  metrics: readonly ReportMetricName[],
  row: Omit<DrillDown, "metric">,
): Record<ListKind, Record<string, string>> {
  const lists: Record<ListKind, Record<string, string>> = { tasks: {}, sessions: {}, alarms: {} }
  const known = new Map<string, string>()
  for (const name of metrics) {
    const metric: ReportMetric = reportMetrics[name]
    const facet = metric.listed ?? metric.facets[0]
    const kind = facet === "attended" ? "sessions" : facet === "driving" ? "alarms" : "tasks"
    const list = kind === "tasks" ? `${facet} ${metric.tasks}` : kind === "alarms" ? name : kind
    const text = known.get(list) ?? queryOf(caller, kind, { ...row, metric: name })
    known.set(list, text)
    lists[kind][name] = text
  }
  return lists
}

function queryOf(caller: Pick<Caller, "timeZone">, kind: ListKind, drill: DrillDown): string {
  return kind === "tasks" ? tasksQuery(caller, drill) : eventsQuery(kind, drill)
}

function eventsQuery(kind: "sessions" | "alarms", drill: DrillDown): string {
  const keyOf = (dimension: ReportDimension) => drill.key?.[drill.groupBy.indexOf(dimension)]
  const { from, until } = narrowed(drill, keyOf)
  const query = new URLSearchParams({
    from: from.toString(),
    until: until.subtract({ days: 1 }).toString(),
  })
  const set = (name: string, value: string | undefined) => {
    if (value !== undefined) query.set(name, value === "" ? noneText : value)
  }
  set("kind", kind === "alarms" ? drill.metric : undefined)
  set("person", keyOf("person") ?? drill.people?.join(","))
  set("hubId", drill.hubIds?.join(","))
  set("onlyHubId", keyOf("hub"))
  set("vehicleId", keyOf("vehicle"))
  set("weekday", keyOf("weekday"))
  set("hour", keyOf("hour"))
  return query.toString()
}

/** In a query: those without one. */
export const noneText = "none"

function tasksQuery(caller: Pick<Caller, "timeZone">, drill: DrillDown): string {
  const metric: ReportMetric = reportMetrics[drill.metric]
  const facet = (metric.listed ?? metric.facets[0]) as keyof typeof times
  const keyOf = (dimension: ReportDimension) => drill.key?.[drill.groupBy.indexOf(dimension)]
  const query = new URLSearchParams()
  const conditions: RowFilter[] = [
    { not: { field: "taskType", operator: "equals", value: "activityMaster" } },
  ]
  const time = times[facet]
  const { from, until } = narrowed(drill, keyOf)
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

function ofPerson(field: string, person: string | undefined, { people }: DrillDown): RowFilter[] {
  if (person !== undefined) return [person === "" ? empty(field) : equals(field, person)]
  return people ? [equals(field, [...people])] : []
}

function ofOutcome(
  query: URLSearchParams,
  tasks: ReportMetric["tasks"],
  keyOf: (dimension: ReportDimension) => string | undefined,
): RowFilter[] {
  const conditions: RowFilter[] = []
  query.set("status", "DONE")
  const outcomes: Partial<Record<NonNullable<ReportMetric["tasks"]>, string>> = {
    done: "done",
    firstAttempts: "done",
    failures: "partial,failed,returned",
    partial: "partial",
    failed: "failed",
    returned: "returned",
  }
  const [outcome, ofKey] = [tasks && outcomes[tasks], keyOf("outcome")]
  // One condition for both where the row's outcome is one of the figure's.
  const isOne = isTaskOutcome(ofKey) && (outcome?.split(",").includes(ofKey) ?? true)
  const asked = isOne ? ofKey : outcome
  if (asked) query.set("outcome", asked)
  if (ofKey !== undefined && !isOne)
    conditions.push(ofKey === "done" ? empty("_outcome") : equals("_outcome", ofKey))
  if (tasks === "firstAttempts") conditions.push(empty("_previousTaskId"))
  if (tasks === "rated") conditions.push({ not: empty("stars") })
  if (tasks === "late" || tasks === "onTime") query.set("isLate", String(tasks === "late"))
  const [reason, lateReason] = [keyOf("reason"), keyOf("lateReason")]
  if (reason !== undefined) conditions.push(reasonIs("_outcomeReason", reason))
  if (lateReason === undefined || (lateReason === "" && tasks === "onTime")) return conditions
  // A reason without lateness is not counted.
  const reasonOf = reasonIs("_lateReason", lateReason)
  if (tasks === "late") conditions.push(reasonOf)
  else if (lateReason === "") conditions.push({ or: [reasonOf, { not: equals("_isLate", true) }] })
  else conditions.push(equals("_isLate", true), reasonOf)
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

/** The days of the report that the row is about. */
function narrowed(days: Days, keyOf: (dimension: ReportDimension) => string | undefined): Days {
  const [day, week, month] = [keyOf("day"), keyOf("week"), keyOf("month")]
  let { from, until } = days
  const within = (first: Temporal.PlainDate, next: Temporal.PlainDate) => {
    if (Temporal.PlainDate.compare(first, from) > 0) from = first
    if (Temporal.PlainDate.compare(next, until) < 0) until = next
  }
  if (day !== undefined) {
    const date = Temporal.PlainDate.from(day)
    within(date, date.add({ days: 1 }))
  }
  if (week !== undefined) {
    const monday = Temporal.PlainDate.from(daysOfWeek(week).monday)
    within(monday, monday.add({ days: 7 }))
  }
  if (month !== undefined) {
    const first = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
    within(first, first.add({ months: 1 }))
  }
  return { from, until }
}
