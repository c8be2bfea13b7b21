import { type Caller, hasHub } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import {
  type ReportDimension,
  type ReportFacet,
  type ReportMetric,
  type ReportMetricName,
  reportMetrics,
} from "#shared/report-metrics.ts"
import { countPeople, type NumberedPerson } from "../../people/users/index.ts"
import { readSums, readsDaysOfPeople, type Sums } from "../rollups/index.ts"
import { addSums, type GroupSums, measuresOf, metricOf } from "./compute.ts"
import { insightErrors } from "./errors.ts"
import { hubOfPerson, isEverybody, peopleOf } from "./people.ts"
import { comparedKey, type Days, type ReportQuery } from "./report-query.ts"
import { type InsightSettings, readInsightSettings, targetOf } from "./settings.ts"

type Values = Partial<Record<ReportMetricName, number | null>>

export interface Figures {
  key: readonly string[]
  values: Values
  /** Of the compared range; undefined without one. */
  compared: Values | undefined
  /** Metrics that miss their target. */
  missed: ReportMetricName[]
}

export interface Report {
  rows: Figures[]
  total: Figures
  targets: Values
}

/** More groups than anybody reads. */
const maxGroups = 20_000

/** People times days that a report reads one by one, so that it takes less than 0.3 s: a month of 1,000 people. */
const maxPersonDays = 31_000

/** Every row of a report and its total. Rows are in the order of their keys. */
export async function readReport(sql: Sql, caller: Caller, query: ReportQuery): Promise<Report> {
  await refuseTooMuch(sql, caller, query)
  const settings = await readInsightSettings(sql, caller.organizationId)
  const people = query.facets.some(isOfPeople) ? await peopleOf(sql, caller, query.hubIds) : []
  const read = (days: Days) => readGroups(sql, caller, query, { days, people })
  const groups = await read(query)
  const before = query.compared && (await read(query.compared))
  const figures = (key: readonly string[], group: GroupSums, compared: GroupSums | undefined): Figures => {
    const values = valuesOf(query.metrics, group, settings)
    const flow =
      key[query.groupBy.indexOf("flow")] ?? (query.flowIds?.length === 1 ? query.flowIds[0] : undefined)
    return {
      key,
      values,
      compared: query.compared && valuesOf(query.metrics, compared ?? {}, settings),
      missed: query.metrics.filter((metric) => misses(settings, metric, values[metric], flow)),
    }
  }
  const keys = new Map([...groups].map(([name, { key }]) => [name, key]))
  const rows = [...groups].map(([name, { key, group }]) =>
    figures(key, group, before?.get(beforeName(query, name, keys))?.group),
  )
  const flow = query.flowIds?.length === 1 ? query.flowIds[0] : undefined
  const targets = query.metrics.flatMap((metric) => {
    const target = targetOf(settings, metric, flow)
    return target === undefined ? [] : [[metric, target]]
  })
  return {
    rows: rows.toSorted((a, b) => compareKeys(a.key, b.key)),
    total: figures([], totalOf(groups), before && totalOf(before)),
    targets: Object.fromEntries(targets) as Values,
  }
}

async function refuseTooMuch(sql: Sql, { organizationId }: Caller, query: ReportQuery): Promise<void> {
  const { groupBy, people: named, flowIds } = query
  const narrowing = { ...(named ? { people: named } : {}), ...(flowIds ? { flowIds } : {}) }
  if (!readsDaysOfPeople({ groupBy, ...narrowing })) return
  const people = named?.length ?? (await countPeople(sql, organizationId))
  const days = Math.max(1, Math.floor(maxPersonDays / people))
  if (query.from.until(query.until, { largestUnit: "days" }).days > days)
    throw insightErrors.tooMuch({
      message: `groupBy ${groupBy.join(",")} can cover at most ${days} days of ${people} people: choose a shorter range, fewer people (person), or fewer groups`,
    })
}

function beforeName(
  { groupBy, compared, ...query }: ReportQuery,
  name: string,
  keys: ReadonlyMap<string, readonly string[]>,
): string {
  const key = keys.get(name) ?? []
  if (!compared) return name
  return nameOf(
    key.map((part, index) => comparedKey(groupBy[index] ?? "person", part, query, compared) ?? ""),
  )
}

function valuesOf(
  metrics: readonly ReportMetricName[],
  group: GroupSums,
  { costs }: InsightSettings,
): Values {
  return Object.fromEntries(metrics.map((metric) => [metric, metricOf(metric, group, costs)]))
}

function misses(
  settings: InsightSettings,
  metric: ReportMetricName,
  value: number | null | undefined,
  flow: string | undefined,
): boolean {
  const target = targetOf(settings, metric, flow)
  if (target === undefined || value === null || value === undefined) return false
  const { better }: ReportMetric = reportMetrics[metric]
  return better === "lower" ? value > target : value < target
}

/** The sums of all groups: each task and session is in one of them. */
function totalOf(groups: ReadonlyMap<string, Group>): GroupSums {
  const total: GroupSums = {}
  for (const { group } of groups.values())
    for (const [facet, sums] of Object.entries(group) as [ReportFacet, Sums][])
      total[facet] = addSums(total[facet], sums)
  return total
}

interface ReadGroups {
  days: Days
  people: readonly NumberedPerson[]
}

interface Group {
  key: readonly string[]
  group: GroupSums
}

async function readGroups(
  sql: Sql,
  caller: Caller,
  query: ReportQuery,
  options: ReadGroups,
): Promise<Map<string, Group>> {
  const groups = new Map<string, Group>()
  for (const facet of query.facets) {
    const rows = isOfPeople(facet)
      ? await readOfPeople(sql, caller, query, { ...options, facet })
      : await readFacet(sql, caller, query, { ...options, facet })
    for (const sums of rows) {
      const name = nameOf(sums.key)
      const found = groups.get(name) ?? { key: sums.key, group: {} }
      found.group[facet] = addSums(found.group[facet], sums)
      groups.set(name, found)
    }
  }
  if (groups.size > maxGroups) throw insightErrors.tooMany()
  return groups
}

interface ReadFacet extends Omit<ReadGroups, "people"> {
  facet: ReportFacet
  emails?: readonly string[]
  /** Instead of the report's. */
  groupBy?: readonly ReportDimension[]
}

async function readFacet(
  sql: Sql,
  caller: Caller,
  query: ReportQuery,
  { days, facet, emails, groupBy = query.groupBy }: ReadFacet,
): Promise<Sums[]> {
  const { hubIds, flowIds } = query
  const people = emails ?? query.people
  const begin = (day: Temporal.PlainDate) => day.toZonedDateTime(caller.timeZone).toInstant()
  const rows = await readSums(sql, caller, {
    facet,
    groupBy,
    from: begin(days.from),
    until: begin(days.until),
    ...(hubIds ? { hubIds: hubIds.filter((hubId) => hasHub(caller, hubId)) } : {}),
    ...(flowIds ? { flowIds } : {}),
    ...(people ? { people } : {}),
    measures: measuresOf(query.metrics, facet),
    maxRows: maxGroups + 1,
  })
  if (rows.length > maxGroups) throw insightErrors.tooMany()
  return rows
}

/** What belongs to people instead of tasks. */
const isOfPeople = (facet: ReportFacet) => facet === "attended" || facet === "driving"

/** Sessions have no hub: they belong to that of their person, or to none when a person has several. */
async function readOfPeople(
  sql: Sql,
  caller: Caller,
  query: ReportQuery,
  { days, people, facet }: ReadGroups & { facet: ReportFacet },
): Promise<Sums[]> {
  const { groupBy } = query
  const wanted = query.people && new Set(query.people)
  const seen = people.filter(({ email }) => wanted?.has(email) ?? true)
  const inner = groupBy.map((dimension) => (dimension === "hub" ? "person" : dimension))
  const emails = seen.map(({ email }) => email)
  const rows = await readFacet(sql, caller, query, {
    days,
    groupBy: [...new Set(inner)],
    facet,
    ...(isEverybody(caller, query) ? {} : { emails }),
  })
  if (!groupBy.includes("hub")) return rows
  const hubOf = new Map(seen.map((person) => [person.email, hubOfPerson(person)]))
  const order = [...new Set(inner)]
  return rows.map((row) => ({
    ...row,
    key: groupBy.map((dimension) =>
      dimension === "hub"
        ? (hubOf.get(row.key[order.indexOf("person")] ?? "") ?? "")
        : (row.key[order.indexOf(dimension)] ?? ""),
    ),
  }))
}

const nameOf = (key: readonly string[]) => JSON.stringify(key)

function compareKeys(a: readonly string[], b: readonly string[]): number {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? ""
    if (part !== other)
      return isNumeric(part) && isNumeric(other) ? Number(part) - Number(other) : part < other ? -1 : 1
  }
  return 0
}

const isNumeric = (text: string) => /^\d{1,2}$/.test(text)
