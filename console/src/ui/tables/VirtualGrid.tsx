// biome-ignore-all lint/a11y/useSemanticElements: rows that are not on the screen do not exist, hence no table
import "./VirtualGrid.css"
import { useVirtualizer } from "@tanstack/react-virtual"
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { cellEditingSelector } from "./EditableCell.tsx"
import { HeadCell } from "./GridHead.tsx"
import { type GridGroup, GroupLine, TotalLine } from "./GridLines.tsx"
import { leastWidth, pinnedStyles, selectPixels } from "./grid-tracks.ts"

export interface Column<Row> {
  id: string
  title: string
  /** A CSS grid track, such as `minmax(180px, 1fr)`. */
  width: string
  /** The field to sort by; a column without one cannot be sorted by. */
  sort?: string
  /** One of many, such as those of the flows: shown when it was chosen. */
  isExtra?: boolean
  /** Stays at the left edge; its width is in pixels. */
  isPinned?: boolean
  /** What a list in the browser is sorted by, where it is not `groupOf`. */
  orderOf?(row: Row): string | number
  /** What rows are grouped by, as it is shown; empty for none. */
  groupOf?(row: Row): string
  /** What is added up. */
  numberOf?(row: Row): number | undefined
  /** Without hooks where it can be: it runs for every row that scrolls past. */
  render(row: Row): ReactNode
}

export interface VirtualGridProps<Row> {
  label: string
  /** The same array while nothing changes: another one renders all rows again. */
  columns: readonly Column<Row>[]
  /** Rows of the whole list; those not read yet are undefined and shown as they load. */
  total: number
  rowAt(index: number): Row | undefined
  idOf(row: Row): string
  /** Which rows are on the screen, so that they can be read. */
  onRange(from: number, to: number): void
  selected: ReadonlySet<string>
  /** Undefined where nothing can be done with several rows. */
  onSelect: ((selected: ReadonlySet<string>) => void) | undefined
  onOpen(row: Row): void
  /** False where cells take clicks for themselves; Enter opens the row in any case. */
  opensByClick?: boolean
  openId?: string | undefined
  sort: { by: string; order: "asc" | "desc" }
  onSort(by: string): void
  /** The person made a column wider or narrower. */
  onResize?: ((id: string, pixels: number) => void) | undefined
  /** Names a row to screen readers. */
  nameOf(row: Row): string
  /** The line of a group, in place of a row. */
  groupAt?: ((index: number) => GridGroup | undefined) | undefined
  /** The last line, which stays in sight: the total of a column. */
  totalOf?: ((column: string) => ReactNode) | undefined
}

const rowHeight = 42
const pinnedSelect = { position: "sticky", insetInlineStart: 0, zIndex: 1, background: "inherit" } as const
/**
 * A table of any length: only the rows on the screen exist. Arrows, Page Up and Down, Home and End move; space
 * selects, with shift a range; enter opens; F2 goes to what can be changed in place; control and A selects what is loaded.
 */
export function VirtualGrid<Row>(props: VirtualGridProps<Row>) {
  const { columns, total, rowAt, idOf, onRange, selected, onSelect, onOpen, nameOf } = props
  const t = useMessages(shellMessages)
  const scroller = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(0)
  const anchor = useRef(0)
  const gridId = useId()
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    paddingStart: 36,
    paddingEnd: props.totalOf ? rowHeight : 0,
    scrollPaddingStart: 36,
  })
  const items = virtual.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0
  useEffect(() => onRange(from, to), [from, to, onRange])

  const shown = () => items.flatMap(({ index }) => rowAt(index) ?? [])
  const toggle = (index: number, isRange: boolean) => {
    const row = rowAt(index)
    if (!row || !onSelect) return
    const next = new Set(selected)
    if (isRange) {
      const [low, high] = index < anchor.current ? [index, anchor.current] : [anchor.current, index]
      for (let at = low; at <= high; at++) {
        const between = rowAt(at)
        if (between) next.add(idOf(between))
      }
    } else if (next.has(idOf(row))) next.delete(idOf(row))
    else next.add(idOf(row))
    anchor.current = index
    onSelect(next)
  }
  const move = (index: number, isExtending: boolean) => {
    const next = Math.max(0, Math.min(total - 1, index))
    setActive(next)
    virtual.scrollToIndex(next)
    if (isExtending) toggle(next, true)
  }
  const press = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return
    const pageOf = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2)
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + pageOf,
      PageUp: active - pageOf,
      Home: 0,
      End: total - 1,
    }
    const target = moves[event.key]
    const row = rowAt(active)
    if (target !== undefined) move(target, event.shiftKey)
    else if (event.key === " ") toggle(active, event.shiftKey)
    else if (event.key === "Enter" && row) onOpen(row)
    else if (event.key === "Enter") props.groupAt?.(active)?.onToggle()
    else if (event.key === "F2")
      document.getElementById(`${gridId}-${active}`)?.querySelector<HTMLElement>(cellEditingSelector)?.focus()
    else if (event.key === "a" && (event.ctrlKey || event.metaKey))
      onSelect?.(new Set([...selected, ...shown().map(idOf)]))
    else if (event.key === "Escape" && selected.size > 0) onSelect?.(new Set())
    else return
    event.preventDefault()
  }
  const click = (index: number, event: MouseEvent) => {
    setActive(index)
    const row = rowAt(index)
    if (event.shiftKey || event.ctrlKey || event.metaKey) toggle(index, event.shiftKey)
    else if (row && props.opensByClick !== false) onOpen(row)
  }
  const check = (index: number, isRange: boolean) => {
    setActive(index)
    toggle(index, isRange)
  }
  const acts = useLatest({ click, check })
  const firstPixels = selectPixels(onSelect !== undefined)
  const template = useMemo(
    () => `${firstPixels}px ${columns.map((column) => column.width).join(" ")}`,
    [columns, firstPixels],
  )
  const styles = useMemo(() => pinnedStyles(columns, firstPixels), [columns, firstPixels])
  const hasPinned = styles.some((style) => style !== undefined)
  const selectStyle = hasPinned ? pinnedSelect : undefined
  const shownRows = shown()
  const areShownSelected = shownRows.length > 0 && shownRows.every((row) => selected.has(idOf(row)))
  const isSomeShownSelected = !areShownSelected && shownRows.some((row) => selected.has(idOf(row)))
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      aria-label={props.label}
      aria-rowcount={total + 1}
      aria-multiselectable={onSelect !== undefined}
      aria-activedescendant={items.some(({ index }) => index === active) ? `${gridId}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={press}
    >
      <div
        className="grid-lines"
        style={{ height: virtual.getTotalSize(), minWidth: leastWidth(columns, firstPixels) }}
        role="presentation"
      >
        <div
          className="grid-head"
          role="row"
          tabIndex={-1}
          aria-rowindex={1}
          style={{ gridTemplateColumns: template }}
        >
          <div className="grid-cell" role="columnheader" tabIndex={-1} style={selectStyle}>
            {onSelect ? (
              <input
                type="checkbox"
                className="grid-check"
                aria-label={t("selectLoaded")}
                checked={areShownSelected}
                ref={(box) => {
                  if (box) box.indeterminate = isSomeShownSelected
                }}
                onChange={() => {
                  const next = new Set(selected)
                  for (const row of shownRows) {
                    if (areShownSelected) next.delete(idOf(row))
                    else next.add(idOf(row))
                  }
                  onSelect(next)
                }}
              />
            ) : null}
          </div>
          {columns.map((column, at) => (
            <HeadCell
              key={column.id}
              column={column}
              style={styles[at]}
              sort={props.sort}
              onSort={props.onSort}
              onResize={props.onResize}
              sortBy={(title) => t("sortBy", { column: title })}
              widthOf={(title) => t("widthOf", { column: title })}
            />
          ))}
        </div>
        {items.map(({ index, start }) => {
          const row = rowAt(index)
          const id = row ? idOf(row) : undefined
          const group = row ? undefined : props.groupAt?.(index)
          if (group)
            return (
              <GroupLine
                key={index}
                group={group}
                index={index}
                start={start}
                elementId={`${gridId}-${index}`}
                isActive={index === active}
              />
            )
          return (
            <GridRow
              key={index}
              index={index}
              start={start}
              row={row}
              columns={columns}
              template={template}
              styles={styles}
              elementId={`${gridId}-${index}`}
              isSelected={id !== undefined && selected.has(id)}
              isActive={index === active || (id !== undefined && id === props.openId)}
              selectWord={row && onSelect ? t("selectRow", { name: nameOf(row) }) : undefined}
              acts={acts}
            />
          )
        })}
        {props.totalOf ? (
          <TotalLine columns={columns} template={template} styles={styles} totalOf={props.totalOf} />
        ) : null}
      </div>
    </div>
  )
}

interface Acts {
  click(index: number, event: MouseEvent): void
  check(index: number, isRange: boolean): void
}

/** The handlers of the last render behind a stable object, so that rows are not rendered again for them. */
function useLatest(acts: Acts): Acts {
  const latest = useRef(acts)
  useLayoutEffect(() => {
    latest.current = acts
  })
  return useMemo(
    () => ({
      click: (index, event) => latest.current.click(index, event),
      check: (index, isRange) => latest.current.check(index, isRange),
    }),
    [],
  )
}

interface GridRowProps<Row> {
  index: number
  /** Pixels from the top of the list. */
  start: number
  row: Row | undefined
  columns: readonly Column<Row>[]
  template: string
  /** Of the cells, where they are pinned. */
  styles: readonly (CSSProperties | undefined)[]
  elementId: string
  isSelected: boolean
  isActive: boolean
  /** Undefined where rows cannot be selected. */
  selectWord: string | undefined
  acts: Acts
}

function PlainGridRow<Row>(props: GridRowProps<Row>) {
  const { index, row, columns, isSelected, acts } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid itself takes the keys for its active row
    <div
      id={props.elementId}
      className="grid-row"
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={props.selectWord === undefined ? undefined : isSelected}
      data-active={props.isActive}
      style={{ gridTemplateColumns: props.template, transform: `translateY(${props.start}px)` }}
      onClick={(event) => acts.click(index, event)}
    >
      <div
        className="grid-cell"
        role="gridcell"
        tabIndex={-1}
        style={props.styles.some((style) => style !== undefined) ? pinnedSelect : undefined}
      >
        {row && props.selectWord ? (
          <input
            type="checkbox"
            className="grid-check"
            tabIndex={-1}
            aria-label={props.selectWord}
            checked={isSelected}
            onClick={(event) => {
              event.stopPropagation()
              acts.check(index, event.shiftKey)
            }}
            onChange={() => undefined}
          />
        ) : null}
      </div>
      {columns.map((column, at) => (
        <div key={column.id} className="grid-cell" role="gridcell" tabIndex={-1} style={props.styles[at]}>
          {row ? column.render(row) : <div className="grid-skeleton" />}
        </div>
      ))}
    </div>
  )
}

const GridRow = memo(PlainGridRow) as typeof PlainGridRow
