import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"

/** The teams of the hubs that the signed-in person has. */
export const teamsQuery = queryOptions({
  queryKey: ["teams"],
  queryFn: async ({ signal }) =>
    (await responseOf(api.GET("/api/v3/teams", { params: { query: { limit: -1 } }, signal }))).data.data,
})
