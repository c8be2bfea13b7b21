import { keepPreviousData, type QueryKey, useQueries, useQuery } from "@tanstack/react-query"
import { useCallback, useState } from "react"

/** Rows are read in pages of this size as the list is scrolled. */
export const windowRows = 100

export interface RowPage<Row> {
  rows: readonly Row[]
  total: number
}

export interface ListWindow<Row> {
  total: number
  rowAt(index: number): Row | undefined
  setRange(from: number, to: number): void
  isLoading: boolean
  error: Error | null
}

export interface PageQuery<Row> {
  queryKey: QueryKey
  queryFn(context: { signal: AbortSignal }): Promise<RowPage<Row>>
  /** Where no event reports changes. */
  refetchInterval?: number
}

/**
 * A whole list, read as far as it is scrolled: the first page contains its length, further pages are read when
 * their rows come into sight, so that 100,000 rows scroll like 100. `pageQuery` counts pages from 1.
 */
export function useListWindow<Row>(pageQuery: (page: number) => PageQuery<Row>): ListWindow<Row> {
  const [range, setVisible] = useState({ from: 0, to: 0 })
  const first = useQuery({ ...pageQuery(1), placeholderData: keepPreviousData })
  const total = first.data?.total ?? 0
  const lastPage = Math.max(0, Math.ceil(total / windowRows) - 1)
  const fromPage = Math.min(lastPage, Math.floor(range.from / windowRows))
  const toPage = Math.min(lastPage, Math.floor(range.to / windowRows))
  const pages = Array.from({ length: toPage - fromPage + 1 }, (_, index) => fromPage + index).filter(
    (page) => page > 0,
  )
  const others = useQueries({ queries: pages.map((page) => pageQuery(page + 1)) })
  const setRange = useCallback((from: number, to: number) => {
    setVisible((current) => (current.from === from && current.to === to ? current : { from, to }))
  }, [])
  return {
    total,
    rowAt(index) {
      const page = Math.floor(index / windowRows)
      const found = page === 0 ? first.data : others[pages.indexOf(page)]?.data
      return found?.rows[index % windowRows]
    },
    setRange,
    isLoading: first.isPending,
    error: first.error,
  }
}

/** The index of a row in the list, if it is loaded. */
export function indexOfRow(list: ListWindow<{ _id: string }>, id: string): number | undefined {
  for (let index = 0; index < list.total; index++) if (list.rowAt(index)?._id === id) return index
  return undefined
}

/** A loaded row by its id. */
export function findRow<Row extends { _id: string }>(
  list: ListWindow<Row>,
  id: string | undefined,
): Row | undefined {
  const index = id === undefined ? undefined : indexOfRow(list, id)
  return index === undefined ? undefined : list.rowAt(index)
}

/** The selected rows themselves, by id: rows that scrolled away are no longer loaded. */
export function keepSelected<Kept extends { _id: string }, Row extends Kept>(
  ids: ReadonlySet<string>,
  before: ReadonlyMap<string, Kept>,
  list: ListWindow<Row>,
): ReadonlyMap<string, Kept> {
  const next = new Map<string, Kept>()
  for (const id of ids) {
    const row = before.get(id) ?? findRow(list, id)
    if (row) next.set(id, row)
  }
  return next
}
