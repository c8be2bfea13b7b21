import { Button, Select, TextInput } from "@mantine/core"
import { useDebouncedCallback, useMediaQuery } from "@mantine/hooks"
import { IconFileUpload, IconPlus, IconScale, IconSearch, IconStack2, IconTruck } from "@tabler/icons-react"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { MoreActions, type PageAction } from "../../../ui/actions/MoreActions.tsx"
import { RefusalsDialog } from "../../../ui/actions/RefusalsDialog.tsx"
import { FilterBuilder } from "../../../ui/filters/FilterBuilder.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { GroupedGrid } from "../../../ui/tables/GroupedGrid.tsx"
import { findRow, keepSelected, useListWindow } from "../../../ui/tables/list-window.ts"
import { SavedViews } from "../../people/saved-views/SavedViews.tsx"
import { useHubNames, usePeopleNames } from "../tasks/people.ts"
import { vehicleMessages } from "./messages.ts"
import { VehicleFileDialog } from "./VehicleFileDialog.tsx"
import { VehicleForm } from "./VehicleForm.tsx"
import { VehicleSelectionBar } from "./VehicleSelectionBar.tsx"
import { useVehicleColumns } from "./vehicle-columns.tsx"
import { useVehicleFilterFields } from "./vehicle-filter-fields.ts"
import { readVehicleSearch, type VehicleSearch } from "./vehicle-search.ts"
import { toVehicleQuery, type Vehicle, type VehicleResults, vehiclePageQuery } from "./vehicles.queries.ts"

const CapacitiesDialog = lazy(() => import("./CapacitiesDialog.tsx"))

const searchDelayMilliseconds = 250

export const loader: PageLoader = ({ client, search }) => {
  const query = toVehicleQuery(readVehicleSearch(search), search.hub as string | undefined)
  return client.prefetchQuery(vehiclePageQuery(query, 1))
}

export function VehicleListPage() {
  const t = useMessages(vehicleMessages)
  const { may } = useSession()
  const search = useSearch({ from: "/signed-in/vehicles" })
  const navigate = useNavigate({ from: paths.vehicles })
  const hub = useChosenHub()
  const people = usePeopleNames()
  const hubs = useHubNames()
  const isNarrow = useMediaQuery("(max-width: 48em)", false)
  const [selected, setSelected] = useState<ReadonlyMap<string, Vehicle>>(new Map())
  const [dialog, setDialog] = useState<"new" | "many" | "file" | "capacities">()
  const [refused, setRefused] = useState<VehicleResults["refused"]>([])
  const sort = { by: search.sort ?? "name", order: search.order ?? ("asc" as const) }
  const { q, tags, assignee, filter } = search
  const { vehicle: _open, ...saved } = search
  const query = useMemo(
    () => toVehicleQuery({ q, tags, assignee, filter, sort: search.sort, order: search.order }, hub),
    [search.sort, search.order, hub, q, tags, assignee, filter],
  )
  const vehicles = useListWindow<Vehicle>((page) => vehiclePageQuery(query, page))
  const filterFields = useVehicleFilterFields({ people, hubs })
  const columns = useVehicleColumns({ people, hasHubs: hubs.size > 1, isNarrow })
  const change = (options: { [Key in keyof VehicleSearch]?: VehicleSearch[Key] | undefined }) =>
    void navigate({ search: (current) => ({ ...current, ...options }) as VehicleSearch, replace: true })
  const changeLater = useDebouncedCallback(change, searchDelayMilliseconds)
  const opened = findRow(vehicles, search.vehicle)
  const isFiltered = [q, tags, assignee, filter, hub].some((wanted) => wanted !== undefined)
  const fileHub = hub ?? [...hubs.keys()][0]
  const more: PageAction[] = [
    ...(may("edit/constraint") && may("view/configuration")
      ? [{ label: t("capacities"), icon: IconScale, onClick: () => setDialog("capacities") }]
      : []),
    ...(may("add/vehicle") && fileHub
      ? [{ label: t("fromFile"), icon: IconFileUpload, onClick: () => setDialog("file") }]
      : []),
    ...(may("add/vehicle")
      ? [{ label: t("addMany"), icon: IconStack2, onClick: () => setDialog("many") }]
      : []),
  ]
  const add = (
    <>
      <MoreActions actions={more} />
      {may("add/vehicle") ? (
        <ActionButton icon={IconPlus} label={t("add")} onClick={() => setDialog("new")} />
      ) : null}
    </>
  )
  return (
    <div className="page" style={{ position: "relative" }}>
      <PageHeader title={t("title")} detail={vehicles.isLoading ? "" : t("count", { count: vehicles.total })}>
        {add}
      </PageHeader>
      <div className="toolbar toolbar-line">
        <TextInput
          key={`q-${q === undefined}`}
          aria-label={t("search")}
          placeholder={t("search")}
          leftSection={<IconSearch size={16} />}
          defaultValue={q ?? ""}
          onChange={(event) => changeLater({ q: event.currentTarget.value.trim() || undefined })}
          w={200}
        />
        <TextInput
          key={`tags-${tags === undefined}`}
          aria-label={t("tag")}
          placeholder={t("tag")}
          defaultValue={tags ?? ""}
          onChange={(event) => changeLater({ tags: event.currentTarget.value.trim() || undefined })}
          w={130}
        />
        {people.size > 0 ? (
          <Select
            aria-label={t("assignee")}
            placeholder={t("anybody")}
            clearable
            searchable
            data={[...people].map(([value, label]) => ({ value, label }))}
            value={assignee ?? null}
            onChange={(value) => change({ assignee: value ?? undefined })}
            w={170}
          />
        ) : null}
        <FilterBuilder fields={filterFields} filter={filter} onChange={(next) => change({ filter: next })} />
        <SavedViews
          list="vehicles"
          content={saved}
          onChoose={(content) => void navigate({ search: readVehicleSearch(content) })}
        />
      </div>
      <GroupedGrid<Vehicle>
        list={vehicles}
        name="vehicles"
        group={search.group}
        onGroup={(group) => change({ group })}
        whole={(limit) => vehiclePageQuery(query, 1, limit)}
        icon={IconTruck}
        label={t("rows")}
        columns={columns}
        nameOf={({ name }) => name}
        selected={new Set(selected.keys())}
        onSelect={(ids) => setSelected(keepSelected(ids, selected, vehicles))}
        onOpen={({ _id }) => change({ vehicle: _id })}
        openId={search.vehicle}
        sort={sort}
        onSort={(by) =>
          change({ sort: by, order: by === sort.by && sort.order === "asc" ? "desc" : undefined })
        }
        nothing={
          isFiltered
            ? {
                title: t("nothingTitle"),
                text: t("nothingText"),
                onClear: () =>
                  change({ q: undefined, tags: undefined, assignee: undefined, filter: undefined }),
              }
            : undefined
        }
      >
        <EmptyState icon={IconTruck} title={t("emptyTitle")} text={t("emptyText")}>
          {hubs.size === 0 ? (
            <Button component={Link} to={paths.hubs} variant="default">
              {t("needsHub")}
            </Button>
          ) : (
            add
          )}
        </EmptyState>
      </GroupedGrid>
      <VehicleSelectionBar
        vehicles={[...selected.values()]}
        onClear={() => setSelected(new Map())}
        onRefused={setRefused}
      />
      {dialog === "new" || dialog === "many" ? (
        <VehicleForm
          vehicle={undefined}
          isMany={dialog === "many"}
          onClose={() => setDialog(undefined)}
          onRefused={setRefused}
        />
      ) : null}
      {opened ? (
        <VehicleForm
          key={opened._id}
          vehicle={opened}
          isLocked={!may("edit/vehicle")}
          onClose={() => change({ vehicle: undefined })}
          onRefused={setRefused}
        />
      ) : null}
      <Suspense fallback={null}>
        {dialog === "file" && fileHub ? (
          <VehicleFileDialog hubId={fileHub} onClose={() => setDialog(undefined)} />
        ) : null}
        {dialog === "capacities" ? <CapacitiesDialog onClose={() => setDialog(undefined)} /> : null}
      </Suspense>
      <RefusalsDialog refused={refused} onClose={() => setRefused([])} />
    </div>
  )
}
