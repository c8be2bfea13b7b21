import type { Caller } from "#core/access/caller.ts"
import { doneLateAfter, tasksDoneLate, tasksThatLeft } from "#core/audit-trail/earlier-tasks.ts"
import type { Sql } from "#core/database/database.ts"

/** Open tasks from before the day are listed if their window ended at most so many hours before it. */
const openBeforeHours = 24
/** Windows that end later are found by the index of long ones: it has those of more than so many hours. */
const longWindowHours = 7 * 24
/** Of a day with more tasks, those that start later are not looked at. */
const maxIds = 100_000

/** The day of a moment, in the time zone of the organization. */
export interface Day {
  from: Temporal.Instant
  until: Temporal.Instant
  /** What started before the day belongs to it while it is open, if it ends at or after this. */
  openSince: Temporal.Instant
}

export function dayOf({ timeZone }: Caller, at: Temporal.Instant): Day {
  const first = at.toZonedDateTimeISO(timeZone).startOfDay()
  const from = first.toInstant()
  return {
    from,
    until: first.add({ days: 1 }).toInstant(),
    openSince: from.subtract({ hours: openBeforeHours }),
  }
}

interface PastIds {
  ids: string[]
  isPart: boolean
}

/** The tasks that a moment of the day may show; with them those of later moments. */
export async function pastIds(
  sql: Sql,
  { organizationId }: Caller,
  at: Temporal.Instant,
  { from, until, openSince }: Day,
): Promise<PastIds> {
  const changes = { organizationId, at }
  const lastEnd = until.add({ hours: longWindowHours })
  const [found] = await sql<{ ids: string[] }[]>`
    with late as materialized (
      ${tasksDoneLate(sql, changes)}
    )
    select array(
      (${tasksThatLeft(sql, changes, { from, until, openSince })})
      union all
      -- The others are read from indexes alone. First those from before the day, without what was done by then, which is most of it.
      select id from tasks
      where organization_id = ${organizationId} and start_time < ${from} and end_time >= ${openSince} and end_time < ${lastEnd}
        and (status <> 'DONE' or (done_time <= ${at.subtract(doneLateAfter)}) is not true or id in (select id from late))
      union all
      -- The condition of the index of long windows, which is small.
      select id from tasks
      where organization_id = ${organizationId} and start_time < ${from} and end_time >= ${lastEnd}
        and end_time - start_time > interval '7 days'
      union all
      (select id from tasks
      where organization_id = ${organizationId} and start_time >= ${from} and start_time < ${until} order by start_time, id)
      limit ${maxIds + 1}) as ids`
  const ids = found?.ids ?? []
  return { ids: [...new Set(ids.slice(0, maxIds))], isPart: ids.length > maxIds }
}
