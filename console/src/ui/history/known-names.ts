import { useQuery } from "@tanstack/react-query"
import { hubsQuery } from "../../features/organization/hubs/hubs.queries.ts"
import { userMessages } from "../../features/people/users/messages.ts"
import { roleName } from "../../features/people/users/role-name.ts"
import { teamsQuery } from "../../features/people/users/teams.queries.ts"
import { rolesQuery, usersQuery } from "../../features/people/users/users.queries.ts"
import { dataTypesQuery } from "../../features/work/data-types/data-types.queries.ts"
import { flowsQuery } from "../../features/work/flows/flows.queries.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"

const idOrAddress = /[0-9a-f]{24}|@/

/** Names of people, hubs, roles, teams, flows and data types, by the ids and addresses that these values have. */
export function useKnownNames(values: unknown): ReadonlyMap<string, string> {
  const t = useMessages(userMessages)
  const { may } = useSession()
  const isNeeded = idOrAddress.test(JSON.stringify(values) ?? "")
  const when = (permission: Parameters<typeof may>[0]) => ({ enabled: isNeeded && may(permission) })
  const { data: hubs = [] } = useQuery({ ...hubsQuery, enabled: isNeeded })
  const { data: users = [] } = useQuery({ ...usersQuery, ...when("view/user") })
  const { data: roles = [] } = useQuery({ ...rolesQuery, ...when("view/role") })
  const { data: teams = [] } = useQuery({ ...teamsQuery, ...when("view/team") })
  const { data: flows = [] } = useQuery({ ...flowsQuery, ...when("view/flow") })
  const { data: types = [] } = useQuery({ ...dataTypesQuery, ...when("view/dataType") })
  return new Map<string, string>([
    ...[...hubs, ...teams, ...flows, ...types].map(({ _id, name }) => [_id, name] as const),
    ...roles.map((role) => [role._id, roleName(role, t)] as const),
    ...users.flatMap(({ _id, email, name }) => [[_id, name] as const, [email, name] as const]),
  ])
}
