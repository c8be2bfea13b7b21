// biome-ignore-all lint/a11y/useSemanticElements: rows that are not on the screen do not exist, hence no table
import { Checkbox } from "@mantine/core"
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import { useVirtualizer } from "@tanstack/react-virtual"
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from "react"

export interface Column<Row> {
  id: string
  title: string
  /** A CSS grid track, such as `minmax(180px, 1fr)`. */
  width: string
  /** The field to sort by; a column without one cannot be sorted by. */
  sort?: string
  render(row: Row): ReactNode
}

export interface VirtualGridProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  /** Rows of the whole list; those not read yet are undefined and shown as they load. */
  total: number
  rowAt(index: number): Row | undefined
  idOf(row: Row): string
  /** Which rows are on the screen, so that they can be read. */
  onRange(from: number, to: number): void
  selected: ReadonlySet<string>
  onSelect(selected: ReadonlySet<string>): void
  onOpen(row: Row): void
  /** False where cells take clicks for themselves; Enter opens the row in any case. */
  opensByClick?: boolean
  openId?: string | undefined
  sort: { by: string; order: "asc" | "desc" }
  onSort(by: string): void
  words: { selectShown: string; selectRow(row: Row): string; sortBy(column: string): string }
}

const rowHeight = 42
const selectPixels = 44
const selectWidth = `${selectPixels}px`

/** The sum of the tracks at their least: below it the grid scrolls, and all of its rows keep the same columns. */
function leastWidth(columns: readonly { width: string }[]): number {
  return columns.reduce((sum, { width }) => sum + Number(/\d+/.exec(width)?.[0] ?? 0), selectPixels)
}

/**
 * A table of any length: only the rows on the screen exist. Arrows, Page Up and Down, Home and End move; space
 * selects, with shift a range; enter opens; control and A selects what is loaded.
 */
export function VirtualGrid<Row>(props: VirtualGridProps<Row>) {
  const { columns, total, rowAt, idOf, onRange, selected, onSelect, onOpen, words } = props
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
    scrollPaddingStart: 36,
  })
  const items = virtual.getVirtualItems()
  const from = items[0]?.index ?? 0
  const to = items.at(-1)?.index ?? 0
  useEffect(() => onRange(from, to), [from, to, onRange])

  const shown = () => items.flatMap(({ index }) => rowAt(index) ?? [])
  const toggle = (index: number, isRange: boolean) => {
    const row = rowAt(index)
    if (!row) return
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
    else if (event.key === "a" && (event.ctrlKey || event.metaKey))
      onSelect(new Set([...selected, ...shown().map(idOf)]))
    else if (event.key === "Escape" && selected.size > 0) onSelect(new Set())
    else return
    event.preventDefault()
  }
  const template = `${selectWidth} ${columns.map((column) => column.width).join(" ")}`
  const shownRows = shown()
  const areShownSelected = shownRows.length > 0 && shownRows.every((row) => selected.has(idOf(row)))
  return (
    <div
      ref={scroller}
      className="grid"
      role="grid"
      aria-label={props.label}
      aria-rowcount={total + 1}
      aria-multiselectable
      aria-activedescendant={items.some(({ index }) => index === active) ? `${gridId}-${active}` : undefined}
      tabIndex={0}
      onKeyDown={press}
    >
      <div
        style={{ height: virtual.getTotalSize(), position: "relative", minWidth: leastWidth(columns) }}
        role="presentation"
      >
        <div
          className="grid-head"
          role="row"
          tabIndex={-1}
          aria-rowindex={1}
          style={{ gridTemplateColumns: template }}
        >
          <div className="grid-cell" role="columnheader" tabIndex={-1}>
            <Checkbox
              size="xs"
              aria-label={words.selectShown}
              checked={areShownSelected}
              indeterminate={!areShownSelected && shownRows.some((row) => selected.has(idOf(row)))}
              onChange={() => {
                const next = new Set(selected)
                for (const row of shownRows) {
                  if (areShownSelected) next.delete(idOf(row))
                  else next.add(idOf(row))
                }
                onSelect(next)
              }}
            />
          </div>
          {columns.map((column) => (
            <HeadCell
              key={column.id}
              column={column}
              sort={props.sort}
              onSort={props.onSort}
              sortBy={words.sortBy}
            />
          ))}
        </div>
        {items.map(({ index, start }) => {
          const row = rowAt(index)
          const id = row ? idOf(row) : undefined
          const isSelected = id !== undefined && selected.has(id)
          const click = (event: MouseEvent) => {
            setActive(index)
            if (event.shiftKey || event.ctrlKey || event.metaKey) toggle(index, event.shiftKey)
            else if (row && props.opensByClick !== false) onOpen(row)
          }
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid itself takes the keys for its active row
            <div
              key={index}
              id={`${gridId}-${index}`}
              className="grid-row"
              role="row"
              tabIndex={-1}
              aria-rowindex={index + 2}
              aria-selected={isSelected}
              data-active={index === active || (id !== undefined && id === props.openId)}
              style={{ gridTemplateColumns: template, transform: `translateY(${start}px)` }}
              onClick={click}
            >
              <div className="grid-cell" role="gridcell" tabIndex={-1}>
                {row ? (
                  <Checkbox
                    size="xs"
                    tabIndex={-1}
                    aria-label={words.selectRow(row)}
                    checked={isSelected}
                    onClick={(event) => {
                      event.stopPropagation()
                      setActive(index)
                      toggle(index, event.shiftKey)
                    }}
                    onChange={() => undefined}
                  />
                ) : null}
              </div>
              {columns.map((column) => (
                <div key={column.id} className="grid-cell" role="gridcell" tabIndex={-1}>
                  {row ? column.render(row) : <div className="grid-skeleton" />}
                </div>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function HeadCell<Row>({
  column,
  sort,
  onSort,
  sortBy,
}: { column: Column<Row>; sortBy(column: string): string } & Pick<VirtualGridProps<Row>, "sort" | "onSort">) {
  const field = column.sort
  const isSorted = field !== undefined && field === sort.by
  const direction = sort.order === "asc" ? "ascending" : "descending"
  return (
    <div
      className="grid-cell"
      role="columnheader"
      tabIndex={-1}
      aria-sort={isSorted ? direction : field ? "none" : undefined}
    >
      {field === undefined ? (
        column.title
      ) : (
        <button
          type="button"
          className="grid-sort"
          aria-label={sortBy(column.title)}
          onClick={() => onSort(field)}
        >
          {column.title}
          {isSorted ? (
            sort.order === "asc" ? (
              <IconArrowUp size={13} aria-hidden />
            ) : (
              <IconArrowDown size={13} aria-hidden />
            )
          ) : null}
        </button>
      )}
    </div>
  )
}
