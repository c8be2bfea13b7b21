import { Alert } from "@mantine/core"
import { IconDatabase, IconFileDownload, IconFileUpload, IconPlus, IconSettings } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { useCallback, useMemo, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { DeniedPage } from "../../../shell/page-states.tsx"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { MoreActions, type PageAction } from "../../../ui/actions/MoreActions.tsx"
import { FilterBuilder } from "../../../ui/filters/FilterBuilder.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { GroupedGrid } from "../../../ui/tables/GroupedGrid.tsx"
import { findRow, keepSelected, useListWindow } from "../../../ui/tables/list-window.ts"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import { SavedViews } from "../../people/saved-views/SavedViews.tsx"
import { dataTypeReaders } from "../data-types/data-type-readers.ts"
import { dataTypeQuery } from "../data-types/data-types.queries.ts"
import { recordMessages } from "./messages.ts"
import { RecordExportDialog } from "./RecordExportDialog.tsx"
import { RecordFilters } from "./RecordFilters.tsx"
import { RecordForm } from "./RecordForm.tsx"
import { RecordSelectionBar } from "./RecordSelectionBar.tsx"
import { useRecordColumns } from "./record-columns.tsx"
import { filterFieldOf, type RecordSearch, readRecordSearch } from "./record-search.ts"
import { type DataRecord, recordPageQuery, type SelectedRecord, toRecordQuery } from "./records.queries.ts"

export const loader: PageLoader = async ({ client, session, params: { dataTypeId = "" }, search }) => {
  if (!session.mayAny(...dataTypeReaders)) return
  const type = await client.ensureQueryData(dataTypeQuery(dataTypeId))
  const hub = type.commonData ? undefined : (search.hub as string | undefined)
  const query = toRecordQuery(dataTypeId, readRecordSearch(search), hub)
  await Promise.all([client.ensureQueryData(hubsQuery), client.prefetchQuery(recordPageQuery(query, 1))])
}

/** A data type with its records: looked through, changed in place, imported and exported. */
export function RecordGridPage() {
  const { mayAny } = useSession()
  return mayAny(...dataTypeReaders) ? <RecordGrid /> : <DeniedPage permission="view/dataType" />
}

function RecordGrid() {
  const t = useMessages(recordMessages)
  const { may } = useSession()
  const { dataTypeId } = useParams({ from: "/signed-in/data/$dataTypeId" })
  const search = useSearch({ from: "/signed-in/data/$dataTypeId" })
  const navigate = useNavigate({ from: paths.dataType })
  const hub = useChosenHub()
  const { data: type } = useSuspenseQuery(dataTypeQuery(dataTypeId))
  const { data: hubs } = useSuspenseQuery(hubsQuery)
  const [selected, setSelected] = useState<ReadonlyMap<string, SelectedRecord>>(new Map())
  const [dialog, setDialog] = useState<"new" | "export">()
  const query = useMemo(
    () => toRecordQuery(dataTypeId, search, type.commonData ? undefined : hub),
    [dataTypeId, search, type.commonData, hub],
  )
  const records = useListWindow<DataRecord>((page) => recordPageQuery(query, page))
  const isExternal = type.provider === "external-api"
  const mayEdit = may("edit/data") && !isExternal
  const hubNames = useMemo(() => new Map(hubs.map(({ _id, name }) => [_id, name])), [hubs])
  const change = (options: { [Key in keyof RecordSearch]?: RecordSearch[Key] | undefined }) => {
    // What was selected under other filters is no longer in sight: nothing is done to it unseen.
    if ("where" in options || "filter" in options) setSelected(new Map())
    void navigate({ search: (current) => ({ ...current, ...options }) as RecordSearch, replace: true })
  }
  const open = useCallback(
    (record: DataRecord | undefined) =>
      void navigate({
        search: (current) => ({ ...current, record: record?._id }) as RecordSearch,
        replace: true,
      }),
    [navigate],
  )
  const columns = useRecordColumns({ type, hubs: hubNames, mayEdit, onOpen: open })
  const { record: _open, ...saved } = search
  const openRecord = findRow(records, search.record)
  const filterFields = useMemo(() => type.fields.map(filterFieldOf), [type.fields])
  const isFiltered =
    search.where !== undefined || search.filter !== undefined || (hub !== undefined && !type.commonData)
  const sort = { by: search.sort ?? "createdTime", order: search.order ?? ("desc" as const) }
  const importRecords: PageAction[] =
    may("import/data") && !isExternal
      ? [
          {
            label: t("import"),
            icon: IconFileUpload,
            link: { to: paths.importData, search: { type: type._id } },
          },
        ]
      : []
  const more: PageAction[] = [
    ...(may("edit/dataType")
      ? [{ label: t("edit"), icon: IconSettings, link: { to: paths.dataTypeEdit, params: { dataTypeId } } }]
      : []),
    ...(records.total > 0 && !isExternal
      ? [{ label: t("export"), icon: IconFileDownload, onClick: () => setDialog("export") }]
      : []),
    ...importRecords,
  ]
  const actions =
    may("add/data") && !isExternal ? (
      <ActionButton icon={IconPlus} label={t("new")} onClick={() => setDialog("new")} />
    ) : null
  return (
    <div className="page" style={{ position: "relative" }}>
      <PageHeader title={type.name} detail={records.isLoading ? "" : t("count", { count: records.total })}>
        <MoreActions actions={more} />
        {actions}
      </PageHeader>
      <RecordFilters type={type} where={search.where} onChange={(where) => change({ where })}>
        {isExternal ? null : (
          <FilterBuilder
            fields={filterFields}
            filter={search.filter}
            onChange={(filter) => change({ filter })}
          />
        )}
        <SavedViews
          list={`data-${dataTypeId}`}
          content={saved}
          onChoose={(content) => void navigate({ search: readRecordSearch(content) })}
        />
      </RecordFilters>
      {isExternal ? (
        <Alert color="gray" mx={20} mb="sm">
          {t("external")}
        </Alert>
      ) : null}
      <GroupedGrid<DataRecord>
        list={records}
        name={`data-${dataTypeId}`}
        group={search.group}
        onGroup={(group) => change({ group })}
        whole={(limit) => recordPageQuery(query, 1, limit)}
        icon={IconDatabase}
        label={t("rows")}
        columns={columns}
        nameOf={({ dataId }) => dataId}
        selected={new Set(selected.keys())}
        onSelect={(ids) => setSelected(keepSelected(ids, selected, records))}
        onOpen={open}
        opensByClick={false}
        openId={search.record}
        sort={sort}
        onSort={(by) =>
          change({ sort: by, order: by === sort.by && sort.order === "desc" ? "asc" : undefined })
        }
        onUnsort={search.sort ? () => change({ sort: undefined, order: undefined }) : undefined}
        nothing={
          isFiltered
            ? {
                title: t("nothingTitle"),
                text: t("nothingText"),
                onClear: () => change({ where: undefined, filter: undefined }),
              }
            : undefined
        }
      >
        <EmptyState icon={IconDatabase} title={t("emptyTitle")} text={t("emptyText")}>
          <MoreActions actions={importRecords} />
          {actions}
        </EmptyState>
      </GroupedGrid>
      <RecordSelectionBar
        type={type}
        records={[...selected.values()]}
        total={records.total}
        query={query}
        mayEdit={mayEdit}
        onSelect={(all) => setSelected(new Map(all.map((record) => [record._id, record])))}
        onClear={() => setSelected(new Map())}
      />
      {dialog === "new" ? (
        <RecordForm type={type} record={undefined} onClose={() => setDialog(undefined)} />
      ) : null}
      {openRecord ? (
        <RecordForm
          key={openRecord._id}
          type={type}
          record={openRecord}
          isLocked={!mayEdit}
          onClose={() => open(undefined)}
        />
      ) : null}
      {dialog === "export" ? (
        <RecordExportDialog
          query={query}
          isFiltered={isFiltered}
          total={records.total}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
    </div>
  )
}
