import type { TestApp } from "./test-app.ts"

/** The tables in which any of the texts is readable. */
export async function findInDatabase(
  { sql }: Pick<TestApp, "sql">,
  texts: readonly string[],
): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and (n.nspname = 'public' or c.relname = '_private_jobs') and not c.relispartition`
  const found: string[] = []
  for (const { name } of tables) {
    const table = name === "_private_jobs" ? "graphile_worker._private_jobs" : `public.${name}`
    for (const text of texts) {
      const rows = await sql.unsafe(`select 1 from ${table} t where strpos(t::text, $1) > 0 limit 1`, [text])
      if (rows.length > 0) found.push(table)
    }
  }
  return found
}
