// biome-ignore-all lint/a11y/useSemanticElements: lines of a grid whose other rows do not exist either, hence no table
import type { CSSProperties, ReactNode } from "react"

/** A line that names the rows after it. */
export interface GridGroup {
  content: ReactNode
  isOpen: boolean
  onToggle(): void
}

interface GroupLineProps {
  group: GridGroup
  index: number
  start: number
  elementId: string
  isActive: boolean
}

export function GroupLine({ group, index, start, elementId, isActive }: GroupLineProps) {
  return (
    <div
      id={elementId}
      className="grid-row grid-group"
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      data-active={isActive}
      style={{ transform: `translateY(${start}px)` }}
    >
      <div role="gridcell" tabIndex={-1}>
        <button type="button" tabIndex={-1} aria-expanded={group.isOpen} onClick={group.onToggle}>
          <span className="grid-mark" aria-hidden />
          {group.content}
        </button>
      </div>
    </div>
  )
}

interface TotalLineProps {
  columns: readonly { id: string }[]
  template: string
  /** Of the cells, where they are pinned. */
  styles: readonly (CSSProperties | undefined)[]
  totalOf(column: string): ReactNode
}

/** The last line, which stays in sight. */
export function TotalLine({ columns, template, styles, totalOf }: TotalLineProps) {
  return (
    <div className="grid-total" role="row" tabIndex={-1} style={{ gridTemplateColumns: template }}>
      <div className="grid-cell" role="gridcell" tabIndex={-1} />
      {columns.map(({ id }, at) => (
        <div key={id} className="grid-cell" role="gridcell" tabIndex={-1} style={styles[at]}>
          {totalOf(id)}
        </div>
      ))}
    </div>
  )
}
