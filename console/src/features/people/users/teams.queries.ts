import { queryOptions } from "@tanstack/react-query"
import { dataOf, type ResponseBody, server } from "../../../api/server.ts"
import { byName } from "../../../i18n/by-name.ts"

export type Team = ResponseBody<"listTeams">["data"]["data"][number]

/** The teams of the hubs that the signed-in person has. */
export const teamsQuery = queryOptions({
  queryKey: ["teams"],
  queryFn: async ({ signal }) =>
    (await dataOf(server.get("/api/v3/teams", { query: { limit: -1 }, signal }))).data.toSorted(byName),
})
