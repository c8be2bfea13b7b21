import { Type } from "typebox"
import type { Fragment, Sql } from "./database/database.ts"
import { addressWith, type Direction, paginate } from "./paging.ts"

/** A sorted list that is read by a cursor: each page begins after the row with which the one before ended. */
export interface CursorOrder {
  sortBy: string
  direction: Direction
  /** What rows are sorted by, and their id, which decides between equal ones. */
  value: Fragment
  id: Fragment
  /** Whether rows may lack the value. */
  isNullable: boolean
}

/** A place in a sorted list: after the row with this value and id. The columns of `placeColumns`. */
export interface Place {
  placeValue: string | null
  placeType: string
  placeId: string
}

const types = ["text", "timestamp with time zone", "double precision", "jsonb", "text[]"]

/** Select them with the rows of a page, so that the cursor does not depend on the row being there afterwards. */
export function placeColumns(sql: Sql, { value, id }: CursorOrder): Fragment {
  return sql`(${value})::text as place_value, pg_typeof(${value})::text as place_type, ${id} as place_id`
}

/** The place of the first row of a source, such as a table with its condition, or rows kept in the trash. */
export async function findPlace(sql: Sql, order: CursorOrder, source: Fragment): Promise<Place | undefined> {
  const rows = await sql<Place[]>`select ${placeColumns(sql, order)} from ${source}`
  return rows[0]
}

/**
 * Reads a cursor: a `nextCursor` of this order, or an `_id` whose place `placeOf` finds. Undefined for what is neither.
 * `table` has one row, without values: from it follows what type the order's values have.
 */
export async function readPlace(
  sql: Sql,
  order: CursorOrder,
  cursor: string,
  { table, placeOf }: { table: Fragment; placeOf: (id: string) => Promise<Place | undefined> },
): Promise<Place | undefined> {
  if (/^[0-9a-fA-F]{24}$/.test(cursor)) return placeOf(cursor.toLowerCase())
  const place = readCursor(order, cursor)
  if (!place || place.placeValue === null) return place
  const { placeType, placeValue } = place
  const fitting = await sql`
    select from ${table}
    where pg_typeof(${order.value})::text = ${placeType} and pg_input_is_valid(${placeValue}, ${placeType})`
  return fitting.length > 0 ? place : undefined
}

/** The opaque cursor after a row; it keeps working when the row changes or goes. */
export function writeCursor(
  { sortBy, direction }: Pick<CursorOrder, "sortBy" | "direction">,
  place: Place,
): string {
  const { placeValue, placeType, placeId } = place
  return Buffer.from(JSON.stringify([sortBy, direction, placeValue, placeType, placeId])).toString(
    "base64url",
  )
}

/** Reads a `nextCursor`; undefined for what is none, or is one of another order. */
export function readCursor(
  { sortBy, direction }: Pick<CursorOrder, "sortBy" | "direction">,
  cursor: string,
): Place | undefined {
  let read: unknown
  try {
    read = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"))
  } catch {
    return undefined
  }
  const [by, way, placeValue, placeType, placeId] = Array.isArray(read) ? (read as unknown[]) : []
  if (by !== sortBy || way !== direction) return undefined
  if (placeValue !== null && typeof placeValue !== "string") return undefined
  if (typeof placeType !== "string" || !types.includes(placeType) || typeof placeId !== "string")
    return undefined
  return { placeValue, placeType, placeId }
}

/** Rows without the value come last when ascending and first when descending, as PostgreSQL orders them. */
export function afterPlace(sql: Sql, order: CursorOrder, place: Place): Fragment {
  const { value: column, id, direction, isNullable } = order
  const { placeValue, placeType, placeId } = place
  const isDescending = direction === "desc"
  if (placeValue === null)
    return isDescending
      ? sql`((${column} is null and ${id} < ${placeId}) or ${column} is not null)`
      : sql`(${column} is null and ${id} > ${placeId})`
  // The type is one of a closed list.
  const at = sql`(${placeValue}::text::${sql.unsafe(types.includes(placeType) ? placeType : "text")})`
  if (isDescending) return sql`(${column}, ${id}) < (${at}, ${placeId})`
  // Where the value is never missing, the row comparison alone lets the index of the order begin there.
  return isNullable
    ? sql`((${column}, ${id}) > (${at}, ${placeId}) or ${column} is null)`
    : sql`(${column}, ${id}) > (${at}, ${placeId})`
}

/** `order by` and `limit` of a page; the row beyond it says whether there is another page. */
export function pageAfter(sql: Sql, { value, id, direction }: CursorOrder, limit: number): Fragment {
  const way = direction === "desc" ? sql`desc` : sql`asc`
  return sql`order by ${value} ${way}, ${id} ${way} limit ${limit + 1}`
}

/** Rows that were read with `pageAfter`, and the cursor of the next page; null after the last. */
export function cutPage<Row extends Place>(
  rows: readonly Row[],
  order: Pick<CursorOrder, "sortBy" | "direction">,
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, nextCursor: rows.length > limit && last ? writeCursor(order, last) : null }
}

/** The page object of cursor mode: the next address carries the cursor; totals are not known. */
export function paginateAfter<Row>(rows: Row[], nextCursor: string | null, limit: number, address: URL) {
  const page = paginate(rows, rows.length, { page: 1, limit, offset: 0 }, address)
  const next = nextCursor === null ? null : addressWith(address, "cursor", nextCursor)
  return {
    ...page,
    links: page.links.with(-1, { url: next, label: "Next &raquo;", page: null, active: false }),
    last_page: null,
    last_page_url: null,
    total: null,
    next_page_url: next,
    nextCursor,
  }
}

const NullableText = Type.Union([Type.String(), Type.Null()])
const NullableCount = Type.Union([Type.Integer(), Type.Null()])

/** What a list that knows cursor mode adds to its page object. */
export const CursorPageKeys = {
  total: NullableCount,
  last_page: NullableCount,
  last_page_url: NullableText,
  nextCursor: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description:
        "With lazyLoad=1: send it as cursor for the next page, in the same order; null after the last",
    }),
  ),
}

/** The query parameters of cursor mode. */
export const CursorQuery = {
  lazyLoad: Type.Optional(Type.Integer({ description: "1: cursor mode, page is ignored" })),
  cursor: Type.Optional(
    Type.String({
      description: "nextCursor of the page before, or the _id of an object of the list; only with lazyLoad=1",
    }),
  ),
}
