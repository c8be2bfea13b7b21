import "./views.css"
import { useMediaQuery } from "@mantine/hooks"
import { IconAlertTriangle, IconFileUpload, IconListCheck, IconPlus } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useMemo } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { paths } from "../../../../paths.ts"
import { useSession } from "../../../../session/session.ts"
import { ActionButton } from "../../../../ui/actions/ActionButton.tsx"
import { EmptyState } from "../../../../ui/layout/EmptyState.tsx"
import { EntityGrid } from "../../../../ui/tables/EntityGrid.tsx"
import type { GridGroup } from "../../../../ui/tables/GridLines.tsx"
import type { ListWindow } from "../../../../ui/tables/list-window.ts"
import type { Flow } from "../../flows/flows.queries.ts"
import { taskMessages } from "../messages.ts"
import type { ListedTask } from "../tasks.queries.ts"
import { useTaskColumns } from "./columns.tsx"
import { groupFieldOf } from "./component-columns.ts"

/** Rarely used columns are hidden until they are chosen. */
const hiddenAtFirst = ["flow", "doneTime", "priority", "tags"]

export interface TaskTableProps {
  tasks: ListWindow<ListedTask>
  isFiltered: boolean
  flows: readonly Flow[]
  people: ReadonlyMap<string, string>
  hubs: ReadonlyMap<string, string>
  selected: ReadonlySet<string>
  onSelect(selected: ReadonlySet<string>): void
  onOpen(taskId: string): void
  openId: string | undefined
  sort: { by: string; order: "asc" | "desc" }
  onSort(by: string): void
  onUnsort: (() => void) | undefined
  onClear(): void
  onAdd: (() => void) | undefined
  choosing: readonly [boolean, (isOpen: boolean) => void]
  /** A field or component whose values make groups. */
  group: string | undefined
  onGroup(group: string | undefined): void
  groupAt?: ((index: number) => GridGroup | undefined) | undefined
  totalOf?: ((column: string) => ReactNode) | undefined
}

export function TaskTable(props: TaskTableProps) {
  const { tasks, flows, people, hubs } = props
  const t = useMessages(taskMessages)
  const { may } = useSession()
  const isNarrow = useMediaQuery("(max-width: 48em)", false)
  const columns = useTaskColumns({ flows, people, hubs, isNarrow })
  const choices = useMemo(
    () =>
      columns.flatMap(({ id, title }) => {
        const value = groupFieldOf(id)
        return value ? [{ value, label: title }] : []
      }),
    [columns],
  )
  return (
    <EntityGrid<ListedTask>
      list={tasks}
      name="tasks"
      hiddenAtFirst={hiddenAtFirst}
      icon={IconAlertTriangle}
      label={t("rows")}
      columns={columns}
      nameOf={(task) => task.title ?? t("untitled")}
      selected={props.selected}
      onSelect={props.onSelect}
      onOpen={(task) => props.onOpen(task._id)}
      openId={props.openId}
      sort={props.sort}
      onSort={props.onSort}
      onUnsort={props.onUnsort}
      choosing={props.choosing}
      grouping={{
        label: t("columnsAndGroups"),
        choices,
        value: props.group,
        onChange: props.onGroup,
      }}
      groupAt={props.groupAt}
      totalOf={props.totalOf}
      nothing={
        props.isFiltered
          ? { title: t("nothingTitle"), text: t("nothingText"), onClear: props.onClear }
          : undefined
      }
    >
      <EmptyState
        icon={IconListCheck}
        title={t("emptyTitle")}
        text={t(may("import/data") || props.onAdd ? "emptyText" : "emptyForRole")}
      >
        {may("import/data") ? (
          <ActionButton
            icon={IconFileUpload}
            label={t("emptyImport")}
            component={Link}
            to={paths.importTasks}
          />
        ) : null}
        {props.onAdd ? (
          <ActionButton icon={IconPlus} label={t("add")} variant="default" onClick={props.onAdd} />
        ) : null}
      </EmptyState>
    </EntityGrid>
  )
}
