import { dataQuery, type ResponseBody, server } from "../../../api/server.ts"
import { upload } from "../../../api/upload.ts"

type Maps = ResponseBody<"listMapRegions">["data"]
export type MapRegion = Maps["regions"][number]
export type MapBuild = Maps["builds"][number]

export type RoadSpeeds = ResponseBody<"getRoadSpeeds">["data"]

const pollMilliseconds = 2_000
/** The operator's command and files in the server's folder start builds too. */
const idleMilliseconds = 15_000

export const isInProgress = ({ status }: MapBuild) => status === "waiting" || status === "running"

/** Read again and again, more often while something is being built. */
export const mapsQuery = dataQuery(
  ["maps"],
  "/api/v3/map-regions",
  {},
  {
    refetchInterval: ({ state }) =>
      state.data?.builds.some(isInProgress) ? pollMilliseconds : idleMilliseconds,
  },
)

export const speedsQuery = dataQuery(["road-speeds"], "/api/v3/road-speeds", {})

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
  await server.delete("/api/v3/map-regions/{mapRegion}", { mapRegion: name })
}

export async function cancelBuild(id: string): Promise<void> {
  await server.post("/api/v3/map-builds/{mapBuildId}/cancel", { mapBuildId: id })
}
