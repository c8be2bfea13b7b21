import { type TObject, type TSchema, Type } from "typebox"
import { trimEndOf } from "#packages/text/trim-characters.ts"
import { AppError } from "./errors.ts"
import { commaList } from "./http/tolerance.ts"

/** The largest page; a larger request is cut to it, and `limit=-1` means it. */
export const maxLimit = 10_000
export const defaultLimit = 20
/** Pages beyond it are as empty as this one. */
const maxPage = 1e9

/** The query parameters that every list shares. Ranges are checked by `readPage`, which knows the module. */
export const ListQuery = {
  page: Type.Optional(Type.Integer({ description: "Page number from 1; 0 counts as 1" })),
  limit: Type.Optional(
    Type.Integer({
      description: "Rows per page, 1 to 10,000. Larger values are reduced to 10,000; -1 means 10,000",
    }),
  ),
  sortOrder: Type.Optional(
    Type.String({ pattern: "^([aA][sS][cC]|[dD][eE][sS][cC])$", description: "asc or desc" }),
  ),
  fields: Type.Optional(
    Type.String({
      description: "Comma-separated list of top-level fields to return; _id is always included",
    }),
  ),
}

export interface PageOptions {
  page: number
  limit: number
  offset: number
}

/** Page and limit as asked for. Refuses `limit=0` and negative ones but -1 with the module's code 009. */
export function readPage(
  query: { page?: number; limit?: number },
  module: string,
  bounds: { default?: number; max?: number; limitName?: string } = {},
): PageOptions {
  const { max = maxLimit, limitName = "limit" } = bounds
  const asked = query.limit ?? bounds.default ?? defaultLimit
  if (asked !== -1 && asked < 1)
    throw new AppError(400, `${module}-009`, `${limitName} must be 1 or more, or -1 for the maximum`, {
      fields: { [limitName]: ["must be 1 or more, or -1 for the maximum"] },
    })
  const page = Math.min(Math.max(1, query.page ?? 1), maxPage)
  if ((query.page ?? 1) < 0)
    throw new AppError(400, `${module}-009`, "page must be 1 or more", {
      fields: { page: ["must be 1 or more"] },
    })
  const limit = asked === -1 ? max : Math.min(asked, max)
  return { page, limit, offset: (page - 1) * limit }
}

export type Direction = "asc" | "desc"

export function readDirection(sortOrder: string | undefined, fallback: Direction = "desc"): Direction {
  return sortOrder === undefined ? fallback : (sortOrder.toLowerCase() as Direction)
}

/** The entry of a closed list that a caller named. What every object inherits, such as `constructor`, is none. */
export function ownEntry<Entry>(list: Readonly<Record<string, Entry>>, name: string): Entry | undefined {
  return Object.hasOwn(list, name) ? list[name] : undefined
}

/** Keeps the named top-level fields and `_id`; without a request everything. Unknown names are ignored. */
export function pickFields<Row extends object>(row: Row, fields: string | undefined, always = ["_id"]): Row {
  if (fields === undefined || fields.trim() === "") return row
  const wanted = new Set([...commaList(fields), ...always])
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name))) as Row
}

export interface PageLink {
  url: string | null
  label: string
  /** The page that the link leads to; null where there is none. */
  page: number | null
  active: boolean
}

export interface Paginator<Row> {
  current_page: number
  data: Row[]
  first_page_url: string
  from: number | null
  last_page: number
  last_page_url: string
  links: PageLink[]
  next_page_url: string | null
  path: string
  per_page: number
  prev_page_url: string | null
  to: number | null
  total: number
}

export function PaginatorSchema<Row extends TSchema>(row: Row) {
  const NullableText = Type.Union([Type.String(), Type.Null()])
  const NullableCount = Type.Union([Type.Integer(), Type.Null()])
  return Type.Object(
    {
      current_page: Type.Integer(),
      data: Type.Array(row),
      first_page_url: Type.String(),
      from: NullableCount,
      last_page: Type.Integer(),
      last_page_url: Type.String(),
      links: Type.Array(
        Type.Object(
          {
            url: NullableText,
            label: Type.String(),
            page: Type.Union([Type.Integer(), Type.Null()]),
            active: Type.Boolean(),
          },
          { title: "PageLink" },
        ),
      ),
      next_page_url: NullableText,
      path: Type.String(),
      per_page: Type.Integer(),
      prev_page_url: NullableText,
      to: NullableCount,
      total: Type.Integer(),
    },
    { title: "Paginator" },
  )
}
/** A row of a list with `fields`: every key is optional. */
export function SparseSchema<Row extends TObject>(row: Row) {
  return Type.Partial(row, { title: `Sparse${String((row as { title?: unknown }).title ?? "Row")}` })
}

/**
 * The 13-key page object of the wire. `address` is the absolute URL of the request: every parameter of it
 * stays in the links, percent-encoded, with `page` last.
 */
export function paginate<Row>(
  rows: Row[],
  total: number,
  options: PageOptions,
  address: URL,
): Paginator<Row> {
  const lastPage = Math.max(1, Math.ceil(total / options.limit))
  const prefix = addressWith(address, "page", "")
  const urlOf = (page: number) => `${prefix}${page}`
  const { page } = options
  const previous = page > 1 ? Math.min(page - 1, lastPage) : null
  const next = page < lastPage ? page + 1 : null
  const link = (number: number | null, label: string): PageLink => ({
    url: number === null ? null : urlOf(number),
    label,
    page: number,
    active: number === page,
  })
  const [first, last] = [link(previous, "&laquo; Previous"), link(next, "Next &raquo;")]
  return {
    current_page: page,
    data: rows,
    first_page_url: urlOf(1),
    from: rows.length > 0 ? options.offset + 1 : null,
    last_page: lastPage,
    last_page_url: urlOf(lastPage),
    links: [
      first,
      ...pageWindow(page, lastPage).map((number) =>
        number === "gap" ? link(null, "...") : link(number, String(number)),
      ),
      last,
    ],
    next_page_url: last.url,
    path: pathOf(address),
    per_page: options.limit,
    prev_page_url: first.url,
    to: rows.length > 0 ? options.offset + rows.length : null,
    total,
  }
}

function pathOf(address: URL): string {
  return address.origin + (trimEndOf(address.pathname, "/") || "/")
}

/** An address as lists link to each other: every parameter kept and percent-encoded, the named one last. */
export function addressWith(address: URL, name: string, value: string | number): string {
  const parameters = [...address.searchParams].filter(([kept]) => kept !== name)
  const encoded = [...parameters, [name, String(value)] as const].map(
    ([key, text]) => `${encodeURIComponent(key)}=${encodeURIComponent(text)}`,
  )
  return `${pathOf(address)}?${encoded.join("&")}`
}

/**
 * Which page numbers the links show: all of up to 13 pages; else the first ten, or the last ten, or three
 * on each side of the current one, always with the first and last two, gaps between.
 */
export function pageWindow(current: number, last: number): (number | "gap")[] {
  if (last <= 13) return range(1, last)
  if (current <= 7) return [...range(1, 10), "gap", last - 1, last]
  if (current > last - 7) return [1, 2, "gap", ...range(last - 9, last)]
  return [1, 2, "gap", ...range(current - 3, current + 3), "gap", last - 1, last]
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}
