import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import type { operations } from "../../../api/schema.d.ts"

export type Hub = operations["getHub"]["responses"]["200"]["content"]["application/json"]["data"]
export type HubBody = operations["createHub"]["requestBody"]["content"]["application/json"]

/** The hubs that the caller has, by name; everybody who is signed in may ask for these. */
export const hubsQuery = queryOptions({
  queryKey: ["hubs"],
  queryFn: async ({ signal }) => {
    const answer = await responseOf(api.GET("/api/v3/hubs", { params: { query: { byUser: true } }, signal }))
    return answer.data as Hub[]
  },
})

function createHub(body: HubBody) {
  return responseOf(api.POST("/api/v3/hub", { body }))
}

/** Writes a new hub, or the changes of an existing one. */
export async function saveHub(hub: Hub | undefined, body: HubBody): Promise<void> {
  if (hub) await updateHub(hub._id, { ...body, timeZone: hub.timeZone, countryCode: hub.countryCode })
  else await createHub(body)
}

function updateHub(hubId: string, body: HubBody) {
  return responseOf(api.PUT("/api/v3/hub/{hubId}", { params: { path: { hubId } }, body }))
}

export function deleteHub(hubId: string) {
  return responseOf(api.DELETE("/api/v3/hub/{hubId}", { params: { path: { hubId } } }))
}
