import { queryOptions } from "@tanstack/react-query"
import { type ResponseBody, server } from "../../../api/server.ts"
import type { MapFence } from "../../../map/Fences.tsx"

export type Visit = ResponseBody<"listVisits">["data"][number]

/** Arrivals and departures of a person in a span of epoch milliseconds, oldest first. */
export function visitsQuery(userId: string, from: number, to: number) {
  return queryOptions({
    queryKey: ["visits", userId, from, to],
    queryFn: async ({ signal }) => {
      const query = { userId, timeFrom: new Date(from).toISOString(), timeTo: new Date(to).toISOString() }
      const { data } = await server.get("/api/v3/location-visits", { query, signal })
      return data.toReversed()
    },
  })
}

/** Each visited place once, as far as it may be seen. */
export function fencesOfVisits(visits: readonly Visit[]): MapFence[] {
  const known = new Map<string, MapFence>()
  for (const { placeId, placeName, placeType, lat, lon, radiusMeters } of visits)
    if (lat !== null && lon !== null && radiusMeters !== null && placeType !== "geofence")
      known.set(placeId, { id: placeId, name: placeName ?? "", lat, lng: lon, radiusMeters, kind: placeType })
  return [...known.values()]
}
