import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { hubRadiusMeters, taskRadiusMeters } from "#packages/geodesy/fence-radius.ts"
import { server } from "../../../api/server.ts"
import type { MapFence } from "../../../map/Fences.tsx"
import { useSession } from "../../../session/session.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { type ListedTask, withHeadingTexts } from "../../work/tasks/tasks.queries.ts"

const maxTasks = 100

/** The hubs, and the places of the running tasks of the chosen person. */
export function useFences(hub: string | undefined, email: string | undefined): readonly MapFence[] {
  const { may } = useSession()
  const { data: hubs } = useQuery(hubsQuery)
  const { data: tasks } = useQuery({
    queryKey: ["tasks", "places", email],
    enabled: email !== undefined && may("view/task"),
    queryFn: async ({ signal }) => {
      const query = {
        assignee: email ?? "",
        status: "ONGOING" as const,
        limit: maxTasks,
        fields: "title,flow,expectedCoordinate",
      }
      const answer = await server.get("/api/v3/tasks", { query, signal })
      return withHeadingTexts<ListedTask>(answer.tasks.data)
    },
  })
  return useMemo(
    () => [
      ...(hubs ?? [])
        .filter(({ _id }) => hub === undefined || _id === hub)
        .map(({ _id, name, lat, lng }): MapFence => {
          return { id: _id, name, lat, lng, radiusMeters: hubRadiusMeters, kind: "hub" }
        }),
      ...(email === undefined ? [] : (tasks ?? [])).flatMap(
        ({ _id, title, expectedCoordinate }): MapFence[] => {
          const [lat, lng] = (expectedCoordinate ?? "").split(",").map(Number)
          if (lat === undefined || lng === undefined || !Number.isFinite(lat) || !Number.isFinite(lng))
            return []
          return [{ id: _id, name: title ?? "", lat, lng, radiusMeters: taskRadiusMeters, kind: "task" }]
        },
      ),
    ],
    [hubs, tasks, hub, email],
  )
}
