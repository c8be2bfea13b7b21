import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"

export type CustomModule =
  operations["listCustomModules"]["responses"]["200"]["content"]["application/json"]["data"][number]

/** The entries that the organization added to the menu, as far as the role may see them. */
export const customModulesQuery = queryOptions({
  queryKey: ["custom-modules"],
  queryFn: async ({ signal }) => (await responseOf(api.GET("/api/v3/custom-modules", { signal }))).data,
})
