import { queryOptions } from "@tanstack/react-query"
import type { LngLat } from "../../../../packages/geodesy/geodesy.ts"
import { api, responseOf } from "../../api/client.ts"

export const minSearchLength = 3

/** Suggestions for what is typed; those near a place come first. */
export function suggestionsQuery(text: string, near: LngLat | undefined) {
  return queryOptions({
    queryKey: ["places", "search", text, near?.map((degrees) => degrees.toFixed(1)).join()],
    queryFn: ({ signal }) =>
      responseOf(
        api.GET("/api/v3/places/search", {
          params: {
            query: { q: text.slice(0, 300), limit: "6", ...(near ? { viewbox: boxAround(near) } : {}) },
          },
          signal,
        }),
      ),
    enabled: text.length >= minSearchLength,
    staleTime: 60_000,
    retry: false,
  })
}

const boxAround = ([lng, lat]: LngLat) =>
  [
    Math.max(-180, lng - 0.1),
    Math.max(-90, lat - 0.1),
    Math.min(180, lng + 0.1),
    Math.min(90, lat + 0.1),
  ].join()

/** What is at a position, as one line; null where no map has addresses. */
export function addressQuery(position: LngLat | undefined, isEnabled: boolean) {
  return queryOptions({
    queryKey: ["places", "at", position?.join()],
    queryFn: async ({ signal }) => {
      const [lon = 0, lat = 0] = position ?? []
      const found = await responseOf(
        api.GET("/api/v3/places/reverse", {
          params: { query: { lat: String(lat), lon: String(lon) } },
          signal,
        }),
      )
      return "display_name" in found ? found.display_name : null
    },
    enabled: isEnabled && position !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
