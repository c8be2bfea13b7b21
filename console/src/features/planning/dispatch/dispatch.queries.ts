import { queryOptions } from "@tanstack/react-query"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { dataOf, dataQuery, type ResponseBody, server } from "../../../api/server.ts"

export type DispatchDay = ResponseBody<"getDispatchDay">["data"]
export type DayTask = DispatchDay["tasks"][number]
export type DayPerson = DispatchDay["people"][number]
export type Suggestion = ResponseBody<"suggestAssignees">["data"]["people"][number]

/** The day of a hub or of all hubs; without a date today. */
export function dayQuery(hubId: string | undefined, date: string | undefined) {
  const query = { ...(hubId ? { hubId } : {}), ...(date ? { date } : {}) }
  return dataQuery(
    ["dispatch", "day", hubId ?? "", date ?? ""],
    "/api/v3/dispatch/day",
    { query },
    // Comparing thousands of tasks with those of before takes longer than drawing the few that are in sight.
    { structuralSharing: false },
  )
}

/** Travel times between places; they do not change while the page is open. */
export function travelQuery(places: readonly LngLat[]) {
  return queryOptions({
    queryKey: ["dispatch", "travel", places.map((place) => place.join()).join(";")],
    queryFn: async ({ signal }) => {
      const body = { places: places.map(([lng, lat]) => [lng, lat]) }
      const { isByRoad, outOfReach, seconds } = await dataOf(
        server.post("/api/v3/dispatch/travel-times", { body, signal }),
      )
      const indexOf = new Map(places.map((place, index) => [place.join(), index]))
      return { isByRoad, outOfReach, seconds, indexOf }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 10 * 60_000,
    enabled: places.length > 1,
    retry: false,
  })
}

/** When the next task after a moment starts that nobody has; null if there is none. */
export function nextUnassignedQuery(hubId: string | undefined, afterSeconds: number) {
  return queryOptions({
    queryKey: ["tasks", "next-unassigned", hubId ?? "", afterSeconds],
    queryFn: async ({ signal }) => {
      const { tasks } = await server.get("/api/v3/tasks", {
        query: {
          ...(hubId ? { hubId } : {}),
          status: "UNASSIGNED",
          timeBy: "startTime",
          timeFrom: new Date(afterSeconds * 1000).toISOString(),
          sortBy: "startTime",
          sortOrder: "asc",
          limit: 1,
          fields: "startTime",
        },
        signal,
      })
      const start = tasks.data[0]?.startTime
      return typeof start === "string" ? start : null
    },
  })
}

export function suggestionsQuery(taskIds: readonly string[], hubId: string | undefined, date: string) {
  return queryOptions({
    queryKey: ["dispatch", "suggestions", hubId ?? "", date, ...taskIds],
    queryFn: ({ signal }) =>
      dataOf(
        server.post("/api/v3/dispatch/suggestions", {
          body: { taskIds: [...taskIds], date, ...(hubId ? { hubId } : {}) },
          signal,
        }),
      ),
    staleTime: 0,
    gcTime: 0,
  })
}
