import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { byName } from "../../../i18n/by-name.ts"
import { useSession } from "../../../session/session.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { usersQuery } from "../../people/users/users.queries.ts"

/** Names of the active people by e-mail, sorted by name; empty for a role that may not see people. */
export function usePeopleNames(): ReadonlyMap<string, string> {
  const { may } = useSession()
  const { data: users } = useQuery({ ...usersQuery, enabled: may("view/user") })
  return useMemo(() => {
    const active = (users ?? []).filter((user) => user.status === "active" || user.status === "pending")
    const sorted = active.toSorted(byName)
    return new Map(sorted.map((user) => [user.email, user.name]))
  }, [users])
}

export function useHubNames(): ReadonlyMap<string, string> {
  const { data: hubs } = useQuery(hubsQuery)
  return useMemo(() => new Map((hubs ?? []).map((hub) => [hub._id, hub.name])), [hubs])
}
