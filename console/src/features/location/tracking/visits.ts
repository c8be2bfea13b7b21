import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"
import type { MapFence } from "../../../map/Fences.tsx"

export type Visit =
  operations["listVisits"]["responses"]["200"]["content"]["application/json"]["data"][number]

/** Arrivals and departures of a person in a span of epoch milliseconds, oldest first. */
export function visitsQuery(userId: string, from: number, to: number) {
  return queryOptions({
    queryKey: ["visits", userId, from, to],
    queryFn: async ({ signal }) => {
      const query = { userId, timeFrom: new Date(from).toISOString(), timeTo: new Date(to).toISOString() }
      const { data } = await responseOf(api.GET("/api/v3/location-visits", { params: { query }, signal }))
      return data.toReversed()
    },
  })
}

/** Each visited place once, as far as it may be seen. */
export function fencesOfVisits(visits: readonly Visit[]): MapFence[] {
  const known = new Map<string, MapFence>()
  for (const { placeId, placeName, placeType, lat, lon, radiusMeters } of visits)
    if (lat !== null && lon !== null)
      known.set(placeId, { id: placeId, name: placeName ?? "", lat, lng: lon, radiusMeters, kind: placeType })
  return [...known.values()]
}
