import type { Fragment, Sql } from "../database/database.ts"

interface Earlier {
  organizationId: string
  type: string
  at: Temporal.Instant
}

/**
 * Rows of `id`, `is_new` (created after the moment) and `before`, for objects that changed since: the columns that changed, as
 * they were; of a deleted object all of them. `ids` is an array in order.
 */
export function earlierRows(sql: Sql, { organizationId, type, at }: Earlier, ids: Fragment): Fragment {
  // The oldest change after the moment counts, so it is merged last.
  return sql`
    select object_id as id, bool_or(change = 'create') as is_new, jsonb_merge(before order by number desc) as before
    from audit_parts
    where organization_id = ${organizationId} and object_type = ${type} and time > ${at} and object_id = any (${ids})
    group by object_id`
}

/**
 * Rows of `id`: tasks that were deleted, or changed their time window or hub, after a moment. `before` narrows them by the
 * values that such a change replaced; where it changed only some of them the others are null.
 */
export function tasksThatLeft(
  sql: Sql,
  { organizationId, at }: Omit<Earlier, "type">,
  before: (value: (column: "start_time" | "end_time") => Fragment) => Fragment,
): Fragment {
  const value = (column: "start_time" | "end_time") => sql`(before ->> ${column})::timestamptz`
  // The partial index of these changes has the conditions as they stand here.
  return sql`
    select distinct object_id as id from audit_parts
    where organization_id = ${organizationId} and time > ${at} and object_type = 'task'
      and (change = 'delete' or before ? 'start_time' or before ? 'end_time' or before ? 'hub_id')
      and ${before(value)}`
}
