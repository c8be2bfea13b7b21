import { dataQuery, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import { paths } from "../../../paths.ts"

export type SavedView = ResponseBody<"listSavedViews">["data"][number]
export type ViewInput = RequestBody<"createSavedView">

/** All views that the person sees, of all lists: the menu shows the pinned ones. */
export const viewsQuery = dataQuery(["views"], "/api/v3/views", {}, { staleTime: 60_000 })

export const saveView = (body: ViewInput) => server.post("/api/v3/view", { body })
export const replaceView = (viewId: string, body: ViewInput) =>
  server.put("/api/v3/view/{viewId}", { viewId, body })
export const removeView = (viewId: string) => server.delete("/api/v3/view/{viewId}", { viewId })

interface ViewPlace {
  to: string
  params?: { dataTypeId: string }
  search: Record<string, unknown>
}

const lists: Readonly<Record<string, string>> = {
  tasks: paths.tasks,
  vehicles: paths.vehicles,
  people: paths.people,
  reports: paths.reports,
  dashboards: paths.dashboard,
}

/** Where a view is shown. */
export function placeOfView({ list, content }: Pick<SavedView, "list" | "content">): ViewPlace {
  const to = lists[list]
  if (to !== undefined) return { to, search: content }
  return { to: paths.dataType, params: { dataTypeId: list.replace(/^data-/, "") }, search: content }
}
