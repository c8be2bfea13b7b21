/** One page of a list, wherever it is in the response. */
export interface ListPage<Row> {
  rows: Row[]
  page: number
  /** Null in cursor mode, which does not count. */
  lastPage: number | null
  total: number | null
  /** In cursor mode what the next page is asked for with; null after the last, and in other modes. */
  nextCursor: string | null
  /** The whole response, for keys next to the page. */
  response: unknown
}

interface Paginator {
  current_page: number
  last_page?: number | null
  total?: number | null
  nextCursor?: string | null
  data: unknown[]
}

/** Lists are in `data`, in a key of their own (`tasks`, `roles`), or are the response itself. */
export function pageIn<Row>(response: unknown): ListPage<Row> {
  const candidates = isObject(response) ? [response, ...Object.values(response)] : []
  const found = candidates.find(isPaginator)
  if (!found) throw new TypeError("This call does not return a page of a list")
  const { data, current_page: page, last_page: lastPage = null, total = null, nextCursor = null } = found
  return { rows: data as Row[], page, lastPage, total, nextCursor, response }
}

/**
 * The query of the page after this one, or undefined after the last. With `lazyLoad` (tasks, records) the server gives
 * the cursor: rows that come, change or go meanwhile shift nothing, and no page is slower than the first.
 */
export function nextPageQuery(
  { page, lastPage, rows, nextCursor }: ListPage<unknown>,
  query: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  if (rows.length === 0) return undefined
  if (lastPage !== null) return page < lastPage ? { ...query, page: page + 1 } : undefined
  return nextCursor === null ? undefined : { ...query, cursor: nextCursor }
}

/** The lists that can be read by a cursor. */
const cursorLists: ReadonlySet<string> = new Set(["listTasks", "listRecords"])

/** Reads by cursor where the list can be, unless the caller asks for pages by number. */
export function eachQuery(
  name: string,
  query: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const isOpen = cursorLists.has(name) && query.lazyLoad === undefined && query.page === undefined
  return isOpen ? { ...query, lazyLoad: 1 } : query
}

function isPaginator(value: unknown): value is Paginator {
  return isObject(value) && Array.isArray(value.data) && typeof value.current_page === "number"
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
