import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { hubsQuery } from "./hubs.queries.ts"

/** Where the hubs are: what a map shows before there is anything else. */
export function useHubPlaces(): { lat: number; lng: number }[] {
  const { data: hubs } = useQuery(hubsQuery)
  return useMemo(
    () => (hubs ?? []).flatMap(({ lat, lng }) => (lat === null || lng === null ? [] : [{ lat, lng }])),
    [hubs],
  )
}
