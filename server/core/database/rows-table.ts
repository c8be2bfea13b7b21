import { type Fragment, idTexts, jsonTexts, type Sql } from "./database.ts"

/** How a column is sent. `id` may be null, `json` is anything that JSON.stringify takes. */
type Kind = "id" | "text" | "json" | "int" | "timestamptz"
type Column<Row> = readonly [kind: Kind, read: (row: Row) => unknown]

/**
 * Rows as a table of a statement with one array per column:
 * `insert into … select … from ${rowsTable(tx, "run", runs, { scheduleId: ["id", ({ id }) => id] })}`.
 * Names become snake_case.
 */
export function rowsTable<Row>(
  sql: Sql,
  name: string,
  rows: readonly Row[],
  columns: Readonly<Record<string, Column<Row>>>,
): Fragment {
  const arrays = Object.values(columns).map(([kind, read]) => arrayOf(sql, kind, rows.map(read)))
  const names = Object.keys(columns).map((column) => sql`${sql(column)}`)
  return sql`unnest(${listOf(sql, arrays)}) as ${sql(name)} (${listOf(sql, names)})`
}

function arrayOf(sql: Sql, kind: Kind, values: readonly unknown[]): Fragment {
  if (kind === "id") return idTexts(sql, values as (string | null)[])
  if (kind === "json")
    return sql`${jsonTexts(
      sql,
      values.map((value) => JSON.stringify(value ?? null)),
    )}::jsonb[]`
  if (kind === "int") return sql`${values as number[]}::int[]`
  if (kind === "timestamptz") return sql`${values as string[]}::timestamptz[]`
  return sql`${values as string[]}::text[]`
}

function listOf(sql: Sql, parts: readonly Fragment[]): Fragment {
  return parts.reduce((sofar, part) => sql`${sofar}, ${part}`)
}
