import type { Fragment, Pool, Sql } from "#core/database/database.ts"
import { type ParquetTable, parquetTables, rowsPerFile } from "./tables.ts"

export interface MonthState {
  month: string
  /** Changes with every change of a row. */
  state: string
}

const viewOf = (sql: Sql, table: ParquetTable): Fragment => sql`${sql(`analyst_${table}`)}`
const timeOf = (sql: Sql, table: ParquetTable): Fragment => sql`${sql(parquetTables[table])}`

/** The months that have rows, in UTC. */
export function monthsOf(sql: Sql, organizationId: string, table: ParquetTable): Promise<MonthState[]> {
  return sql<MonthState[]>`
    select to_char(${timeOf(sql, table)} at time zone 'UTC', 'YYYY-MM') as month,
      count(*) || ' ' || sum(hashtextextended(rows::text, 0)::numeric) as state
    from ${viewOf(sql, table)} as rows where organization_id = ${organizationId} group by 1 order by 1`
}

export interface ColumnType {
  name: string
  type: string
}

export function columnsOf(sql: Sql, table: ParquetTable): Promise<ColumnType[]> {
  return sql<ColumnType[]>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${`analyst_${table}`}::regclass and attnum > 0 and attname <> 'organization_id' order by attnum`
}

/** The rows of a month in the order of their time, a file's worth at a time. Names of columns are as in the view. */
export function rowsOf(
  sql: Pool | Sql,
  organizationId: string,
  { table, month, columns }: { table: ParquetTable; month: string; columns: readonly ColumnType[] },
): AsyncIterable<{ cells: (string | null)[] }[]> {
  const from = Temporal.PlainYearMonth.from(month).toPlainDate({ day: 1 })
  const bound = (date: Temporal.PlainDate) => date.toZonedDateTime("UTC").toInstant()
  const cells = columns
    .map(({ name, type }) => sql`${sql.unsafe(textOf(name, type))}`)
    .reduce<Fragment>((all, cell, index) => (index === 0 ? cell : sql`${all}, ${cell}`), sql``)
  return sql<{ cells: (string | null)[] }[]>`
    select array[${cells}] as cells from ${viewOf(sql, table)}
    where organization_id = ${organizationId} and ${timeOf(sql, table)} >= ${bound(from)}
      and ${timeOf(sql, table)} < ${bound(from.add({ months: 1 }))}
    order by ${timeOf(sql, table)}`.cursor(rowsPerFile)
}

/** Every cell as text: times as milliseconds, lists as JSON. */
function textOf(name: string, type: string): string {
  const column = `"${name}"`
  if (type === "timestamp with time zone") return `floor(extract(epoch from ${column}) * 1000)::bigint::text`
  return type.endsWith("[]") ? `to_json(${column})::text` : `${column}::text`
}
