import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"

export type Plugin = operations["getPlugin"]["responses"]["200"]["content"]["application/json"]["data"]
export type RunningPlugin =
  operations["listRunningPlugins"]["responses"]["200"]["content"]["application/json"]["data"][number]

/** All plugins of the organization and the global ones; a hundred is what the server shows of them. */
export const pluginsQuery = queryOptions({
  queryKey: ["plugins", "all"],
  queryFn: async ({ signal }) => {
    const query = { limit: 100, sortBy: "name", sortOrder: "asc" } as const
    return (await responseOf(api.GET("/api/v3/plugins", { params: { query }, signal }))).data.data
  },
})

/** The running plugins of the signed-in person. When someone switches a plugin, an event invalidates the query. */
export const runningPluginsQuery = queryOptions({
  queryKey: ["plugins", "running"],
  queryFn: async ({ signal }) => (await responseOf(api.GET("/api/v3/plugins/running", { signal }))).data,
})
