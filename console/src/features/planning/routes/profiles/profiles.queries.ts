import { queryOptions } from "@tanstack/react-query"
import { dataQuery, type RequestBody, type ResponseBody, server } from "../../../../api/server.ts"

export type Profile = ResponseBody<"getConfiguration">["data"]
export type ProfileBody = RequestBody<"replaceConfiguration">
export type Area = ResponseBody<"listGeotags">["data"][number]

/** The profiles of a hub, the one that it plans with first. A hub without any gets the default one by asking. */
export function profilesQuery(hubId: string) {
  return queryOptions({
    queryKey: ["routing-settings", "profiles", hubId],
    queryFn: async ({ signal }) => {
      await server.get("/api/v3/configuration/hub/{hubId}", { hubId, signal })
      const query = { hubId, limit: -1, sortBy: "updatedTime", sortOrder: "desc" } as const
      const { data } = await server.get("/api/v3/configurations", { query, signal })
      // Whole profiles, since no `fields` were requested.
      return data as Profile[]
    },
  })
}

export async function saveProfile(hubId: string, id: string | undefined, body: ProfileBody): Promise<void> {
  if (id === undefined) await server.post("/api/v3/configuration", { body: { ...body, hubId } })
  else await server.put("/api/v3/configuration/{configurationId}", { configurationId: id, body })
}

export const deleteProfile = (configurationId: string) =>
  server.delete("/api/v3/configuration/{configurationId}", { configurationId })

export const areasQuery = (hubId: string) =>
  dataQuery(["routing-settings", "areas", hubId], "/api/v3/geotagging", { query: { hubId } })

export interface AreaDraft {
  name: string
  color: string
  isActive: boolean
  /** Longitude and latitude of the corners; undefined: as it is. */
  ring?: readonly (readonly [number, number])[] | undefined
}

export async function saveArea(hubId: string, id: string | undefined, draft: AreaDraft): Promise<void> {
  const { name, color, isActive, ring } = draft
  const corners = ring?.map(([lng, lat]) => `${lat.toFixed(6)}, ${lng.toFixed(6)}`)
  if (id === undefined)
    await server.post("/api/v3/geotagging", {
      body: { name, color, isActive, hubId, geoTaggingCoordinate: corners ?? [] },
    })
  else
    await server.patch("/api/v3/geotagging/{geotagId}", {
      geotagId: id,
      body: { name, color, isActive, ...(corners ? { geoTaggingCoordinate: corners } : {}) },
    })
}

export const deleteArea = (geotagId: string) => server.delete("/api/v3/geotagging/{geotagId}", { geotagId })
