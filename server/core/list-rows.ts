import type { Fragment, Sql } from "./database/database.ts"
import { type Direction, ownEntry, type PageOptions } from "./paging.ts"

/** A page of rows, and how many match on all pages. */
export interface Listed<Row> {
  rows: Row[]
  total: number
}

export interface RowQuery {
  columns: Fragment
  /** `from` with its conditions. */
  from: Fragment
  order: Fragment
}

export async function listRows<Row extends object>(
  sql: Sql,
  page: PageOptions,
  { columns, from, order }: RowQuery,
): Promise<Listed<Row>> {
  const [rows, [counted]] = await Promise.all([
    sql<Row[]>`select ${columns} ${from} order by ${order} limit ${page.limit} offset ${page.offset}`,
    sql<{ total: number }[]>`select count(*) as total ${from}`,
  ])
  return { rows, total: counted?.total ?? 0 }
}

/** The order by a column of a closed list, or by `fallback` for any other name; rows that are equal in it by their id. */
export function orderOf(
  sql: Sql,
  columns: Readonly<Record<string, string>>,
  { sortBy, direction }: { sortBy?: string | undefined; direction: Direction },
  fallback: string,
): Fragment {
  const way = direction === "asc" ? sql`asc` : sql`desc`
  return sql`${sql(ownEntry(columns, sortBy ?? "") ?? fallback)} ${way}, id ${way}`
}

/** The pattern of `like` for texts that contain this one. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`
}
