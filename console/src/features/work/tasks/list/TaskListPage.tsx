import "../../../../ui/StatusBadge.css"
import "./views.css"
import { SegmentedControl } from "@mantine/core"
import {
  type Icon,
  IconCalendarWeek,
  IconFileDownload,
  IconFileUpload,
  IconLayoutKanban,
  IconList,
  IconMap2,
  IconPhoto,
  IconPlus,
} from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import type { PageLoader } from "../../../../page-loader.ts"
import { paths } from "../../../../paths.ts"
import { useSession } from "../../../../session/session.ts"
import { useChosenHub } from "../../../../shell/chosen-hub.ts"
import { shellMessages } from "../../../../shell/messages.ts"
import { ActionButton } from "../../../../ui/actions/ActionButton.tsx"
import { MoreActions } from "../../../../ui/actions/MoreActions.tsx"
import { PageHeader } from "../../../../ui/layout/PageHeader.tsx"
import { useColumnSettings } from "../../../../ui/tables/column-settings.ts"
import { indexOfRow, useListWindow } from "../../../../ui/tables/list-window.ts"
import { flowsQuery } from "../../flows/flows.queries.ts"
import type { BulkAction } from "../BulkDialog.tsx"
import { taskMessages } from "../messages.ts"
import { useHubNames, usePeopleNames } from "../people.ts"
import { listedTasks, taskPageQuery, toTaskQuery } from "../tasks.queries.ts"
import { componentsShown, numbersShown } from "./component-columns.ts"
import type { TaskSummary } from "./SummedTaskTable.tsx"
import type { TaskTableProps } from "./TaskTable.tsx"
import { readTaskSearch, type TaskSearch, type TaskSort, type TaskView, taskViews } from "./task-search.ts"

const loadTable = () => import("./TaskTable.tsx")
const TaskTable = lazy(async () => ({ default: (await loadTable()).TaskTable }))
const SummedTaskTable = lazy(() => import("./SummedTaskTable.tsx"))
const TaskFilters = lazy(() => import("./TaskFilters.tsx"))
const AssignDialog = lazy(async () => ({ default: (await import("../AssignDialog.tsx")).AssignDialog }))
const SelectionBar = lazy(() => import("../SelectionBar.tsx"))
const TaskMap = lazy(() => import("../TaskMap.tsx"))
const TaskBoard = lazy(() => import("../TaskBoard.tsx"))
const TaskCalendar = lazy(() => import("../TaskCalendar.tsx"))
const TaskGallery = lazy(() => import("../TaskGallery.tsx"))
const ExportDialog = lazy(() => import("../../../files/exports/ExportDialog.tsx"))
const PlanDialog = lazy(() => import("../../../planning/routes/PlanDialog.tsx"))
const TaskForm = lazy(() => import("../TaskForm.tsx"))
const TaskPanel = lazy(() => import("../panel/TaskPanel.tsx"))
const BulkEditDialog = lazy(() => import("../BulkEditDialog.tsx"))
const BulkDialog = lazy(() => import("../BulkDialog.tsx"))

type Dialog = "assign" | "change" | "export" | "create" | "plan" | BulkAction

const orderOf = ({ sort, order }: { sort?: TaskSort | undefined; order?: TaskSearch["order"] | undefined }) =>
  ({ sortBy: sort ?? "createdTime", sortOrder: order ?? "desc" }) as const

export const loader: PageLoader = async ({ client, session: { organization }, search }) => {
  const wanted = readTaskSearch(search)
  const query = toTaskQuery(wanted, search.hub as string | undefined, organization.timeZone)
  await Promise.all([
    client.prefetchQuery(flowsQuery),
    // The table comes beside its rows.
    ...(wanted.view ? [] : [client.prefetchQuery(taskPageQuery(query, 1, orderOf(wanted))), loadTable()]),
  ])
}

export function TaskListPage() {
  const t = useMessages(taskMessages)
  const tShell = useMessages(shellMessages)
  const { may, organization } = useSession()
  const search = useSearch({ from: "/signed-in/tasks" })
  const navigate = useNavigate({ from: paths.tasks })
  const hub = useChosenHub()
  const { data: flows = [] } = useQuery(flowsQuery)
  const client = useQueryClient()
  const people = usePeopleNames()
  const hubs = useHubNames()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<Dialog>()

  const { view: requestedView, task: openTask, create, sort, order, group, day, span, ...filters } = search
  // A link to the gallery shows the table to users without its permission.
  const view = requestedView === "gallery" && !may("view/gallery") ? undefined : requestedView
  const query = toTaskQuery(search, hub, organization.timeZone)
  // The table with totals takes the place of the one without while columns are chosen.
  const choosing = useState(false)
  const ordering = useMemo(() => orderOf({ sort, order }), [sort, order])
  const { settings } = useColumnSettings("tasks", [])
  const extra = componentsShown(settings.shown)
  const sums = numbersShown(flows, extra)
  const tasks = useListWindow((page) => taskPageQuery(query, page, ordering, extra))

  const change = (options: { [Key in keyof TaskSearch]?: TaskSearch[Key] | undefined }) => {
    setSelected(new Set())
    void navigate({ search: (current) => ({ ...current, ...options }) as TaskSearch, replace: true })
  }
  const open = (taskId: string | undefined) =>
    void navigate({ search: (current) => ({ ...current, task: taskId }) as TaskSearch })
  const sortBy = (by: string) => {
    const isSame = by === ordering.sortBy
    change({ sort: by, order: isSame && ordering.sortOrder === "desc" ? "asc" : undefined })
  }
  const isFiltered = Object.keys(filters).some((name) => name !== "hub") || hub !== undefined
  const closeForm = () => {
    setDialog(undefined)
    if (create)
      void navigate({
        search: ({ create: _form, ...current }) => current as TaskSearch,
        replace: true,
      })
  }
  /** The task next to the opened one in the table, if it is loaded. */
  const beside = (by: 1 | -1) => {
    if (view || openTask === undefined) return undefined
    const at = indexOfRow(tasks, openTask)
    const next = at === undefined ? undefined : tasks.rowAt(at + by)
    return next ? () => open(next._id) : undefined
  }
  /** Of the selected tasks, as far as lists have read them. */
  const hubsOfSelected = () => {
    const listed = listedTasks(client)
    return [...new Set([...selected].flatMap((id) => listed.get(id)?.hubId ?? []))]
  }
  const isDone = () => {
    setDialog(undefined)
    setSelected(new Set())
  }
  const views: Record<TaskView, () => React.ReactNode> = {
    map: () => <TaskMap query={query} selected={selected} onSelect={setSelected} onOpen={open} />,
    board: () => <TaskBoard query={query} order={ordering} people={people} onOpen={open} />,
    calendar: () => (
      <TaskCalendar query={query} day={day} span={span ?? "week"} onChange={change} onOpen={open} />
    ),
    gallery: () => <TaskGallery query={query} onOpen={open} />,
  }
  return (
    <div className="page" style={{ position: "relative" }}>
      <PageHeader
        title={t("title")}
        detail={tasks.isLoading || tasks.error ? "" : t("count", { count: tasks.total })}
      >
        <ViewChoice
          view={view}
          onChange={(next) =>
            void navigate({ search: (current) => ({ ...current, view: next }) as TaskSearch })
          }
        />
        <MoreActions
          actions={[
            ...(may("import/data")
              ? [{ label: t("import"), icon: IconFileUpload, link: { to: paths.importTasks } }]
              : []),
            ...(may("export/task")
              ? [
                  {
                    label: t("export"),
                    icon: IconFileDownload,
                    onClick: () => setDialog("export"),
                    isDisabled: tasks.total === 0,
                  },
                ]
              : []),
          ]}
        />
        {may("add/task") ? (
          <ActionButton icon={IconPlus} label={t("add")} onClick={() => setDialog("create")} />
        ) : null}
      </PageHeader>
      <div className="toolbar toolbar-line">
        <Suspense fallback={<span aria-busy="true" />}>
          <TaskFilters
            search={search}
            flows={flows}
            people={people}
            onChange={change}
            onChoose={(saved) => void navigate({ search: saved })}
          />
        </Suspense>
      </div>
      <Suspense
        fallback={
          <div className="view-loading" aria-busy="true" role="status" aria-label={tShell("loading")} />
        }
      >
        {view ? (
          views[view]()
        ) : (
          <Table
            summary={group === undefined && sums.length === 0 ? undefined : { query, ordering, extra, sums }}
            choosing={choosing}
            group={group}
            onGroup={(next) => change({ group: next })}
            tasks={tasks}
            isFiltered={isFiltered}
            flows={flows}
            people={people}
            hubs={hubs}
            selected={selected}
            onSelect={setSelected}
            onOpen={open}
            openId={openTask}
            sort={{ by: ordering.sortBy, order: ordering.sortOrder }}
            onSort={sortBy}
            onUnsort={sort ? () => change({ sort: undefined, order: undefined }) : undefined}
            onClear={() =>
              change({
                status: undefined,
                flowId: undefined,
                assignee: undefined,
                q: undefined,
                filter: undefined,
                from: undefined,
                to: undefined,
              })
            }
            onAdd={may("add/task") ? () => setDialog("create") : undefined}
          />
        )}
      </Suspense>
      <Suspense fallback={<span aria-busy="true" hidden />}>
        {selected.size > 0 ? (
          <SelectionBar
            selected={selected}
            total={tasks.total}
            query={query}
            onSelect={setSelected}
            onAct={setDialog}
          />
        ) : null}
        {dialog === "assign" ? (
          <AssignDialog
            taskIds={[...selected]}
            hubIds={hubsOfSelected()}
            onClose={() => setDialog(undefined)}
            onDone={isDone}
          />
        ) : null}
        {dialog === "change" ? (
          <BulkEditDialog taskIds={[...selected]} onClose={() => setDialog(undefined)} onDone={isDone} />
        ) : null}
        {dialog === "finish" || dialog === "move" || dialog === "remove" ? (
          <BulkDialog
            action={dialog}
            taskIds={[...selected]}
            onClose={() => setDialog(undefined)}
            onDone={isDone}
          />
        ) : null}
        {dialog === "create" || (create && may("add/task")) ? <TaskForm onClose={closeForm} /> : null}
        {dialog === "plan" ? (
          <PlanDialog taskIds={[...selected]} onClose={() => setDialog(undefined)} />
        ) : null}
        {dialog === "export" ? (
          <ExportDialog
            query={query}
            total={tasks.total}
            taskIds={[...selected]}
            onClose={() => setDialog(undefined)}
          />
        ) : null}
        {openTask ? (
          <TaskPanel
            taskId={openTask}
            people={people}
            onNext={beside(1)}
            onPrevious={beside(-1)}
            onClose={() => open(undefined)}
          />
        ) : null}
      </Suspense>
    </div>
  )
}

type TableProps = TaskTableProps & { summary: TaskSummary | undefined }

/** In groups and with totals where these are wanted: their script is loaded then. */
function Table({ summary, ...props }: TableProps) {
  return summary ? <SummedTaskTable {...props} summary={summary} /> : <TaskTable {...props} />
}

const viewIcons: Record<"table" | TaskView, Icon> = {
  table: IconList,
  map: IconMap2,
  board: IconLayoutKanban,
  calendar: IconCalendarWeek,
  gallery: IconPhoto,
}

/** Table, board, calendar, map and gallery of the same tasks; the chosen one shows its name. */
function ViewChoice({
  view,
  onChange,
}: {
  view: TaskView | undefined
  onChange(view: TaskView | undefined): void
}) {
  const t = useMessages(taskMessages)
  const { may } = useSession()
  const names = {
    table: t("table"),
    board: t("board"),
    calendar: t("calendar"),
    map: t("map"),
    gallery: t("gallery"),
  }
  const offered = (Object.keys(names) as ("table" | TaskView)[]).filter(
    (name) => name !== "gallery" || may("view/gallery"),
  )
  const chosen = view ?? "table"
  return (
    <SegmentedControl
      aria-label={t("view")}
      value={chosen}
      onChange={(value) => onChange(taskViews.find((known) => known === value))}
      data={offered.map((name) => {
        const ViewIcon = viewIcons[name]
        return {
          value: name,
          label: (
            <span className="view-label" title={names[name]} data-chosen={name === chosen}>
              <ViewIcon size={16} aria-hidden />
              <span className="view-name">{names[name]}</span>
            </span>
          ),
        }
      })}
    />
  )
}
