import { queryOptions } from "@tanstack/react-query"
import { type RequestBody, type ResponseBody, server } from "../../../api/server.ts"
import { byName } from "../../../i18n/by-name.ts"

export type Hub = ResponseBody<"getHub">["data"]
export type HubBody = RequestBody<"createHub">

/** The hubs that the caller has, by name; every signed-in user can read them. */
export const hubsQuery = queryOptions({
  queryKey: ["hubs"],
  queryFn: async ({ signal }) => {
    const answer = await server.get("/api/v3/hubs", { query: { byUser: true }, signal })
    return (answer.data as Hub[]).toSorted(byName)
  },
})

const createHub = (body: HubBody) => server.post("/api/v3/hub", { body })

/** Writes a new hub, or the changes of an existing one. */
export async function saveHub(hub: Hub | undefined, body: HubBody): Promise<void> {
  if (hub) await updateHub(hub._id, { ...body, timeZone: hub.timeZone, countryCode: hub.countryCode })
  else await createHub(body)
}

const updateHub = (hubId: string, body: HubBody) => server.put("/api/v3/hub/{hubId}", { hubId, body })

export const deleteHub = (hubId: string) => server.delete("/api/v3/hub/{hubId}", { hubId })
