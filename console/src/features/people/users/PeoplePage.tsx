import { Select } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { IconMailForward, IconPlus, IconUsers } from "@tabler/icons-react"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { FilterBuilder } from "../../../ui/filters/FilterBuilder.tsx"
import { SearchInput } from "../../../ui/forms/SearchInput.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { GroupedGrid } from "../../../ui/tables/GroupedGrid.tsx"
import { useLocalList } from "../../../ui/tables/local-list.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { SavedViews } from "../saved-views/SavedViews.tsx"
import { userMessages } from "./messages.ts"
import { PersonForm } from "./PersonForm.tsx"
import { PersonPanel } from "./PersonPanel.tsx"
import { usePeopleColumns } from "./people-columns.tsx"
import { usePeopleFilterFields } from "./people-filter-fields.ts"
import { type PeopleSearch, readPeopleSearch } from "./people-search.ts"
import { roleName } from "./role-name.ts"
import { type Team, teamsQuery } from "./teams.queries.ts"
import { matchingUsersQuery, type User, usersQuery } from "./users.queries.ts"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(usersQuery), client.ensureQueryData(hubsQuery)])

const InviteDialog = lazy(() => import("./InviteDialog.tsx"))

const nobody: ReadonlySet<string> = new Set()
const noTeams: readonly Team[] = []

export function PeoplePage() {
  const t = useMessages(userMessages)
  const { may } = useSession()
  const { data: users } = useSuspenseQuery(usersQuery)
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const [isInviting, setInviting] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const [openId, setOpenId] = useState<string>()
  const opened = users.find((user) => user._id === openId)
  const view = useSearch({ from: "/signed-in/people" })
  const navigate = useNavigate({ from: paths.people })
  const { q: search = "", role: wantedRole, group, filter } = view
  const matching = useQuery(matchingUsersQuery(filter))
  const change = (options: { [Key in keyof PeopleSearch]?: PeopleSearch[Key] | undefined }) =>
    void navigate({ search: (current) => ({ ...current, ...options }) as PeopleSearch, replace: true })
  const chosenHub = useChosenHub()
  const isNarrow = useMediaQuery("(max-width: 48em)", false)
  const { data: teams = noTeams } = useQuery({ ...teamsQuery, enabled: may("view/team") })
  const hubNames = useMemo(() => new Map(hubs.map((hub) => [hub._id, hub.name])), [hubs])
  const columns = usePeopleColumns({ hubNames, teams, isNarrow })
  const shown = useMemo(
    () =>
      users.filter(
        (user) =>
          matches(user, search) &&
          (filter === undefined || matching.data?.has(user._id) === true) &&
          (wantedRole === undefined || user.roleId === wantedRole) &&
          (chosenHub === undefined || user.role?.isAdmin || user.hubId.includes(chosenHub)),
      ),
    [users, search, wantedRole, chosenHub, filter, matching.data],
  )
  const sort = { by: view.sort ?? "name", order: view.order ?? ("asc" as const) }
  const people = useLocalList(shown, columns, sort)
  const roles = useMemo(
    () => new Map(users.flatMap(({ role }) => (role ? [[role._id, roleName(role, t)]] : []))),
    [users, t],
  )
  const filterFields = usePeopleFilterFields({ roles, hubs: hubNames, teams })
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={t("count", { count: shown.length })}>
        {may("invite") ? (
          <>
            <ActionButton
              icon={IconMailForward}
              label={t("invite")}
              variant="default"
              onClick={() => setInviting(true)}
            />
            <ActionButton icon={IconPlus} label={t("add")} onClick={() => setAdding(true)} />
          </>
        ) : null}
      </PageHeader>
      <div className="toolbar">
        <SearchInput
          label={t("search")}
          value={search}
          onChange={(q) => change({ q: q || undefined })}
          w={240}
        />
        <Select
          aria-label={t("role")}
          placeholder={t("allRoles")}
          clearable
          data={[...roles].map(([value, label]) => ({ value, label }))}
          value={wantedRole ?? null}
          onChange={(role) => change({ role: role ?? undefined })}
          w={170}
        />
        <FilterBuilder fields={filterFields} filter={filter} onChange={(next) => change({ filter: next })} />
        <SavedViews
          list="people"
          content={readPeopleSearch({ ...view })}
          onChoose={(content) => void navigate({ search: readPeopleSearch(content) })}
        />
      </div>
      <GroupedGrid<User>
        list={people}
        whole={people.rows}
        group={group}
        onGroup={(next) => change({ group: next })}
        name="people"
        icon={IconUsers}
        label={t("title")}
        columns={columns}
        nameOf={({ name }) => name}
        selected={nobody}
        onSelect={undefined}
        onOpen={({ _id }) => setOpenId(_id)}
        openId={openId}
        sort={sort}
        onSort={(by) =>
          change({ sort: by, order: by === sort.by && sort.order === "asc" ? "desc" : undefined })
        }
        nothing={{
          title: t("emptyTitle"),
          text: t("emptyText"),
          onClear: () => change({ q: undefined, role: undefined, filter: undefined }),
        }}
      >
        {null}
      </GroupedGrid>
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
