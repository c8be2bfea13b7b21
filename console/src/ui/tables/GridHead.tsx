// biome-ignore-all lint/a11y/useSemanticElements: rows that are not on the screen do not exist, hence no table
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react"
import { type CSSProperties, type PointerEvent, useRef } from "react"
import { isRightToLeft, stepOf } from "../reading-direction.ts"
import { narrowestColumn } from "./column-settings.ts"
import type { Column, VirtualGridProps } from "./VirtualGrid.tsx"

interface HeadCellProps<Row> extends Pick<VirtualGridProps<Row>, "sort" | "onSort" | "onResize"> {
  column: Column<Row>
  style: CSSProperties | undefined
  sortBy(column: string): string
  widthOf(column: string): string
}

/** The title of a column, which sorts by it, and its end edge, which is dragged to make it wider. */
export function HeadCell<Row>(props: HeadCellProps<Row>) {
  const { column, sort, onSort, onResize, style } = props
  const field = column.sort
  const isSorted = field !== undefined && field === sort.by
  const direction = sort.order === "asc" ? "ascending" : "descending"
  const Arrow = sort.order === "asc" ? IconArrowUp : IconArrowDown
  return (
    <div
      className="grid-cell"
      role="columnheader"
      tabIndex={-1}
      style={style}
      aria-sort={isSorted ? direction : field ? "none" : undefined}
    >
      {field === undefined ? (
        column.title
      ) : (
        <button
          type="button"
          className="grid-sort"
          aria-label={props.sortBy(column.title)}
          onClick={() => onSort(field)}
        >
          {column.title}
          {isSorted ? <Arrow size={13} aria-hidden /> : null}
        </button>
      )}
      {onResize ? (
        <Edge label={props.widthOf(column.title)} onResize={(pixels) => onResize(column.id, pixels)} />
      ) : null}
    </div>
  )
}

const step = 20

function Edge({ label, onResize }: { label: string; onResize(pixels: number): void }) {
  const start = useRef<{ x: number; width: number }>(undefined)
  const widthNow = (element: Element) =>
    element.parentElement?.getBoundingClientRect().width ?? narrowestColumn
  const end = (event: PointerEvent<HTMLElement>) => {
    const from = start.current
    start.current = undefined
    const moved = from ? (event.clientX - from.x) * (isRightToLeft() ? -1 : 1) : 0
    if (from && moved !== 0) onResize(from.width + moved)
  }
  return (
    <hr
      className="grid-edge"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={0}
      tabIndex={-1}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width: widthNow(event.currentTarget) }
      }}
      onPointerUp={end}
      onKeyDown={(event) => {
        const by = stepOf(event.key) * step
        if (by === 0) return
        event.stopPropagation()
        onResize(widthNow(event.currentTarget) + by)
      }}
    />
  )
}
