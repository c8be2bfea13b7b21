import { dataQuery, type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import { paths } from "../../../paths.ts"
import type { ColumnSettings } from "../../../ui/tables/column-settings.ts"
import { usePreference } from "../users/preferences.queries.ts"

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
  deliveries: paths.webhooks,
  reports: paths.reports,
  dashboards: paths.dashboard,
}

/** Where a view is shown. */
export function placeOfView({ list, content }: Pick<SavedView, "list" | "content">): ViewPlace {
  const to = lists[list]
  const { columns: _columns, ...search } = content
  if (to !== undefined) return { to, search }
  return { to: paths.dataType, params: { dataTypeId: list.replace(/^data-/, "") }, search }
}

/** How the person has arranged the columns of a list; a view keeps them with its filters. */
export const useListColumns = (list: string) => usePreference<ColumnSettings>(`columns-${list}`)

/** Of a view: the arrangement of columns, undefined in views that have none. */
export function columnsOfView({ content }: Pick<SavedView, "content">): ColumnSettings | undefined {
  const { columns } = content
  return typeof columns === "object" && columns !== null ? columns : undefined
}
