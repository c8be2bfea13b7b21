import { queryOptions } from "@tanstack/react-query"
import { dataOf, dataQuery, type ResponseBody, server } from "../../../api/server.ts"

export type Plugin = ResponseBody<"getPlugin">["data"]
export type RunningPlugin = ResponseBody<"listRunningPlugins">["data"][number]

/** All plugins of the organization and the global ones; a hundred is what the server shows of them. */
export const pluginsQuery = queryOptions({
  queryKey: ["plugins", "all"],
  queryFn: async ({ signal }) => {
    const query = { limit: 100, sortBy: "name", sortOrder: "asc" } as const
    return (await dataOf(server.get("/api/v3/plugins", { query, signal }))).data
  },
})

/** The running plugins of the signed-in person. When someone switches a plugin, an event invalidates the query. */
export const runningPluginsQuery = dataQuery(["plugins", "running"], "/api/v3/plugins/running")
