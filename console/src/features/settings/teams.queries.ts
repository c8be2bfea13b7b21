import { queryOptions } from "@tanstack/react-query"
import { answerOf, api } from "../../api/client.ts"

/** Every team in the caller's hubs. */
export const teamsQuery = queryOptions({
  queryKey: ["teams"],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET("/api/v3/teams", { params: { query: { limit: -1 } }, signal }))).data.data,
})
