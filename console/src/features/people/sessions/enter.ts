import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { paths } from "../../../paths.ts"
import { type OwnUser, ownUserQuery, sessionOf } from "../../../session/session.ts"
import { clearSignOut } from "../../../session/signed-out.ts"

/** The server puts the session into a cookie that no script can read, because of this header. */
export const consoleHeader = { "X-Fieldway-Console": "1" }

/** Goes on after a session was opened: to where the person wanted to be, else to the first page of the work. */
export function useEnter(): (next?: string) => Promise<void> {
  const router = useRouter()
  const client = useQueryClient()
  return async (next) => {
    client.clear()
    clearSignOut()
    const user = await client.fetchQuery(ownUserQuery)
    router.history.push(next ?? (user.isFieldUser === 1 ? paths.field : await startPageOf(client, user)))
  }
}

/** People who assign tasks start with the day of the people; with the first steps while there is nobody to do tasks. */
async function startPageOf(client: QueryClient, user: OwnUser): Promise<string> {
  const { may } = sessionOf(user)
  if (!may("assign/task") || !may("view/task")) return paths.today
  const { dayQuery } = await import("../../planning/dispatch/dispatch.queries.ts")
  const day = await client.fetchQuery(dayQuery(undefined, undefined)).catch(() => undefined)
  return day && day.people.length > 0 ? paths.dispatch : paths.today
}
