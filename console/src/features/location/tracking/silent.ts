import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
/** People with a running session or task who are not heard of. The stream tells who falls silent and who is back. */
export const silentQuery = queryOptions({
  queryKey: ["silent-people"],
  staleTime: 0,
  queryFn: async ({ signal }) => (await responseOf(api.GET("/api/v3/silent-people", { signal }))).data,
})
