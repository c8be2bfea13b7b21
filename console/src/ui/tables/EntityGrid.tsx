import { Button } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { type Icon, IconColumns3, IconFilterOff } from "@tabler/icons-react"
import { lazy, type ReactNode, Suspense, useMemo, useState } from "react"
import { errorMessages, errorText } from "../../api/error-text.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { IconButton } from "../actions/ActionButton.tsx"
import { EmptyState } from "../layout/EmptyState.tsx"
import { arranged, useColumnSettings } from "./column-settings.ts"
import type { ListWindow } from "./list-window.ts"
import { tableMessages } from "./table-messages.ts"
import { type Column, VirtualGrid, type VirtualGridProps } from "./VirtualGrid.tsx"

export interface EntityGridProps<Row extends { _id: string }>
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
    | "groupAt"
    | "totalOf"
  > {
  list: ListWindow<Row>
  /** Under which the person's columns are kept. */
  name: string
  /** Whether the choice of columns is open, where the grid is replaced while somebody chooses. */
  choosing?: readonly [boolean, (isOpen: boolean) => void] | undefined
  /** What the rows can be grouped by, beside the choice of columns. */
  grouping?: Grouping | undefined
  /** Columns that are left out until somebody chooses them. */
  hiddenAtFirst?: readonly string[]
  icon: Icon
  /** Goes back to the usual order: of long lists others are refused. */
  onUnsort?: (() => void) | undefined
  /** Texts when the filters match nothing, and what removes them; undefined without filters. */
  nothing: { title: string; text: string; onClear(): void } | undefined
  /** In place of the grid when there is nothing to list. */
  children: ReactNode
}

export interface Grouping {
  /** Of the button, which opens the choice of columns too. */
  label: string
  choices: readonly { value: string; label: string }[]
  value: string | undefined
  onChange(value: string | undefined): void
}

const rowsWhileLoading = 12
/** Browsers draw no page of more than some 17 million pixels in the right places. */
const maxRows = 300_000
const none: readonly string[] = []
const ColumnChoice = lazy(() => import("./ColumnChoice.tsx"))

/** A list of any length, or why it shows nothing: it failed, the filters match nothing, or there is nothing yet. */
export function EntityGrid<Row extends { _id: string }>(props: EntityGridProps<Row>) {
  const {
    list,
    icon,
    nothing,
    children,
    name,
    hiddenAtFirst = none,
    grouping,
    choosing,
    onUnsort,
    ...grid
  } = props
  const isNarrow = useMediaQuery("(max-width: 48em)", false)
  const { settings, keep, resize } = useColumnSettings(name, hiddenAtFirst)
  const ownChoosing = useState(false)
  const [isChoosing, setChoosing] = choosing ?? ownChoosing
  const [hasChosen, setChosen] = useState(isChoosing)
  const columns = useMemo(
    () => (isNarrow ? grid.columns : arranged(grid.columns, settings)),
    [isNarrow, grid.columns, settings],
  )
  const t = useMessages(shellMessages)
  const tError = useMessages(errorMessages)
  const tTable = useMessages(tableMessages)
  const formats = useFormats()
  if (list.total === 0) {
    if (list.error)
      return (
        <EmptyState icon={icon} title={t("failedTitle")} text={errorText(list.error, tError)}>
          {onUnsort ? (
            <Button variant="default" onClick={onUnsort}>
              {tTable("unsort")}
            </Button>
          ) : null}
        </EmptyState>
      )
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
    <>
      {list.total > maxRows ? (
        <p className="quiet table-notice">{tTable("tooLong", { most: formats.number(maxRows) })}</p>
      ) : null}
      <div className="table-with-choice">
        {isNarrow ? null : (
          <div className="column-choice">
            <Suspense fallback={null}>
              {hasChosen ? (
                <ColumnChoice
                  isOpen={isChoosing}
                  onOpen={setChoosing}
                  columns={grid.columns as readonly Column<never>[]}
                  settings={settings}
                  grouping={grouping}
                  onChange={keep}
                />
              ) : (
                <IconButton
                  icon={IconColumns3}
                  label={grouping?.label ?? t("columns")}
                  title={grouping?.label ?? t("columns")}
                  variant="default"
                  size={28}
                  onClick={() => {
                    setChosen(true)
                    setChoosing(true)
                  }}
                />
              )}
            </Suspense>
          </div>
        )}
        <VirtualGrid<Row>
          {...grid}
          columns={columns}
          onResize={isNarrow ? undefined : resize}
          total={list.isLoading ? rowsWhileLoading : Math.min(list.total, maxRows)}
          rowAt={list.rowAt}
          idOf={({ _id }) => _id}
          onRange={list.setRange}
        />
      </div>
    </>
  )
}
