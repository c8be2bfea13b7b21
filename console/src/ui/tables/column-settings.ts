import { useCallback, useMemo } from "react"
import { usePreference } from "../../features/people/users/preferences.queries.ts"
import type { Column } from "./VirtualGrid.tsx"

/** How a person has arranged the columns of one list; kept on the server. */
export interface ColumnSettings {
  /** Ids in their order; columns that are not named follow in their usual order. */
  order?: string[]
  hidden?: string[]
  /** Of the extra columns, those that are shown. */
  shown?: string[]
  pinned?: string[]
  /** Pixels. */
  widths?: Record<string, number>
}

export const narrowestColumn = 60
const widestColumn = 900

export function useColumnSettings(list: string, hiddenAtFirst: readonly string[]) {
  const [kept, keep] = usePreference<ColumnSettings>(`columns-${list}`)
  const settings = useMemo(
    () => ({
      order: [],
      pinned: [],
      shown: [],
      widths: {},
      hidden: [...hiddenAtFirst],
      ...kept,
    }),
    [kept, hiddenAtFirst],
  )
  const resize = useCallback(
    (id: string, pixels: number) => {
      const width = Math.round(Math.min(widestColumn, Math.max(narrowestColumn, pixels)))
      keep({ ...settings, widths: { ...settings.widths, [id]: width } })
    },
    [keep, settings],
  )
  return { settings, keep, resize }
}

/** All columns in the order of the settings, pinned ones first; the first column stays the first. */
export function inOrderOf<Row>(columns: readonly Column<Row>[], settings: ColumnSettings): Column<Row>[] {
  const [first, ...others] = columns
  if (!first) return []
  const order = settings.order ?? []
  const placeOf = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  const isPinned = (id: string) => settings.pinned?.includes(id) ?? false
  const sorted = others.toSorted(
    (one, other) =>
      Number(isPinned(other.id)) - Number(isPinned(one.id)) || placeOf(one.id) - placeOf(other.id),
  )
  return [first, ...sorted]
}

/** The columns as they are shown: without the hidden ones, with widths, and pinned ones at the left edge. */
export function arranged<Row>(columns: readonly Column<Row>[], settings: ColumnSettings): Column<Row>[] {
  const { pinned = [], widths = {} } = settings
  return inOrderOf(columns, settings)
    .filter((column, at) => at === 0 || isShown(column, settings))
    .map((column, at) => {
      const width = widths[column.id]
      const sized = width === undefined ? column : { ...column, width: `${width}px` }
      const isPinned = pinned.length > 0 && (at === 0 || pinned.includes(column.id))
      return isPinned ? { ...sized, width: `${leastPixels(sized)}px`, isPinned } : sized
    })
}

export function isShown<Row>({ id, isExtra }: Column<Row>, settings: ColumnSettings): boolean {
  return isExtra ? (settings.shown?.includes(id) ?? false) : !settings.hidden?.includes(id)
}

/** The least width of a column's track. */
export function leastPixels({ width }: { width: string }): number {
  return Number(/\d+/.exec(width)?.[0] ?? 0)
}
