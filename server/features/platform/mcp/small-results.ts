/** How much of a response a model gets at once. */
const [maxText, maxInnerRows, maxResultBytes] = [500, 25, 40_000]

interface Page {
  limit: number
  /** Rows of the response that earlier pages had, where the operation itself does not page. */
  skip: number
  full: boolean
}

export interface SmallResult {
  result: unknown
  nextCursor?: string
  hint?: string
}

const cursorPrefix = { rows: "rows:", page: "page:" }

export type CursorKind = { page: number } | { skip: number } | { own: string } | "invalid" | undefined

/** What a `cursor` argument means: rows or pages that this server counts, or a cursor of the operation. */
export function readCursorArgument(cursor: unknown): CursorKind {
  if (cursor === undefined || cursor === null || cursor === "") return undefined
  if (typeof cursor !== "string") return "invalid"
  const isRows = cursor.startsWith(cursorPrefix.rows)
  if (!isRows && !cursor.startsWith(cursorPrefix.page)) return { own: cursor }
  const number = Number(/^....:(\d{1,9})$/.exec(cursor)?.[1])
  if (Number.isNaN(number)) return "invalid"
  return isRows ? { skip: number } : { page: number }
}

type Members = Record<string, unknown>
const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A response of the API in so few words as a model needs: one page of rows, long texts cut, with what comes next. */
export function toSmallResult(body: unknown, { limit, skip, full }: Page): SmallResult {
  const found = findRows(body, 0)
  const cuts = { count: 0 }
  if (!found) return withHint({ result: full ? body : cut(body, cuts) }, cuts)
  const { holder, key, rows } = found
  const all = rows.slice(skip, skip + limit)
  let shown = all.map((row) => (full ? row : cut(row, cuts)))
  while (shown.length > 1 && JSON.stringify(shown).length > maxResultBytes * (full ? 5 : 1))
    shown = shown.slice(0, Math.ceil(shown.length / 2))
  const isRest = skip + shown.length < rows.length
  const nextCursor = isRest ? `${cursorPrefix.rows}${skip + shown.length}` : nextOf(holder)
  const result = replaceRows(body, rows, shown)
  return withHint({ result: stripPages(result, key), ...(nextCursor !== undefined && { nextCursor }) }, cuts)
}

function withHint(result: SmallResult, { count }: { count: number }): SmallResult {
  if (count === 0) return result
  return { ...result, hint: `${count} long texts or inner lists were cut: pass full=true to get them` }
}

/** The list that the response is about: the first one, not deeper than in `data.tasks.data`. */
function findRows(
  value: unknown,
  depth: number,
): { holder: Members; key: string; rows: readonly unknown[] } | undefined {
  if (Array.isArray(value)) return { holder: {}, key: "", rows: value }
  if (!isMembers(value) || depth > 3 || "_id" in value) return undefined
  const keys = Object.keys(value).toSorted((a, b) => Number(b === "data") - Number(a === "data"))
  for (const key of keys) {
    const held = value[key]
    if (Array.isArray(held) && key !== "links" && key !== "warnings")
      return { holder: value, key, rows: held }
  }
  for (const key of keys) {
    const found = isMembers(value[key]) ? findRows(value[key], depth + 1) : undefined
    if (found) return found
  }
  return undefined
}

/** Of a paginator or a list with a cursor of its own. */
function nextOf(holder: Members): string | undefined {
  if (typeof holder.nextCursor === "string") return holder.nextCursor
  const [page, last] = [holder.current_page, holder.last_page]
  const isMore = typeof page === "number" && typeof last === "number" && page < last
  return isMore ? `${cursorPrefix.page}${page + 1}` : undefined
}

function replaceRows(value: unknown, rows: readonly unknown[], shown: readonly unknown[]): unknown {
  if (value === rows) return shown
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, replaceRows(held, rows, shown)]))
}

const pageKeys = [
  "first_page_url",
  "last_page_url",
  "links",
  "next_page_url",
  "prev_page_url",
  "path",
  "from",
  "to",
]

/** Addresses of other pages say nothing that the cursor does not. */
function stripPages(value: unknown, rowsKey: string): unknown {
  if (!isMembers(value)) return value
  const isPage = "next_page_url" in value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !isPage || !pageKeys.includes(key))
      .map(([key, held]) => [key, key === rowsKey ? held : stripPages(held, rowsKey)]),
  )
}

function cut(value: unknown, cuts: { count: number }): unknown {
  if (typeof value === "string" && value.length > maxText) {
    cuts.count += 1
    return `${value.slice(0, maxText)}… (${value.length} characters)`
  }
  if (Array.isArray(value)) {
    const kept = value.slice(0, maxInnerRows).map((held) => cut(held, cuts))
    if (kept.length === value.length) return kept
    cuts.count += 1
    return [...kept, `… (${value.length} in all)`]
  }
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, cut(held, cuts)]))
}
