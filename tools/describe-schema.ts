import type { Sql } from "../server/core/database/database.ts"

/**
 * The migrated schema as SQL, from the catalogues: the packaged PostgreSQL has no pg_dump. Tables with
 * columns and constraints, then indexes, functions and triggers, each in the order of its name, so that the
 * effect of a migration can be reviewed as a difference.
 */
export async function describeSchema(sql: Sql): Promise<string> {
  const parts = [
    await tables(sql),
    await indexes(sql),
    await functions(sql),
    await aggregates(sql),
    await triggers(sql),
  ]
  return `-- Generated from the migrated database by npm run generate. Do not edit.\n\n${parts.flat().join("\n\n")}\n`
}

async function tables(sql: Sql): Promise<string[]> {
  const rows = await sql<
    { name: string; partition: string | null; columns: string[]; constraints: string[] }[]
  >`
    select c.relname as name, case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as partition,
      array(
        select quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
          || case when a.attnotnull then ' not null' else '' end
          || case when a.attidentity <> '' then ' generated always as identity'
             when a.attgenerated <> '' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
             when d.adbin is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid) else '' end
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns,
      array(
        select 'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) from pg_constraint
        where conrelid = c.oid and contype <> 'n' order by contype desc, conname) as constraints
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`
  return rows.map(({ name, partition, columns, constraints }) => {
    const body = [...columns, ...constraints].map((line) => `  ${line}`).join(",\n")
    return `create table ${name} (\n${body}\n)${partition ? ` partition by ${partition.toLowerCase()}` : ""};`
  })
}

async function indexes(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and not t.relispartition
      and not exists (select from pg_constraint where conindid = i.indexrelid)
    order by c.relname`
  return [rows.map((row) => `${row.definition};`).join("\n")]
}

async function functions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_functiondef(p.oid) as definition from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and p.prokind <> 'a' and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    order by p.proname, pg_get_function_identity_arguments(p.oid)`
  return rows.map((row) => `${row.definition.trimEnd()};`)
}

async function aggregates(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select format('create aggregate %s(%s) (sfunc = %s, stype = %s, initcond = %L);', p.proname,
      pg_get_function_identity_arguments(p.oid), a.aggtransfn, format_type(a.aggtranstype, null), a.agginitval) as definition
    from pg_aggregate a join pg_proc p on p.oid = a.aggfnoid join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' order by p.proname`
  return rows.map((row) => row.definition)
}

async function triggers(sql: Sql): Promise<string[]> {
  const rows = await sql<{ definition: string }[]>`
    select pg_get_triggerdef(t.oid) as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and not t.tgisinternal and not c.relispartition order by c.relname, t.tgname`
  return [rows.map((row) => `${row.definition};`).join("\n")]
}
