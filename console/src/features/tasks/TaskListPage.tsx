import { Button, SegmentedControl } from "@mantine/core"
import { IconFileDownload, IconFileUpload, IconList, IconMap2, IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { dayBound } from "../../i18n/day-bounds.ts"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { useSession } from "../../session/session.ts"
import { useChosenHub } from "../../shell/HubChoice.tsx"
import { DeniedPage } from "../../shell/page-states.tsx"
import { PageHeader } from "../../ui/PageHeader.tsx"
import { flowsQuery } from "../flows/flows.queries.ts"
import { AssignDialog } from "./AssignDialog.tsx"
import { taskMessages } from "./messages.ts"
import { useHubNames, usePeopleNames } from "./people.ts"
import { SelectionBar } from "./SelectionBar.tsx"
import { TaskFilters } from "./TaskFilters.tsx"
import { TaskTable } from "./TaskTable.tsx"
import type { TaskSearch, TaskSort } from "./task-search.ts"
import { useTaskWindow } from "./task-window.ts"
import { toTaskQuery } from "./tasks.queries.ts"

const TaskMap = lazy(() => import("./TaskMap.tsx"))
const ExportDialog = lazy(() => import("../exports/ExportDialog.tsx"))
const TaskForm = lazy(() => import("./TaskForm.tsx"))
const TaskPanel = lazy(() => import("./TaskPanel.tsx"))

type Dialog = "assign" | "export" | "create"

export function TaskListPage() {
  const t = useMessages(taskMessages)
  const { may, organization } = useSession()
  const search = useSearch({ from: "/signed-in/tasks" })
  const navigate = useNavigate({ from: paths.tasks })
  const hub = useChosenHub()
  const { data: flows = [] } = useQuery(flowsQuery)
  const people = usePeopleNames()
  const hubs = useHubNames()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<Dialog>()

  const { view, task: openTask, sort, order, ...filters } = search
  const bound = (date: string, end: "from" | "to") => dayBound(date, end, organization.timeZone)
  const query = toTaskQuery({ ...filters, ...(hub ? { hub } : {}) }, bound)
  const ordering = useMemo(
    () => ({ sortBy: sort ?? "createdTime", sortOrder: order ?? "desc" }) as const,
    [sort, order],
  )
  const tasks = useTaskWindow(query, ordering)

  const change = (wish: { [Key in keyof TaskSearch]?: TaskSearch[Key] | undefined }) => {
    setSelected(new Set())
    void navigate({ search: (current) => ({ ...current, ...wish }) as TaskSearch, replace: true })
  }
  const open = (taskId: string | undefined) =>
    void navigate({ search: (current) => ({ ...current, task: taskId }) as TaskSearch })
  const sortBy = (by: string) => {
    const isSame = by === ordering.sortBy
    change({ sort: by as TaskSort, order: isSame && ordering.sortOrder === "desc" ? "asc" : undefined })
  }
  if (!may("view/task")) return <DeniedPage permission="view/task" />
  const isFiltered = Object.keys(filters).some((name) => name !== "hub") || hub !== undefined
  return (
    <div className="page" style={{ position: "relative" }}>
      <PageHeader title={t("title")} detail={tasks.isLoading ? "" : t("count", { count: tasks.total })}>
        <SegmentedControl
          aria-label={t("view")}
          value={view === "map" ? "map" : "table"}
          onChange={(value) =>
            void navigate({
              search: (current) => ({ ...current, view: value === "map" ? "map" : undefined }) as TaskSearch,
            })
          }
          data={[
            { value: "table", label: <ViewLabel icon={<IconList size={16} />} text={t("table")} /> },
            { value: "map", label: <ViewLabel icon={<IconMap2 size={16} />} text={t("map")} /> },
          ]}
        />
        {may("import/data") ? (
          <Button
            variant="default"
            leftSection={<IconFileUpload size={16} />}
            component={Link}
            to={paths.importTasks}
          >
            {t("import")}
          </Button>
        ) : null}
        {may("export/task") ? (
          <Button
            variant="default"
            leftSection={<IconFileDownload size={16} />}
            onClick={() => setDialog("export")}
            disabled={tasks.total === 0}
          >
            {t("export")}
          </Button>
        ) : null}
        {may("add/task") ? (
          <Button leftSection={<IconPlus size={16} />} onClick={() => setDialog("create")}>
            {t("add")}
          </Button>
        ) : null}
      </PageHeader>
      <div className="toolbar">
        <TaskFilters search={search} flows={flows} people={people} onChange={change} />
      </div>
      {view === "map" ? (
        <Suspense fallback={<div className="map" />}>
          <TaskMap query={query} selected={selected} onSelect={setSelected} onOpen={open} />
        </Suspense>
      ) : (
        <TaskTable
          tasks={tasks}
          isFiltered={isFiltered}
          people={people}
          hubs={hubs}
          selected={selected}
          onSelect={setSelected}
          onOpen={open}
          openId={openTask}
          sort={{ by: ordering.sortBy, order: ordering.sortOrder }}
          onSort={sortBy}
          onClear={() =>
            change({
              status: undefined,
              flowId: undefined,
              assignee: undefined,
              q: undefined,
              from: undefined,
              to: undefined,
            })
          }
        />
      )}
      <SelectionBar
        selected={selected}
        total={tasks.total}
        query={query}
        onSelect={setSelected}
        onAssign={() => setDialog("assign")}
        onExport={() => setDialog("export")}
      />
      {dialog === "assign" ? (
        <AssignDialog
          taskIds={[...selected]}
          people={people}
          onClose={() => setDialog(undefined)}
          onDone={() => {
            setDialog(undefined)
            setSelected(new Set())
          }}
        />
      ) : null}
      <Suspense fallback={null}>
        {dialog === "create" ? <TaskForm people={people} onClose={() => setDialog(undefined)} /> : null}
        {dialog === "export" ? (
          <ExportDialog
            query={query}
            total={tasks.total}
            taskIds={[...selected]}
            onClose={() => setDialog(undefined)}
          />
        ) : null}
        {openTask ? <TaskPanel taskId={openTask} people={people} onClose={() => open(undefined)} /> : null}
      </Suspense>
    </div>
  )
}

function ViewLabel({ icon, text }: { icon: React.ReactNode; text: string }) {
  return (
    <span style={{ display: "inline-flex", alignItems: "center", gap: 6 }}>
      {icon}
      {text}
    </span>
  )
}
