import type { Sql } from "#core/database/database.ts"

/** A table as far as Citus asks for it. Partitions are part of their table. */
export interface CatalogTable {
  name: string
  columns: string[]
  triggers: string[]
  /** Primary keys, unique and exclusion constraints, and unique indexes. */
  uniques: { name: string; columns: string[] }[]
  foreignKeys: ForeignKey[]
}

interface ForeignKey {
  name: string
  columns: string[]
  target: string
  targetColumns: string[]
}

export async function readCatalog(sql: Sql): Promise<CatalogTable[]> {
  return sql<CatalogTable[]>`
    select c.relname as name,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped order by attnum) as columns,
      array(select tgname::text from pg_trigger where tgrelid = c.oid and not tgisinternal order by 1) as triggers,
      coalesce((select jsonb_agg(jsonb_build_object('name', i.relname, 'columns', ${columnsOf(sql, "x.indrelid", "x.indkey::int2[]")}) order by i.relname)
        from pg_index x join pg_class i on i.oid = x.indexrelid
        where x.indrelid = c.oid and (x.indisunique or x.indisexclusion)), '[]') as uniques,
      coalesce((select jsonb_agg(jsonb_build_object('name', k.conname, 'columns', ${columnsOf(sql, "k.conrelid", "k.conkey")},
          'target', t.relname, 'targetColumns', ${columnsOf(sql, "k.confrelid", "k.confkey")}) order by k.conname)
        from pg_constraint k join pg_class t on t.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f'), '[]') as foreign_keys
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`
}

/** Names of a table's columns in the order of an array of their numbers; expressions have none. */
function columnsOf(sql: Sql, table: "x.indrelid" | "k.conrelid" | "k.confrelid", numbers: string) {
  return sql`(select coalesce(jsonb_agg(a.attname order by place), '[]') from unnest(${sql.unsafe(numbers)}) with ordinality u (n, place)
    join pg_attribute a on a.attrelid = ${sql(table)} and a.attnum = u.n)`
}
