import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { type PageOptions, readDirection } from "#core/paging.ts"
import { isReportMetric, type ReportDimension } from "#shared/report-metrics.ts"
import { findOrganization } from "../../organization/organizations/index.ts"
import { catchUp } from "../rollups/index.ts"
import { listsOf } from "./drill-down.ts"
import { insightErrors } from "./errors.ts"
import { type Figures, type Report, readReport } from "./figures.ts"
import { namesOf } from "./labels.ts"
import { type Days, type ReportInput, type ReportQuery, readReportQuery } from "./report-query.ts"
import type { ReportData, ReportRow } from "./schemas.ts"

export interface RowOrder {
  sortBy?: string
  sortOrder?: string
}

/** A report as the API returns it: counted up to this moment, with names and the lists behind its figures. */
export async function makeReport(
  sql: Sql,
  caller: Caller,
  input: ReportInput,
  { page, order }: { page: PageOptions; order: RowOrder },
): Promise<ReportData> {
  const query = readReportQuery(caller, input)
  const isComplete = await catchUp(sql, caller.organizationId)
  const report = await readReport(sql, caller, query)
  const keys = ordered(report, query, order)
  const shown = keys.slice(page.offset, page.offset + page.limit).map(report.figuresOf)
  const names = await labelsOf(sql, caller, query.groupBy, shown)
  const organization = await findOrganization(sql, caller.organizationId)
  const context = { query, names }
  return {
    ...daysOf(query),
    compared: query.compared ? daysOf(query.compared) : null,
    timeZone: caller.timeZone,
    currency: organization?.currency ?? "",
    isComplete,
    targets: report.targets,
    total: toRow(caller, report.total, context),
    rows: shown.map((figures) => toRow(caller, figures, context)),
    page: page.page,
    limit: page.limit,
    count: keys.length,
  }
}

function daysOf({ from, until }: Days) {
  return { from: from.toString(), until: until.subtract({ days: 1 }).toString() }
}

/** By a metric, those without a value last; else in the order of the groups. */
function ordered(
  { keys, figureOf }: Report,
  query: ReportQuery,
  { sortBy, sortOrder }: RowOrder,
): readonly (readonly string[])[] {
  if (sortBy === undefined || query.groupBy.some((name) => name === sortBy))
    return readDirection(sortOrder, "asc") === "desc" ? keys.toReversed() : keys
  if (!isReportMetric(sortBy) || !query.metrics.includes(sortBy))
    throw insightErrors.invalid({
      message: "sortBy must be a metric or a group of the report",
      fields: { sortBy: ["must be one of the report"] },
    })
  const sign = readDirection(sortOrder) === "desc" ? -1 : 1
  const figures = new Map(keys.map((key) => [key, figureOf(key, sortBy)]))
  return keys.toSorted((a, b) => {
    const [one = null, other = null] = [figures.get(a), figures.get(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return sign * (one - other)
  })
}

type Names = ReadonlyMap<ReportDimension, ReadonlyMap<string, string>>

async function labelsOf(
  sql: Sql,
  caller: Caller,
  groupBy: readonly ReportDimension[],
  rows: readonly Figures[],
): Promise<Names> {
  const names = new Map<ReportDimension, ReadonlyMap<string, string>>()
  for (const [index, dimension] of groupBy.entries()) {
    const keys = [...new Set(rows.map(({ key }) => key[index] ?? ""))]
    names.set(dimension, await namesOf(sql, caller, dimension, keys))
  }
  return names
}

interface RowContext {
  query: ReportQuery
  names: Names
}

function toRow(
  caller: Caller,
  { key, values, compared, missed }: Figures,
  { query, names }: RowContext,
): ReportRow {
  const isTotal = key.length === 0
  const entries = isTotal
    ? []
    : query.groupBy.map((dimension, index) => [dimension, key[index] ?? ""] as const)
  const labels = entries.flatMap(([dimension, part]) => {
    const label = names.get(dimension)?.get(part)
    return label === undefined ? [] : [[dimension, label] as const]
  })
  return {
    key: Object.fromEntries(entries),
    labels: Object.fromEntries(labels),
    values,
    compared: compared ?? null,
    missed,
    ...listsOf(caller, query.metrics, { ...query, key: isTotal ? undefined : key }),
  }
}
