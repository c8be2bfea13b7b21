import { type RowFilter, rowFilterOf } from "#shared/row-filter.ts"

/** What a log of tries shows; that of webhooks keeps it in the address. */
export interface LogSearch {
  outcome?: "failed" | "succeeded"
  /** A calendar date in UTC. */
  day?: string
  /** The id of a task, record or trip. */
  reference?: string
  /** Conditions over any field. */
  filter?: RowFilter
  /** By what they are sorted; by default by time. */
  sort?: LogOrder
  order?: "asc"
  /** The column by which rows are grouped. */
  group?: string
}

export const logOrders = ["automationName", "isSuccess", "statusCode", "attempt", "automationUrl"] as const
export type LogOrder = (typeof logOrders)[number]

export function readLogSearch(search: Readonly<Record<string, unknown>>): LogSearch {
  const { outcome, day, reference, group } = search
  const filter = rowFilterOf(search.filter)
  const sort = logOrders.find((known) => known === search.sort)
  return {
    ...(filter ? { filter } : {}),
    ...(outcome === "failed" || outcome === "succeeded" ? { outcome } : {}),
    ...(typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day) ? { day } : {}),
    ...(reference === undefined || reference === "" ? {} : { reference: String(reference).slice(0, 100) }),
    ...(sort ? { sort } : {}),
    ...(search.order === "asc" ? { order: "asc" as const } : {}),
    ...(typeof group === "string" && /^[a-zA-Z]{1,40}$/.test(group) ? { group } : {}),
  }
}
