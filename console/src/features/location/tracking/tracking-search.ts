/** The person whom the tracking page shows in detail, live or on a day; part of the address. */
export interface TrackingSearch {
  person?: string | undefined
  /** A team, to show its people alone. */
  team?: string | undefined
  /** A calendar date: the page shows that day instead of now. */
  day?: string | undefined
  /** So many days, of which `day` is the last. */
  days?: number | undefined
  /** Further people of that day, ids with commas between them. */
  with?: string | undefined
  /** A place to look at: latitude and longitude with a comma between them. */
  at?: string | undefined
}

const idPattern = /^[0-9a-f]{24}$/

/** How many days a time line may have besides one. */
export const spans = [7, 31] as const

export function readTrackingSearch(search: Record<string, unknown>): TrackingSearch {
  const { person, team, day, at } = search
  const days = spans.find((length) => length === Number(search.days))
  const others = String(search.with ?? "")
    .split(",")
    .filter((id) => idPattern.test(id))
  return {
    ...(typeof person === "string" && idPattern.test(person) ? { person } : {}),
    ...(typeof team === "string" && idPattern.test(team) ? { team } : {}),
    ...(typeof day === "string" && /^\d{4}-\d{2}-\d{2}$/.test(day) ? { day } : {}),
    ...(days === undefined ? {} : { days }),
    ...(typeof at === "string" && /^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?$/.test(at) ? { at } : {}),
    ...(others.length > 0 ? { with: others.join(",") } : {}),
  }
}
