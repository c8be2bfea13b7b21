import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query"
import { useCallback, useState } from "react"
import { type ListedTask, pageRows, taskPageQuery } from "../tasks.queries.ts"

type Query = Parameters<typeof taskPageQuery>[0]
type Order = Parameters<typeof taskPageQuery>[2]

export interface TaskWindow {
  total: number
  counts: { done: number; ongoing: number } | undefined
  taskAt(index: number): ListedTask | undefined
  setRange(from: number, to: number): void
  isLoading: boolean
  error: Error | null
}

/**
 * The whole list as far as it is looked at: the first page tells how long it is, further pages are read when
 * their rows come into sight, so that 100,000 tasks scroll like 100.
 */
export function useTaskWindow(query: Query, order: Order): TaskWindow {
  const [range, setVisible] = useState({ from: 0, to: 0 })
  const first = useQuery({ ...taskPageQuery(query, 0, order), placeholderData: keepPreviousData })
  const total = first.data?.total ?? 0
  const lastPage = Math.max(0, Math.ceil(total / pageRows) - 1)
  const fromPage = Math.min(lastPage, Math.floor(range.from / pageRows))
  const toPage = Math.min(lastPage, Math.floor(range.to / pageRows))
  const pages = Array.from({ length: toPage - fromPage + 1 }, (_, index) => fromPage + index).filter(
    (page) => page > 0,
  )
  const others = useQueries({ queries: pages.map((page) => taskPageQuery(query, page, order)) })
  const setRange = useCallback((from: number, to: number) => {
    setVisible((current) => (current.from === from && current.to === to ? current : { from, to }))
  }, [])
  return {
    total,
    counts: first.data ? { done: first.data.doneTotal, ongoing: first.data.ongoingTotal } : undefined,
    taskAt(index) {
      const page = Math.floor(index / pageRows)
      const found = page === 0 ? first.data : others[pages.indexOf(page)]?.data
      return found?.tasks[index % pageRows]
    },
    setRange,
    isLoading: first.isPending,
    error: first.error,
  }
}

/** Where a task stands in the list, if it is loaded. */
export function indexOfTask(tasks: TaskWindow, taskId: string): number | undefined {
  for (let index = 0; index < tasks.total; index++) if (tasks.taskAt(index)?._id === taskId) return index
  return undefined
}
