import { queryOptions } from "@tanstack/react-query"
import type { ExportFormat } from "#shared/export-formats.ts"
import { dataOf, type RequestBody, server } from "../../../api/server.ts"

type ExportBody = RequestBody<"exportTasks">

/** Above this the file is created in the background. */
const maxAtOnce = 5_000

export function exportTasks(options: {
  format: ExportFormat
  query: Omit<ExportBody, "download">
  taskIds: readonly string[]
  count: number
  /** Whose columns; all of them without it. */
  configId: string | undefined
}) {
  const { format, query, taskIds, count, configId } = options
  const which = taskIds.length > 0 ? { taskIds: taskIds.join(",") } : query
  const body: ExportBody = { ...which, download: format, limitTask: false, background: count > maxAtOnce }
  if (configId !== undefined) body.exportConfigId = configId
  return server.post("/api/v3/tasks/export", { body })
}

/** Service reports, always in the background. What the list pages and shows as columns does not matter for them. */
export function exportReports({
  query,
  taskIds,
  download,
}: {
  download: "zip" | "pdf"
  query: Omit<ExportBody, "download">
  taskIds: readonly string[]
}) {
  const { page: _page, limit: _limit, ...filters } = query
  return server.post("/api/v3/tasks/reports", {
    body: { ...(taskIds.length > 0 ? { taskIds: taskIds.join(",") } : filters), download },
  })
}

/** The caller's exports of the last 30 days; refetched while one is being created. */
export const exportsQuery = queryOptions({
  queryKey: ["exports", "log"],
  queryFn: async ({ signal }) =>
    (await dataOf(server.get("/api/v3/tasks/export-log", { query: { limit: 100 }, signal }))).map((hit) => ({
      ...hit._source,
      id: hit._id,
    })),
  refetchInterval: ({ state }) =>
    state.data?.some((entry) => entry.status === "Processing") ? 2_000 : false,
})
