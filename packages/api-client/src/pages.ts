/** One page of a list, wherever it stands in the answer. */
export interface ListPage<Row> {
  rows: Row[]
  page: number
  /** Null in cursor mode, which does not count. */
  lastPage: number | null
  total: number | null
  /** The whole answer, for what stands beside the page. */
  answer: unknown
}

interface Paginator {
  current_page: number
  last_page?: number | null
  total?: number | null
  data: unknown[]
}

/** Lists stand in `data`, in a key of their own (`tasks`, `roles`), or are the answer itself. */
export function pageIn<Row>(answer: unknown): ListPage<Row> {
  const candidates = isObject(answer) ? [answer, ...Object.values(answer)] : []
  const found = candidates.find(isPaginator)
  if (!found) throw new TypeError("This call does not return a page of a list")
  const { data, current_page: page, last_page: lastPage = null, total = null } = found
  return { rows: data as Row[], page, lastPage, total, answer }
}

/**
 * The query of the page after this one, or undefined after the last. With `lazyLoad` (tasks) the last row is the
 * cursor: rows that come or go meanwhile shift nothing, and no page is slower than the first.
 */
export function nextPageQuery(
  { page, lastPage, rows }: ListPage<unknown>,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if (rows.length === 0) return undefined
  if (lastPage !== null) return page < lastPage ? { ...query, page: page + 1 } : undefined
  const last = rows.at(-1)
  return isObject(last) && last._id !== query.cursor ? { ...query, cursor: last._id } : undefined
}

function isPaginator(value: unknown): value is Paginator {
  return isObject(value) && Array.isArray(value.data) && typeof value.current_page === "number"
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
