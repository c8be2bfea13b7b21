/** Whom the tracking page shows in detail; it stands in the address. */
export interface TrackingSearch {
  person?: string
}

export function readTrackingSearch(search: Record<string, unknown>): TrackingSearch {
  return typeof search.person === "string" && /^[0-9a-f]{24}$/.test(search.person)
    ? { person: search.person }
    : {}
}
