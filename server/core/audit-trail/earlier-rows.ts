import type { Sql } from "../database/database.ts"

/** What the audit trail says about an object after a moment. */
export interface EarlierRow {
  id: string
  /** It was created after the moment. */
  isNew: boolean
  /** Columns that changed since, as they were at the moment; of a deleted object all of them. */
  before: Readonly<Record<string, unknown>>
}

/** The objects of a type that were deleted, or changed their day or hub, after a moment; the most recent changes. */
export async function objectsThatLeft(
  sql: Sql,
  organizationId: string,
  at: Temporal.Instant,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select distinct object_id as id from (
      select object_id from audit_parts
      where organization_id = ${organizationId} and time > ${at} and object_type = 'task'
        and (change = 'delete' or before ? 'start_time' or before ? 'end_time' or before ? 'hub_id')
      order by time limit ${limit}
    ) as parts`
  return rows.map(({ id }) => id)
}

/** The values that columns of objects had at a moment, for objects that changed since: the oldest change after it counts. */
export async function earlierRows(
  sql: Sql,
  organizationId: string,
  type: string,
  ids: readonly string[],
  columns: readonly string[],
  at: Temporal.Instant,
): Promise<ReadonlyMap<string, EarlierRow>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<EarlierRow[]>`
    select id, bool_or(change = 'create') as is_new,
      coalesce(jsonb_object_agg(key, value) filter (where key is not null), '{}') as before
    from (
      select distinct on (parts.object_id, field.key) parts.object_id as id, parts.change, field.key, field.value
      from audit_parts parts
      left join lateral jsonb_each(parts.before) as field on field.key = any (${[...columns]}::text[])
      where parts.organization_id = ${organizationId} and parts.object_type = ${type} and parts.time > ${at}
        and parts.object_id = any (${[...ids]}::text[])
      order by parts.object_id, field.key, parts.number
    ) as part
    group by id`
  return new Map(rows.map((row) => [row.id, row]))
}
