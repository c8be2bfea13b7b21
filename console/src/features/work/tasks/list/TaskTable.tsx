import "./views.css"
import { Button } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import {
  IconAlertTriangle,
  IconFileUpload,
  IconFilterOff,
  IconListCheck,
  IconPlus,
} from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useMemo } from "react"
import { errorMessages, errorText } from "../../../../api/error-text.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { paths } from "../../../../paths.ts"
import { useSession } from "../../../../session/session.ts"
import { shellMessages } from "../../../../shell/messages.ts"
import { EmptyState } from "../../../../ui/EmptyState.tsx"
import type { ListWindow } from "../../../../ui/list-window.ts"
import { VirtualGrid } from "../../../../ui/VirtualGrid.tsx"
import { taskMessages } from "../messages.ts"
import type { ListedTask } from "../tasks.queries.ts"
import { ColumnChoice } from "./ColumnChoice.tsx"
import { useTaskColumns } from "./columns.tsx"
import { useHiddenColumns } from "./hidden-columns.ts"

export interface TaskTableProps {
  tasks: ListWindow<ListedTask>
  isFiltered: boolean
  people: ReadonlyMap<string, string>
  hubs: ReadonlyMap<string, string>
  selected: ReadonlySet<string>
  onSelect(selected: ReadonlySet<string>): void
  onOpen(taskId: string): void
  openId: string | undefined
  sort: { by: string; order: "asc" | "desc" }
  onSort(by: string): void
  onClear(): void
  onAdd: (() => void) | undefined
}

const rowsWhileLoading = 12

export function TaskTable(props: TaskTableProps) {
  const { tasks, people, hubs } = props
  const t = useMessages(taskMessages)
  const tShell = useMessages(shellMessages)
  const tError = useMessages(errorMessages)
  const { may } = useSession()
  const isNarrow = useMediaQuery("(max-width: 48em)", false)
  const allColumns = useTaskColumns({ people, hubs, isNarrow })
  const { hidden, toggle } = useHiddenColumns()
  const columns = useMemo(
    () => (isNarrow ? allColumns : allColumns.filter((column, at) => at === 0 || !hidden.has(column.id))),
    [allColumns, hidden, isNarrow],
  )
  if (tasks.error && tasks.total === 0)
    return (
      <EmptyState
        icon={IconAlertTriangle}
        title={tShell("failedTitle")}
        text={errorText(tasks.error, tError)}
      />
    )
  if (!tasks.isLoading && tasks.total === 0)
    return props.isFiltered ? (
      <EmptyState icon={IconFilterOff} title={t("nothingTitle")} text={t("nothingText")}>
        <Button variant="default" onClick={props.onClear}>
          {t("clear")}
        </Button>
      </EmptyState>
    ) : (
      <EmptyState icon={IconListCheck} title={t("emptyTitle")} text={t("emptyText")}>
        {may("import/data") ? (
          <Button component={Link} to={paths.importTasks} leftSection={<IconFileUpload size={16} />}>
            {t("emptyImport")}
          </Button>
        ) : null}
        {props.onAdd ? (
          <Button variant="default" leftSection={<IconPlus size={16} />} onClick={props.onAdd}>
            {t("add")}
          </Button>
        ) : null}
      </EmptyState>
    )
  const titleOf = (task: ListedTask) => task.title ?? t("untitled")
  return (
    <div className="table-with-choice">
      {isNarrow ? null : (
        <div className="column-choice">
          <ColumnChoice columns={allColumns} hidden={hidden} onToggle={toggle} />
        </div>
      )}
      <VirtualGrid<ListedTask>
        label={t("rows")}
        columns={columns}
        total={tasks.isLoading ? rowsWhileLoading : tasks.total}
        rowAt={tasks.rowAt}
        idOf={(task) => task._id}
        onRange={tasks.setRange}
        selected={props.selected}
        onSelect={props.onSelect}
        onOpen={(task) => props.onOpen(task._id)}
        openId={props.openId}
        sort={props.sort}
        onSort={props.onSort}
        words={{
          selectShown: t("selectLoaded"),
          selectRow: (task) => t("selectTask", { title: titleOf(task) }),
          sortBy: (column) => t("sortBy", { column }),
        }}
      />
    </div>
  )
}
