import type { CSSProperties } from "react"
import { leastPixels } from "./column-settings.ts"

const selectPixels = 44
export const selectWidth = `${selectPixels}px`

/** The sum of the tracks at their least: below it the grid scrolls, and all of its rows keep the same columns. */
export function leastWidth(columns: readonly { width: string }[]): number {
  return columns.reduce((sum, column) => sum + leastPixels(column), selectPixels)
}

/** Where the cells of pinned columns stay; undefined for the others. */
export function pinnedStyles(
  columns: readonly { width: string; isPinned?: boolean }[],
): (CSSProperties | undefined)[] {
  let left = selectPixels
  return columns.map((column) => {
    if (!column.isPinned) return undefined
    const style = { position: "sticky", left, zIndex: 1, background: "inherit" } as const
    left += leastPixels(column)
    return style
  })
}
