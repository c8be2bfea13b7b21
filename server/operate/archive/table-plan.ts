import type { Sql } from "#core/database/database.ts"

export interface PlannedTable {
  schema: string
  name: string
  /** What COPY moves: all but generated columns. */
  columns: string[]
  /** Columns that hold transaction ids of the database they were written in, hence of no other. */
  transactionColumns: string[]
}

/** The tables of the job queue that hold waiting work; its other tables are made by its own migrations. */
const queueTables = ["_private_tasks", "_private_job_queues", "_private_jobs"]

/**
 * Rows that mean nothing in another database: applied migrations (in the manifest), heartbeats, and the live
 * events of the last minutes, whose readers start over.
 */
const leftOut = new Set(["schema_migrations", "worker_heartbeats", "live_events"])

/** Parents that a trigger checks where no foreign key does. */
const checkedByTriggers: Record<string, string[]> = { data_records: ["data_types", "hubs"] }

/** Every table with its columns, parents before those that refer to them. */
export async function planTables(sql: Sql): Promise<PlannedTable[]> {
  const rows = await sql<(PlannedTable & { parents: string[] })[]>`
    select n.nspname as schema, c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'xid8'::regtype) as transaction_columns,
      array(select distinct p.relname::text from pg_constraint k join pg_class p on p.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and p.oid <> c.oid) as parents
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition
      -- Tables of addresses that are being built: they become partitions later.
      and c.relname !~ '^place_(entries|words|houses|lines|crossings)_[0-9]+$'
      and (n.nspname = 'public' or (n.nspname = 'graphile_worker' and c.relname = any (${queueTables})))
    order by n.nspname desc, c.relname`
  const kept = rows.filter((row) => !leftOut.has(row.name))
  return parentsFirst(
    kept.map((row) => ({ ...row, parents: [...row.parents, ...(checkedByTriggers[row.name] ?? [])] })),
  )
}

function parentsFirst(tables: readonly (PlannedTable & { parents: string[] })[]): PlannedTable[] {
  const names = new Set(tables.map((table) => table.name))
  const placed = new Set<string>()
  const order: PlannedTable[] = []
  while (order.length < tables.length) {
    const ready = tables.filter(
      ({ name, parents }) =>
        !placed.has(name) && parents.every((parent) => placed.has(parent) || !names.has(parent)),
    )
    if (ready.length === 0) throw new Error("The tables reference each other in a cycle")
    for (const { parents: _parents, ...table } of ready) {
      placed.add(table.name)
      order.push(table)
    }
  }
  return order
}

export function qualified(table: { schema: string; name: string }): string {
  return `"${table.schema}"."${table.name}"`
}

export function columnList(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ")
}

/** Values of the sequences that were used. Not part of any snapshot: read after it they are never too small. */
export async function readSequences(sql: Sql) {
  return sql<{ schema: string; name: string; value: number }[]>`
    select schemaname as schema, sequencename as name, last_value as value from pg_sequences
    where schemaname in ('public', 'graphile_worker') and last_value is not null order by 1, 2`
}

/** First days of the months that have a partition of location points. */
export async function readLocationMonths(sql: Sql): Promise<string[]> {
  const rows = await sql<{ month: string }[]>`
    select substring(c.relname from '\\d{4}(?=\\d{2}$)') || '-' || right(c.relname, 2) || '-01' as month
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'location_points'::regclass and c.relname ~ '^location_points_\\d{6}$' order by 1`
  return rows.map((row) => row.month)
}
