import type { CSSProperties } from "react"
import { leastPixels } from "./column-settings.ts"

/** Width of the first track, which has the boxes; a gap where rows cannot be selected. */
export const selectPixels = (isSelectable: boolean) => (isSelectable ? 44 : 8)

/** The sum of the tracks at their least: below it the grid scrolls, and all of its rows keep the same columns. */
export function leastWidth(columns: readonly { width: string }[], firstPixels: number): number {
  return columns.reduce((sum, column) => sum + leastPixels(column), firstPixels)
}

/** Where the cells of pinned columns stay; undefined for the others. */
export function pinnedStyles(
  columns: readonly { width: string; isPinned?: boolean }[],
  firstPixels: number,
): (CSSProperties | undefined)[] {
  let left = firstPixels
  return columns.map((column) => {
    if (!column.isPinned) return undefined
    const style = { position: "sticky", insetInlineStart: left, zIndex: 1, background: "inherit" } as const
    left += leastPixels(column)
    return style
  })
}
