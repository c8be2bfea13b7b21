import { queryOptions } from "@tanstack/react-query"
import { api, responseOf } from "../../../api/client.ts"
import { consoleHeader } from "../sessions/enter.ts"

export const myOrganizationsQuery = queryOptions({
  queryKey: ["my-organizations"],
  queryFn: async ({ signal }) =>
    (await responseOf(api.GET("/api/v3/auth/my-organizations", { signal }))).data,
})

/** Organizations that wait for this person to join. */
export const myInvitationsQuery = queryOptions({
  queryKey: ["my-invitations"],
  queryFn: async ({ signal }) => (await responseOf(api.GET("/api/v3/auth/my-invitations", { signal }))).data,
})

/** Moves the session into another organization and starts the console anew there. */
export async function openOrganization(organizationId: string): Promise<void> {
  await responseOf(
    api.POST("/api/v3/auth/switch-organization", { body: { organizationId }, headers: consoleHeader }),
  )
  // Everything on the screen belongs to the other organization now.
  window.location.assign("/")
}
