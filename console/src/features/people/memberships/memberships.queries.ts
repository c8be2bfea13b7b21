import { dataQuery, server } from "../../../api/server.ts"
import { consoleHeader } from "../sessions/enter.ts"

export const myOrganizationsQuery = dataQuery(["my-organizations"], "/api/v3/auth/my-organizations")

/** Organizations that wait for this person to join. */
export const myInvitationsQuery = dataQuery(["my-invitations"], "/api/v3/auth/my-invitations")

/** Moves the session into another organization and reloads the console there. */
export async function openOrganization(organizationId: string): Promise<void> {
  await server.post("/api/v3/auth/switch-organization", { body: { organizationId }, headers: consoleHeader })
  // Everything on the screen belongs to the other organization now.
  window.location.assign("/")
}
