/** The query of a list of sessions or alarms, as the API names it in the rows of a report. */
export interface EventsSearch {
  from: string
  until: string
  person?: string
  hubId?: string
  onlyHubId?: string
  vehicleId?: string
  kind?: "speeding" | "harshDriving"
  weekday?: number
  hour?: number
  page?: number
}

const texts = ["person", "hubId", "onlyHubId", "vehicleId"] as const
const numbers = ["weekday", "hour", "page"] as const

/** Reads an address; without days it is today. */
export function readEventsSearch(search: Record<string, unknown>): EventsSearch {
  const day = (name: string) =>
    /^\d{4}-\d{2}-\d{2}$/.test(String(search[name]))
      ? String(search[name])
      : new Date().toISOString().slice(0, 10)
  const kind = (["speeding", "harshDriving"] as const).find((name) => name === search.kind)
  return {
    from: day("from"),
    until: day("until"),
    ...Object.fromEntries(
      texts.filter((name) => typeof search[name] === "string").map((name) => [name, search[name]]),
    ),
    ...Object.fromEntries(
      numbers
        .filter((name) => search[name] !== undefined && Number.isInteger(Number(search[name])))
        .map((name) => [name, Number(search[name])]),
    ),
    ...(kind ? { kind } : {}),
  }
}

/** The API's query as an address. */
export function eventsSearchOf(query: string): EventsSearch {
  return readEventsSearch(Object.fromEntries(new URLSearchParams(query)))
}
