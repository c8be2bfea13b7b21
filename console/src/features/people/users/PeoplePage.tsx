import { Avatar, Badge, Select, UnstyledButton } from "@mantine/core"
import { IconMailForward, IconPlus, IconUsers } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { shellMessages } from "../../../shell/messages.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { SavedViews } from "../saved-views/SavedViews.tsx"
import { userMessages } from "./messages.ts"
import { PersonForm } from "./PersonForm.tsx"
import { PersonPanel } from "./PersonPanel.tsx"
import { readPeopleSearch } from "./people-search.ts"
import { roleName } from "./role-name.ts"
import { type User, usersQuery } from "./users.queries.ts"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(usersQuery), client.ensureQueryData(hubsQuery)])

const InviteDialog = lazy(() => import("./InviteDialog.tsx"))

const statusColors: Record<string, string> = {
  active: "pine",
  pending: "yellow",
  inactive: "yellow",
  disabled: "gray",
  reject: "red",
}

export function PeoplePage() {
  const t = useMessages(userMessages)
  const tShell = useMessages(shellMessages)
  const { may } = useSession()
  const { data: users } = useSuspenseQuery(usersQuery)
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const [isInviting, setInviting] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const [openId, setOpenId] = useState<string>()
  const opened = users.find((user) => user._id === openId)
  const view = useSearch({ from: "/signed-in/people" })
  const navigate = useNavigate({ from: paths.people })
  const { q: search = "", role: wantedRole = null } = view
  const change = (options: { q?: string; role?: string | null }) =>
    void navigate({
      search: ({ q: _q, role: _role, ...current }) => ({
        ...current,
        ...readPeopleSearch({ ...view, ...options }),
      }),
      replace: true,
    })
  const chosenHub = useChosenHub()
  const shown = users.filter(
    (user) =>
      matches(user, search) &&
      (wantedRole === null || user.roleId === wantedRole) &&
      (chosenHub === undefined || user.role?.isAdmin || user.hubId.includes(chosenHub)),
  )
  const roles = new Map(users.flatMap(({ role }) => (role ? [[role._id, roleName(role, t)]] : [])))
  const hubNames = new Map(hubs.map((hub) => [hub._id, hub.name]))
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("count", { count: shown.length })}>
        <ActionButton
          icon={IconMailForward}
          label={t("invite")}
          variant="default"
          onClick={() => setInviting(true)}
          reason={may("invite") ? undefined : tShell("needs", { permission: "invite" })}
        />
        <ActionButton
          icon={IconPlus}
          label={t("add")}
          onClick={() => setAdding(true)}
          reason={may("invite") ? undefined : tShell("needs", { permission: "invite" })}
        />
      </PageHeader>
      <div className="toolbar">
        <SearchInput label={t("search")} value={search} onChange={(q) => change({ q })} w={240} />
        <Select
          aria-label={t("role")}
          placeholder={t("allRoles")}
          clearable
          data={[...roles].map(([value, label]) => ({ value, label }))}
          value={wantedRole}
          onChange={(role) => change({ role })}
          w={170}
        />
        <SavedViews
          list="people"
          content={readPeopleSearch({ ...view })}
          onChoose={(content) => void navigate({ search: readPeopleSearch(content) })}
        />
      </div>
      <div className="page-scroll" style={{ flex: 1, borderTop: "1px solid var(--line)" }}>
        {shown.length === 0 ? (
          <EmptyState icon={IconUsers} title={t("emptyTitle")} text={t("emptyText")} />
        ) : (
          <UserTable users={shown} hubNames={hubNames} onOpen={setOpenId} />
        )}
      </div>
      {opened ? <PersonPanel key={opened._id} user={opened} onClose={() => setOpenId(undefined)} /> : null}
      <Suspense fallback={null}>
        {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
      </Suspense>
      {isAdding ? <PersonForm onClose={() => setAdding(false)} /> : null}
    </div>
  )
}

function matches(user: User, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  return wanted === "" || user.name.toLowerCase().includes(wanted) || user.email.includes(wanted)
}

interface UserTableProps {
  users: readonly User[]
  hubNames: ReadonlyMap<string, string>
  onOpen(userId: string): void
}

function UserTable({ users, hubNames, onOpen }: UserTableProps) {
  const t = useMessages(userMessages)
  const formats = useFormats()
  const now = Date.now()
  const hubsOf = (user: User) => {
    if (user.role?.isAdmin) return t("allHubs")
    const names = user.hubId.flatMap((hubId) => hubNames.get(hubId) ?? [])
    return names.length > 0 ? formats.list(names) : t("noHub")
  }
  const statusText = (status: string) =>
    status === "active" ||
    status === "inactive" ||
    status === "pending" ||
    status === "disabled" ||
    status === "reject"
      ? t(status)
      : status
  return (
    <DataTable
      rows={users}
      keyOf={({ _id }) => _id}
      columns={[
        {
          title: t("name"),
          cell: (user) => (
            <div className="person">
              <Avatar name={user.name} color="initials" size={30} radius="xl" aria-hidden />
              <div className="user-names">
                <UnstyledButton className="row-link user-name" onClick={() => onOpen(user._id)}>
                  {user.name}
                </UnstyledButton>
                <span className="quiet truncate" style={{ fontSize: "0.75rem" }}>
                  {user.email}
                </span>
              </div>
            </div>
          ),
        },
        { title: t("role"), cell: (user) => (user.role ? roleName(user.role, t) : "") },
        { title: t("hubs"), from: "sm", kind: "quiet", cell: (user) => hubsOf(user) },
        {
          title: t("status"),
          cell: (user) => (
            <Badge color={statusColors[user.status] ?? "gray"}>{statusText(user.status)}</Badge>
          ),
        },
        {
          title: t("lastLogin"),
          from: "md",
          kind: "quiet",
          cell: (user) => (user.lastLogin ? formats.ago(user.lastLogin, now) : t("never")),
        },
      ]}
    />
  )
}
