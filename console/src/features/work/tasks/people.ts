import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { byName } from "../../../i18n/by-name.ts"
import { useSession } from "../../../session/session.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { type User, usersQuery } from "../../people/users/users.queries.ts"

/** Names of the active people by e-mail, sorted by name; empty for a role that may not see people. */
export function usePeopleNames(): ReadonlyMap<string, string> {
  const people = usePeople()
  return useMemo(() => new Map(people.map((user) => [user.email, user.name])), [people])
}

/** Choices of people to whom tasks of all these hubs can be assigned, and of those who are chosen already. */
export function useAssignable(
  hubIds: readonly string[],
  chosen: readonly string[],
): { value: string; label: string }[] {
  return usePeople()
    .filter(
      ({ email, role, hubId }) =>
        role?.isAdmin || chosen.includes(email) || hubIds.every((id) => hubId.includes(id)),
    )
    .map(({ email, name }) => ({ value: email, label: name }))
}

/** The active and invited people, sorted by name; nobody for a role that may not see people. */
function usePeople(): User[] {
  const { may } = useSession()
  const { data: users } = useQuery({ ...usersQuery, enabled: may("view/user") })
  return useMemo(() => {
    const active = (users ?? []).filter((user) => user.status === "active" || user.status === "pending")
    return active.toSorted(byName)
  }, [users])
}

export function useHubNames(): ReadonlyMap<string, string> {
  const { data: hubs } = useQuery(hubsQuery)
  return useMemo(() => new Map((hubs ?? []).map((hub) => [hub._id, hub.name])), [hubs])
}
