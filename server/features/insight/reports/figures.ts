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
import { addSums, type GroupSums, measuresOf, metricsOf, type Values } from "./compute.ts"
import { insightErrors } from "./errors.ts"
import { hubOfPerson, isEverybody, peopleOf } from "./people.ts"
import { comparedKey, type Days, type ReportQuery } from "./report-query.ts"
import { type InsightSettings, readInsightSettings, targetOf } from "./settings.ts"

export interface Figures {
  key: readonly string[]
  values: Values
  /** Of the compared range; undefined without one. */
  compared: Values | undefined
  /** Metrics that miss their target. */
  missed: ReportMetricName[]
}

export interface Report {
  /** The keys of all rows, in the order of their groups. */
  keys: readonly (readonly string[])[]
  /** The figures of a row are computed when they are asked for: few of thousands are shown. */
  figuresOf(key: readonly string[]): Figures
  /** One figure of a row, to order rows by. */
  figureOf(key: readonly string[], metric: ReportMetricName): number | null
  total: Figures
  targets: Values
}

/** More groups than anybody reads. */
const maxGroups = 20_000

/** People times days that a report reads one by one, so that it takes less than 0.3 s: a month of 1,000 people. */
const maxPersonDays = 31_000

/** A report: its rows and its total. */
export async function readReport(sql: Sql, caller: Caller, query: ReportQuery): Promise<Report> {
  await refuseTooMuch(sql, caller, query)
  const settings = await readInsightSettings(sql, caller.organizationId)
  const people = query.facets.some(isOfPeople) ? await peopleOf(sql, caller, query.hubIds) : []
  const read = (days: Days) => readGroups(sql, caller, query, { days, people })
  const groups = await read(query)
  const before = query.compared && (await read(query.compared))
  const valuesOf = (group: GroupSums) => metricsOf(query.metrics, group, settings.costs)
  const figures = (key: readonly string[], group: GroupSums, compared: GroupSums | undefined): Figures => {
    const values = valuesOf(group)
    const flow =
      key[query.groupBy.indexOf("flow")] ?? (query.flowIds?.length === 1 ? query.flowIds[0] : undefined)
    return {
      key,
      values,
      compared: query.compared && valuesOf(compared ?? {}),
      missed: query.metrics.filter((metric) => misses(settings, metric, values[metric], flow)),
    }
  }
  const groupOf = (key: readonly string[]) => groups.get(nameOf(key))?.group ?? {}
  const flow = query.flowIds?.length === 1 ? query.flowIds[0] : undefined
  const targets = query.metrics.flatMap((metric) => {
    const target = targetOf(settings, metric, flow)
    return target === undefined ? [] : [[metric, target]]
  })
  return {
    keys: [...groups.values()].map(({ key }) => key).sort(compareKeys),
    figuresOf: (key) => figures(key, groupOf(key), before?.get(beforeName(query, key))?.group),
    figureOf: (key, metric) => metricsOf([metric], groupOf(key), settings.costs)[metric] ?? null,
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

/** The group of the compared range that stands beside a row. */
function beforeName({ groupBy, compared, ...query }: ReportQuery, key: readonly string[]): string {
  if (!compared) return nameOf(key)
  return nameOf(
    key.map((part, index) => comparedKey(groupBy[index] ?? "person", part, query, compared) ?? ""),
  )
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
      total[facet] = addSums(total[facet] ?? { key: [] }, sums)
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
      const before = found.group[facet]
      found.group[facet] = before ? addSums(before, sums) : sums
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
  for (let index = 0; index < a.length; index += 1) {
    const [part = "", other = ""] = [a[index], b[index]]
    if (part === other) continue
    // Weekdays and hours.
    const areNumbers = part.length <= 2 && other.length <= 2 && part !== "" && other !== ""
    const difference = areNumbers ? Number(part) - Number(other) : Number.NaN
    return Number.isNaN(difference) ? (part < other ? -1 : 1) : difference
  }
  return 0
}
