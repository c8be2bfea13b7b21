import { Avatar, Badge } from "@mantine/core"
import { useMemo } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Column } from "../../../ui/tables/VirtualGrid.tsx"
import { userMessages } from "./messages.ts"
import { roleName } from "./role-name.ts"
import type { Team } from "./teams.queries.ts"
import type { User } from "./users.queries.ts"

const statusColors: Record<string, string> = {
  active: "pine",
  pending: "yellow",
  inactive: "yellow",
  disabled: "gray",
  reject: "red",
}

/** The columns of the list of people; a phone shows name, role and state. */
export function usePeopleColumns(options: {
  hubNames: ReadonlyMap<string, string>
  teams: readonly Team[]
  isNarrow: boolean
}): Column<User>[] {
  const { hubNames, teams, isNarrow } = options
  const t = useMessages(userMessages)
  const formats = useFormats()
  return useMemo(() => {
    const now = Date.now()
    const teamNames = new Map(teams.map(({ _id, name }) => [_id, name]))
    const listed = (ids: readonly string[], names: ReadonlyMap<string, string>) =>
      formats.list(ids.flatMap((id) => names.get(id) ?? []))
    const roleOf = ({ role }: User) => (role ? roleName(role, t) : "")
    const hubsOf = ({ role, hubId }: User) => (role?.isAdmin ? t("allHubs") : listed(hubId, hubNames))
    const teamsOf = ({ teamId }: User) => listed(teamId ?? [], teamNames)
    const statusOf = ({ status }: User) =>
      status === "active" ||
      status === "inactive" ||
      status === "pending" ||
      status === "disabled" ||
      status === "reject"
        ? t(status)
        : status
    const name: Column<User> = {
      id: "name",
      title: t("name"),
      width: isNarrow ? "minmax(118px, 1fr)" : "minmax(200px, 1.4fr)",
      sort: "name",
      orderOf: (user) => user.name,
      render: (user) => (
        <div className="person">
          <Avatar name={user.name} color="initials" size={26} radius="xl" aria-hidden />
          <span className="user-name">{user.name}</span>
        </div>
      ),
    }
    const role: Column<User> = {
      id: "role",
      title: t("role"),
      width: isNarrow ? "100px" : "minmax(110px, 0.8fr)",
      sort: "role",
      groupOf: roleOf,
      render: roleOf,
    }
    const status: Column<User> = {
      id: "status",
      title: t("status"),
      width: isNarrow ? "102px" : "130px",
      sort: "status",
      groupOf: statusOf,
      render: (user) => <Badge color={statusColors[user.status] ?? "gray"}>{statusOf(user)}</Badge>,
    }
    if (isNarrow) return [name, role, status]
    const email: Column<User> = {
      id: "email",
      title: t("email"),
      width: "minmax(170px, 1.2fr)",
      sort: "email",
      orderOf: (user) => user.email,
      render: (user) => <span className="quiet">{user.email}</span>,
    }
    const hubs: Column<User> = {
      id: "hubs",
      title: t("hubs"),
      width: "minmax(120px, 1fr)",
      sort: "hubs",
      groupOf: hubsOf,
      render: (user) => <span className="quiet">{hubsOf(user) || t("noHub")}</span>,
    }
    const inTeams: Column<User> = {
      id: "teams",
      title: t("teams"),
      width: "minmax(110px, 0.8fr)",
      sort: "teams",
      groupOf: teamsOf,
      render: (user) => <span className="quiet">{teamsOf(user) || "–"}</span>,
    }
    const lastLogin: Column<User> = {
      id: "lastLogin",
      title: t("lastLogin"),
      width: "150px",
      sort: "lastLogin",
      orderOf: (user) => (user.lastLogin ? Date.parse(user.lastLogin) : 0),
      render: (user) => (
        <span className="quiet">{user.lastLogin ? formats.ago(user.lastLogin, now) : t("never")}</span>
      ),
    }
    return [name, email, role, hubs, ...(teams.length > 0 ? [inTeams] : []), status, lastLogin]
  }, [hubNames, teams, isNarrow, t, formats])
}
