import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import type { TravelSeconds } from "#shared/dispatch/person-day.ts"
import { travelQuery } from "./dispatch.queries.ts"

/** Travel times on roads between some places, once they are known; undefined until then, or where there are no roads. */
export function useRoadTravel(
  places: readonly LngLat[],
  isEnabled: boolean,
  fallback: TravelSeconds,
): TravelSeconds | undefined {
  const query = travelQuery(places)
  const { data } = useQuery({ ...query, enabled: isEnabled && places.length > 1 })
  return useMemo(() => {
    if (!data?.isByRoad) return undefined
    const indexOf = new Map(places.map((place, index) => [place.join(), index]))
    return (from, to) => {
      const [row, column] = [indexOf.get(from.join()), indexOf.get(to.join())]
      return row === undefined || column === undefined
        ? fallback(from, to)
        : (data.seconds[row]?.[column] ?? 0)
    }
  }, [data, places, fallback])
}
