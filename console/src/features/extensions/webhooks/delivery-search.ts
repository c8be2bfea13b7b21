import { type LogSearch, readLogSearch } from "../automations/log-search.ts"

/** Which deliveries the page shows, as encoded in the address. */
export interface DeliverySearch extends LogSearch {
  /** The id of a webhook; without it, the first one. */
  webhook?: string
}

export function readDeliverySearch(search: Readonly<Record<string, unknown>>): DeliverySearch {
  const { webhook } = search
  return { ...(typeof webhook === "string" ? { webhook } : {}), ...readLogSearch(search) }
}
