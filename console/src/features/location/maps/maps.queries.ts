import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"
import { upload } from "../../../api/upload.ts"

type Maps = operations["listMapRegions"]["responses"][200]["content"]["application/json"]["data"]
export type MapRegion = Maps["regions"][number]
export type MapBuild = Maps["builds"][number]

const pollMilliseconds = 2_000

export const isInProgress = ({ status }: MapBuild) => status === "waiting" || status === "running"

/** Read again and again while something is being built. */
export const mapsQuery = queryOptions({
  queryKey: ["maps"],
  queryFn: async ({ signal }) => (await responseOf(api.GET("/api/v3/map-regions", { signal }))).data,
  refetchInterval: ({ state }) => (state.data?.builds.some(isInProgress) ? pollMilliseconds : false),
})

export interface NewMap {
  readonly file: File
  readonly style: File | null
  readonly name: string
}

export async function uploadMap(
  { file, style, name }: NewMap,
  onSent: (part: number) => void,
): Promise<void> {
  const form = new FormData()
  if (name.trim() !== "") form.append("name", name.trim())
  if (style) form.append("style", style)
  form.append("file", file)
  await upload("/api/v3/map-regions", form, onSent)
}

export async function removeMap(name: string): Promise<void> {
  await responseOf(api.DELETE("/api/v3/map-regions/{mapRegion}", { params: { path: { mapRegion: name } } }))
}

export async function cancelBuild(id: string): Promise<void> {
  const params = { path: { mapBuildId: id } }
  await responseOf(api.POST("/api/v3/map-builds/{mapBuildId}/cancel", { params }))
}
