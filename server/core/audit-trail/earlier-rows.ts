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
    select object.id, bool_or(part.change = 'create') as is_new,
      coalesce(jsonb_object_agg(part.key, part.value) filter (where part.key is not null), '{}') as before
    from unnest(${[...ids]}::text[]) as object (id)
    cross join lateral (
      select distinct on (field.key) parts.change, field.key, parts.before -> field.key as value
      from audit_parts parts
      left join unnest(${[...columns]}::text[]) as field (key) on parts.before ? field.key
      where parts.organization_id = ${organizationId} and parts.object_id = object.id and parts.object_type = ${type}
        and parts.time > ${at}
      order by field.key, parts.number
    ) as part
    group by object.id`
  return new Map(rows.map((row) => [row.id, row]))
}
