import { useQueries } from "@tanstack/react-query"
import { useCallback, useState } from "react"
import { type ListWindow, type PageQuery, windowRows } from "./list-window.ts"

interface Span {
  /** The index of the line that names the group; its rows follow where it is open. */
  start: number
  rows: number
}

/**
 * A list in groups: a line for each group, followed by its rows where it is open. As in a plain list, only the pages that are
 * on the screen are read. `pageQuery` counts pages from 1.
 */
export function useGroupedWindow<Row>(
  groups: readonly { count: number; isOpen: boolean }[],
  pageQuery: (group: number, page: number) => PageQuery<Row>,
): ListWindow<Row> & { groupAt(index: number): number | undefined } {
  const [range, setVisible] = useState({ from: 0, to: 0 })
  let total = 0
  const spans = groups.map(({ count, isOpen }): Span => {
    const span = { start: total, rows: isOpen ? count : 0 }
    total += 1 + span.rows
    return span
  })
  const pages = spans.flatMap(({ start, rows }, group) => {
    const from = Math.max(0, range.from - start - 1)
    const to = Math.min(rows - 1, range.to - start - 1)
    if (to < from) return []
    const first = Math.floor(from / windowRows)
    const count = Math.floor(to / windowRows) - first + 1
    return Array.from({ length: count }, (_, index) => ({ group, page: first + index }))
  })
  const read = useQueries({ queries: pages.map(({ group, page }) => pageQuery(group, page + 1)) })
  const setRange = useCallback((from: number, to: number) => {
    setVisible((current) => (current.from === from && current.to === to ? current : { from, to }))
  }, [])
  const groupOf = (index: number) =>
    spans.findIndex(({ start, rows }) => index >= start && index <= start + rows)
  return {
    total,
    rowAt(index) {
      const group = groupOf(index)
      const at = index - (spans[group]?.start ?? 0) - 1
      const page = Math.floor(at / windowRows)
      const found = read[pages.findIndex((candidate) => candidate.group === group && candidate.page === page)]
      return at < 0 ? undefined : found?.data?.rows[at % windowRows]
    },
    groupAt(index) {
      const group = groupOf(index)
      return spans[group]?.start === index ? group : undefined
    },
    setRange,
    isLoading: false,
    error: read.find(({ error }) => error)?.error ?? null,
  }
}
