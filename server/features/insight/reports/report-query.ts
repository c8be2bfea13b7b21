import type { Caller } from "#core/access/caller.ts"
import { commaList } from "#core/http/tolerance.ts"
import { daysOfWeek } from "#shared/iso-week.ts"
import {
  dimensionsOfMetric,
  isReportDimension,
  isReportMetric,
  type ReportDimension,
  type ReportFacet,
  type ReportMetricName,
  reportDimensions,
  reportMetrics,
} from "#shared/report-metrics.ts"
import { parseDate } from "#shared/wire-time.ts"
import { seesPart } from "../rollups/index.ts"
import { insightErrors } from "./errors.ts"

/** The query as clients send it. */
export interface ReportInput {
  metrics: string
  groupBy?: string
  from: string
  until: string
  compareTo?: "previous" | "previousYear"
  hubId?: string
  flowId?: string
  person?: string
}

export interface Days {
  /** The first day and the day after the last one. */
  from: Temporal.PlainDate
  until: Temporal.PlainDate
}

export interface ReportQuery extends Days {
  metrics: readonly ReportMetricName[]
  facets: readonly ReportFacet[]
  groupBy: readonly ReportDimension[]
  hubIds: readonly string[] | undefined
  flowIds: readonly string[] | undefined
  people: readonly string[] | undefined
  compared: Days | undefined
}

const maxDays = 1_098
/** For people who see a part of their hubs, the tasks themselves are counted. */
const maxDaysOfPart = 92
const maxMetrics = 20
const maxGroups = 3
const maxNames = 100

/** Refuses names that do not exist, groups that a metric does not have, and ranges beyond the limits. */
export function readReportQuery(caller: Caller, input: ReportInput): ReportQuery {
  const metrics = readNames("metrics", input.metrics, isReportMetric, Object.keys(reportMetrics), maxMetrics)
  const groupBy = readNames("groupBy", input.groupBy ?? "", isReportDimension, reportDimensions, maxGroups)
  if (metrics.length === 0)
    throw invalid("metrics", `must name at least one of ${Object.keys(reportMetrics).join(", ")}`)
  for (const metric of metrics)
    for (const dimension of groupBy)
      if (!dimensionsOfMetric(metric).includes(dimension))
        throw invalid(
          "groupBy",
          `${metric} cannot be grouped by ${dimension}, only by ${dimensionsOfMetric(metric).join(", ")}`,
        )
  const facets = [...new Set(metrics.flatMap((metric) => [...reportMetrics[metric].facets]))]
  if (input.flowId && (facets.includes("attended") || facets.includes("driving")))
    throw invalid("flowId", "cannot filter sessions, hours, kilometers, costs and driving: they have no flow")
  const days = readDays(input, seesPart(caller) ? maxDaysOfPart : maxDays)
  return {
    ...days,
    metrics,
    facets,
    groupBy,
    hubIds: readList("hubId", input.hubId?.toLowerCase()),
    flowIds: readList("flowId", input.flowId?.toLowerCase()),
    people: readList("person", input.person?.toLowerCase()),
    compared: input.compareTo && comparedDays(days, input.compareTo),
  }
}

function readNames<Name extends string>(
  field: string,
  text: string,
  isName: (name: string) => name is Name,
  all: readonly string[],
  max: number,
): Name[] {
  const names = [...new Set(commaList(text))]
  const known = names.filter(isName)
  if (known.length < names.length) throw invalid(field, `must be a comma-separated list of ${all.join(", ")}`)
  if (known.length > max) throw invalid(field, `must have at most ${max} names`)
  return known
}

export function readList(field: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const names = [...new Set(commaList(text))]
  if (names.length > maxNames) throw invalid(field, `must have at most ${maxNames} entries`)
  return names.length > 0 ? names : undefined
}

/** The days of a report or a list, at most `max`. */
export function readDays(
  { from: first, until: last }: Pick<ReportInput, "from" | "until">,
  max = maxDays,
): Days {
  const [from, until] = [readDay("from", first), readDay("until", last)]
  const days = from.until(until, { largestUnit: "days" }).days + 1
  if (days < 1) throw invalid("until", "must be on or after from")
  if (days > max) throw invalid("until", `must be within ${max} days from from`)
  return { from, until: until.add({ days: 1 }) }
}

function readDay(field: string, text: string): Temporal.PlainDate {
  const date = parseDate(text)
  if (date === undefined) throw invalid(field, "must be a date such as 2031-05-04")
  const day = Temporal.PlainDate.from(date)
  if (day.year < 1970 || day.year > 2999) throw invalid(field, "must be between 1970 and 2999")
  return day
}

function invalid(field: string, reason: string): Error {
  return insightErrors.invalid({ message: `${field} ${reason}`, fields: { [field]: [reason] } })
}

/** Whole months are compared with as many months before, other ranges with as many days before; a year back is the same dates. */
export function comparedDays({ from, until }: Days, compareTo: "previous" | "previousYear"): Days {
  if (compareTo === "previousYear")
    return { from: from.subtract({ years: 1 }), until: until.subtract({ years: 1 }) }
  const months = monthsIn({ from, until })
  if (months > 0) return { from: from.subtract({ months }), until: from }
  return { from: from.subtract({ days: from.until(until, { largestUnit: "days" }).days }), until: from }
}

function monthsIn({ from, until }: Days): number {
  return from.day === 1 && until.day === 1 ? from.until(until, { largestUnit: "months" }).months : 0
}

/** The day, week or month of the compared range that stands where this one stands; undefined beyond its end. */
export function comparedKey(
  dimension: ReportDimension,
  key: string,
  days: Days,
  compared: Days,
): string | undefined {
  if (dimension === "day") {
    const offset = days.from.until(Temporal.PlainDate.from(key), { largestUnit: "days" }).days
    return compared.from.add({ days: offset }).toString()
  }
  if (dimension === "week") {
    const first = Temporal.PlainDate.from(daysOfWeek(weekOf(days.from)).monday)
    const offset = first.until(daysOfWeek(key).monday, { largestUnit: "days" }).days
    return weekOf(compared.from.add({ days: offset }))
  }
  if (dimension !== "month") return key
  const first = days.from.toPlainYearMonth()
  const offset = first.until(Temporal.PlainYearMonth.from(key), { largestUnit: "months" }).months
  return compared.from.toPlainYearMonth().add({ months: offset }).toString()
}

function weekOf({ yearOfWeek, weekOfYear }: Temporal.PlainDate): string {
  return `${yearOfWeek}-W${String(weekOfYear).padStart(2, "0")}`
}
