import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { rolesQuery } from "./users.queries.ts"

/** Role and hubs of new members: a field user of the hub that the console shows, unless others are chosen. */
export function useNewMember() {
  const { isOwner } = useSession()
  const chosenHub = useChosenHub()
  const { data: roles = [] } = useQuery(rolesQuery)
  const { data: hubs = [] } = useQuery(hubsQuery)
  const [roleChoice, setRole] = useState<string | null>(null)
  const [hubChoice, setHubs] = useState<string[]>()
  const fieldUser = roles.find((role) => role.isDefault && role.name === "field user")
  const onlyHub = hubs.length === 1 ? hubs[0]?._id : chosenHub
  const roleId = roleChoice ?? fieldUser?._id ?? ""
  return {
    offered: roles.filter((role) => isOwner || !role.isAdmin),
    role: roles.find(({ _id }) => _id === roleId),
    hubs,
    roleId,
    hubId: hubChoice ?? (onlyHub ? [onlyHub] : []),
    setRole,
    setHubs,
  }
}
