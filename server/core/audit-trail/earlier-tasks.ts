import type { Fragment, Sql } from "../database/database.ts"

interface Since {
  organizationId: string
  at: Temporal.Instant
}

/**
 * Rows of `id` and `changes` for tasks that changed since a moment, and until another one: with commas between them, of each change its time in epoch
 * milliseconds, its number, and the columns as they were, or null when the task was created.
 */
export function taskChanges(
  sql: Sql,
  { organizationId, at, until }: Since & { until?: Temporal.Instant | undefined },
  ids: readonly string[],
): Fragment {
  return sql`
    select object_id as id,
      string_agg(concat_ws(',', (date_part('epoch', time) * 1000)::bigint, number, coalesce(before, 'null')), ',') as changes
    from audit_parts
    where organization_id = ${organizationId} and object_type = 'task' and time > ${at} and object_id = any (${[...ids]})
      ${until ? sql`and time <= ${until}` : sql``}
    group by object_id`
}

/** A task that is done now, with a time of its result so long before a moment, was done by then, unless `tasksDoneLate` has it. */
export const doneLateAfter = { minutes: 5 }

/** Rows of `id`: tasks that since the moment were done, or got another time of their result, with a time long before the entry. */
export function tasksDoneLate(sql: Sql, { organizationId, at }: Since): Fragment {
  // The condition of the partial index.
  return sql`
    select object_id as id from audit_parts
    where organization_id = ${organizationId} and time > ${at} and object_type = 'task' and change = 'update'
      and (after ->> 'status' = 'DONE' or after ? 'done_time')
      and (time - audit_instant(after, 'done_time') <= interval '5 minutes') is not true`
}

interface Day {
  /** The day's begin and end. */
  from: Temporal.Instant
  until: Temporal.Instant
  /** What started before the day belongs to it if it was open and ended at or after this. */
  openSince: Temporal.Instant
}

/** Longer windows have an index of their own. It has the same number of days. */
const longWindowHours = 7 * 24

/**
 * Rows of `id`: tasks that belonged to the day of a moment, but have been deleted since or no longer have times of the day. The
 * oldest change of a start since then has the start of that time in `before`. Where only ends changed, one change went from an end
 * that belongs to the day to one before it.
 */
export function tasksThatLeft(
  sql: Sql,
  { organizationId, at }: Since,
  { from, until, openSince }: Day,
): Fragment {
  const since = sql`organization_id = ${organizationId} and time > ${at} and object_type = 'task'`
  const [start, end] = [sql`audit_instant(before, 'start_time')`, sql`audit_instant(before, 'end_time')`]
  const firstStart = openSince.subtract({ hours: longWindowHours })
  // The partial indexes of these changes have the conditions as they stand here.
  return sql`
    select object_id as id from audit_parts
    where ${since} and before ? 'start_time' and ${start} >= ${firstStart} and ${start} < ${until}
      and (${start} >= ${from} or (${end} >= ${openSince}) is not false)
    union
    select object_id from audit_parts
    where ${since} and before ? 'start_time' and time - ${start} > interval '7 days'
      and (${end} - ${start} > interval '7 days') is not false
      and ${start} < ${firstStart} and (${end} >= ${openSince}) is not false
    union
    select object_id from audit_parts
    where ${since} and before ? 'end_time' and not before ? 'start_time' and audit_instant(after, 'end_time') < time
      and audit_instant(after, 'end_time') < ${openSince} and ${end} >= ${openSince}`
}
