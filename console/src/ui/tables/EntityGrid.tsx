import { Button } from "@mantine/core"
import { type Icon, IconFilterOff } from "@tabler/icons-react"
import type { ReactNode } from "react"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { EmptyState } from "../layout/EmptyState.tsx"
import type { ListWindow } from "./list-window.ts"
import { VirtualGrid, type VirtualGridProps } from "./VirtualGrid.tsx"

interface EntityGridProps<Row extends { _id: string }>
  extends Pick<
    VirtualGridProps<Row>,
    | "label"
    | "columns"
    | "nameOf"
    | "selected"
    | "onSelect"
    | "onOpen"
    | "openId"
    | "opensByClick"
    | "sort"
    | "onSort"
  > {
  list: ListWindow<Row>
  icon: Icon
  /** Texts when the filters match nothing, and what removes them; undefined without filters. */
  nothing: { title: string; text: string; onClear(): void } | undefined
  /** In place of the grid when there is nothing to list. */
  children: ReactNode
}

const rowsWhileLoading = 12

/** A list of any length, or why it shows nothing: it failed, the filters match nothing, or there is nothing yet. */
export function EntityGrid<Row extends { _id: string }>(props: EntityGridProps<Row>) {
  const { list, icon, nothing, children, ...grid } = props
  const t = useMessages(shellMessages)
  const tError = useMessages(errorMessages)
  if (list.total === 0) {
    if (list.error)
      return <EmptyState icon={icon} title={t("failedTitle")} text={errorText(list.error, tError)} />
    if (!list.isLoading && !nothing) return children
    if (!list.isLoading && nothing)
      return (
        <EmptyState icon={IconFilterOff} title={nothing.title} text={nothing.text}>
          <Button variant="default" onClick={nothing.onClear}>
            {t("clearFilters")}
          </Button>
        </EmptyState>
      )
  }
  return (
    <VirtualGrid<Row>
      {...grid}
      total={list.isLoading ? rowsWhileLoading : list.total}
      rowAt={list.rowAt}
      idOf={({ _id }) => _id}
      onRange={list.setRange}
    />
  )
}
