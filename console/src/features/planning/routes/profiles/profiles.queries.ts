import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../../api/client.ts"
import type { operations } from "../../../../api/schema.d.ts"

type Answer<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { "application/json": infer Body } } }
}
  ? Body
  : never

export type Profile = Answer<"getConfiguration">["data"]
export type ProfileBody = operations["replaceConfiguration"]["requestBody"]["content"]["application/json"]
export type Area = Answer<"listGeotags">["data"][number]

/** The profiles of a hub, the one that it plans with first. A hub without any gets the default one by asking. */
export function profilesQuery(hubId: string) {
  return queryOptions({
    queryKey: ["routing-settings", "profiles", hubId],
    queryFn: async ({ signal }) => {
      await responseOf(api.GET("/api/v3/configuration/hub/{hubId}", { params: { path: { hubId } }, signal }))
      const query = { hubId, limit: -1, sortBy: "updatedTime", sortOrder: "desc" } as const
      const { data } = await responseOf(api.GET("/api/v3/configurations", { params: { query }, signal }))
      // Whole profiles, since no `fields` were asked for.
      return data as Profile[]
    },
  })
}

export async function saveProfile(hubId: string, id: string | undefined, body: ProfileBody): Promise<void> {
  if (id === undefined) await responseOf(api.POST("/api/v3/configuration", { body: { ...body, hubId } }))
  else
    await responseOf(
      api.PUT("/api/v3/configuration/{configurationId}", { params: { path: { configurationId: id } }, body }),
    )
}

export const deleteProfile = (configurationId: string) =>
  responseOf(api.DELETE("/api/v3/configuration/{configurationId}", { params: { path: { configurationId } } }))

export function areasQuery(hubId: string) {
  return queryOptions({
    queryKey: ["routing-settings", "areas", hubId],
    queryFn: async ({ signal }) =>
      (await responseOf(api.GET("/api/v3/geotagging", { params: { query: { hubId } }, signal }))).data,
  })
}

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
    await responseOf(
      api.POST("/api/v3/geotagging", {
        body: { name, color, isActive, hubId, geoTaggingCoordinate: corners ?? [] },
      }),
    )
  else
    await responseOf(
      api.PATCH("/api/v3/geotagging/{geotagId}", {
        params: { path: { geotagId: id } },
        body: { name, color, isActive, ...(corners ? { geoTaggingCoordinate: corners } : {}) },
      }),
    )
}

export const deleteArea = (geotagId: string) =>
  responseOf(api.DELETE("/api/v3/geotagging/{geotagId}", { params: { path: { geotagId } } }))
