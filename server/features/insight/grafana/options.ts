import type { Caller } from "#core/access/caller.ts"
import type { Sql } from "#core/database/database.ts"
import { dimensionsOfMetric, isReportMetric, reportMetrics } from "#shared/report-metrics.ts"
import { listHubs } from "../../organization/hubs/index.ts"
import { listEveryFlow } from "../../work/flows/index.ts"
import { insightErrors, peopleOf } from "../reports/index.ts"
import type { Payload, QueryBody } from "./schemas.ts"

interface Option {
  label: string
  value: string
}

/** Filters of a query by the words that variables and ad hoc filters have for them. */
const filterNames = { hub: "hubId", flow: "flowId", person: "person" } as const
export const filterWords = ["hub", "flow", "person"] as const

export const metricNames = Object.keys(reportMetrics).filter(isReportMetric)

/** What a field of a query or a variable may have, of what the caller sees; nothing for unknown names. */
export async function optionsOf(sql: Sql, caller: Caller, name: string, metric = ""): Promise<Option[]> {
  if (name === "metric") return metricNames.map(toOption)
  if (name === "groupBy") return groupsOf(metric)
  const word = filterWords.find((one) => name === one || name === filterNames[one])
  if (word === "person") {
    const people = await peopleOf(sql, caller, undefined)
    return people.map((person) => ({ label: person.name, value: person.email }))
  }
  if (word === undefined) return []
  const found = await (word === "hub"
    ? listHubs(sql, caller, { direction: "asc" })
    : listEveryFlow(sql, caller))
  return found.map((one) => ({ label: one.name, value: one.id }))
}

export function groupsOf(metric: string): Option[] {
  return isReportMetric(metric) ? dimensionsOfMetric(metric).map(toOption) : []
}

function toOption(name: string): Option {
  return { label: name, value: name }
}

/** The filters of a dashboard, such as hub = Harbour, as those of a query. */
export async function readAdhocFilters(
  sql: Sql,
  caller: Caller,
  filters: NonNullable<QueryBody["adhocFilters"]>,
): Promise<Payload> {
  const read: Record<string, string[]> = {}
  for (const { key, operator, value } of filters) {
    const word = filterWords.find((one) => one === key)
    if (word === undefined || operator !== "=")
      throw insightErrors.invalid({
        message: `Ad hoc filters are ${filterWords.join(", ")} with =`,
        fields: { adhocFilters: [`must be ${filterWords.join(", ")} with =`] },
      })
    const options = await optionsOf(sql, caller, word)
    const named = options.filter((option) => option.label === value).map((option) => option.value)
    read[filterNames[word]] = named.length > 0 ? named : [value]
  }
  return read
}
