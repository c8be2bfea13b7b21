import type { Sql, Tx } from "#core/database/database.ts"
import type { ParquetTable } from "./tables.ts"

export interface ParquetFile {
  table: ParquetTable
  month: string
  part: number
  key: string
  state: string
  rows: number
  bytes: number
  writtenTime: Temporal.Instant
}

export function listParquetFiles(
  sql: Sql,
  organizationId: string,
  { table, limit, offset }: { table?: string | undefined; limit: number; offset: number },
): Promise<ParquetFile[]> {
  return sql<ParquetFile[]>`
    select "table", month, part, key, state, rows, bytes, written_time from parquet_files
    where organization_id = ${organizationId} ${table === undefined ? sql`` : sql`and "table" = ${table}`}
    order by "table", month, part limit ${limit} offset ${offset}`
}

export async function countParquetFiles(sql: Sql, organizationId: string, table: string | undefined) {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from parquet_files
    where organization_id = ${organizationId} ${table === undefined ? sql`` : sql`and "table" = ${table}`}`
  return row?.count ?? 0
}

/** The states of the months that are written. */
export async function statesOf(
  sql: Sql,
  organizationId: string,
  table: ParquetTable,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ month: string; state: string }[]>`
    select distinct month, state from parquet_files where organization_id = ${organizationId} and "table" = ${table}`
  return new Map(rows.map(({ month, state }) => [month, state]))
}

/** Puts the files of a month in place of those before. Returns the keys that are no longer used. */
export async function replaceMonth(
  tx: Tx,
  organizationId: string,
  { table, month }: Pick<ParquetFile, "table" | "month">,
  files: readonly ParquetFile[],
): Promise<string[]> {
  const gone = await tx<{ key: string }[]>`
    delete from parquet_files
    where organization_id = ${organizationId} and "table" = ${table} and month = ${month} returning key`
  for (const { part, key, state, rows, bytes, writtenTime } of files)
    await tx`
      insert into parquet_files (organization_id, "table", month, part, key, state, rows, bytes, written_time)
      values (${organizationId}, ${table}, ${month}, ${part}, ${key}, ${state}, ${rows}, ${bytes}, ${writtenTime})`
  return gone.map(({ key }) => key)
}
