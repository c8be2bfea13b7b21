import type { Caller } from "#core/access/caller.ts"
import { doneLateAfter, tasksDoneLate, tasksThatLeft } from "#core/audit-trail/earlier-rows.ts"
import type { Fragment, Sql } from "#core/database/database.ts"

/** JSON texts: going through objects and the schema of the response costs the server more than finding the tasks. */
export interface TasksAt {
  /** An array of `_id` and the fields that were asked for. */
  tasks: string
  /** An array of `email` and `taskIds`: the open tasks of each person in their planned order, those without one last. */
  routes: string
  /** There were more than `maxTasks`. */
  isPart: boolean
}

/** Fields of a past task, by the column of each. */
export const columnOf = {
  ...{ title: "title", hubId: "hub_id", status: "status", assignee: "assignee", orderIndex: "order_index" },
  ...{ startTime: "start_time", endTime: "end_time", lat: "lat", lon: "lng" },
} as const
export type PastTaskField = keyof typeof columnOf

export const pastTaskFields = Object.keys(columnOf) as PastTaskField[]

export function isPastTaskField(name: string): name is PastTaskField {
  return Object.hasOwn(columnOf, name)
}

export interface Moment {
  at: Temporal.Instant
  hubIds: readonly string[] | undefined
  maxTasks: number
  /** Writing all of them takes a third of the statement's time. Undefined: all. */
  fields: readonly PastTaskField[] | undefined
}

/** Open tasks from before the day are listed if their window ended at most so many hours before it. */
const openBeforeHours = 24
/** Windows that end later are found by the index of long ones: it has those of more than so many hours. */
const longWindowHours = 7 * 24

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

/** The types of the columns that a past task has beside `assignee`. */
export const typeOfColumn = {
  ...{ title: "text", hub_id: "text", status: "text", task_type: "text" },
  ...{ order_index: "float8", lat: "float8", lng: "float8" },
  ...{ start_time: "timestamptz", end_time: "timestamptz" },
}
export const columnsOfTasks = ["assignee", ...Object.keys(typeOfColumn)]

/**
 * Common table expressions with the tasks that a moment of the day may show: `day`, `older` and `gone`, and `ids` of all of
 * them. Those of a moment contain those of later moments of the day.
 */
export function rowsOfDay(
  sql: Sql,
  organizationId: string,
  { at, from, until, openSince }: Day & { at: Temporal.Instant },
): Fragment {
  const changes = { organizationId, at }
  const lastEnd = until.add({ hours: longWindowHours })
  return sql`
    day as materialized (
      select id, ${sql.unsafe(columnsOfTasks.join(", "))} from tasks
      where organization_id = ${organizationId} and start_time >= ${from} and start_time < ${until}
    ), late as materialized (
      ${tasksDoneLate(sql, changes)}
    ), older as materialized (
      -- Read from the index alone; without what was done by then, which is most of it.
      select id, status from tasks
      where organization_id = ${organizationId} and start_time < ${from} and end_time >= ${openSince} and end_time < ${lastEnd}
        and (status <> 'DONE' or (done_time <= ${at.subtract(doneLateAfter)}) is not true or id in (select id from late))
      union all
      -- The condition of the index of long windows, which is small.
      select id, status from tasks
      where organization_id = ${organizationId} and start_time < ${from} and end_time >= ${lastEnd}
        and end_time - start_time > interval '7 days'
    ), gone as materialized (
      ${tasksThatLeft(sql, changes, { from, until, openSince })}
    ), ids as (
      select id from day union all select id from older union all select id from gone
    )`
}

/** Those tasks as they are, given their changes since the moment in `earlier`; of a deleted one only its id. */
export function presentRows(sql: Sql, organizationId: string, { from, until, openSince }: Day): Fragment {
  const values = sql.unsafe(columnsOfTasks.join(", "))
  // One by one by their key, whatever the planner expects of many: it would rather read every task.
  const taskOf = (id: Fragment) => sql`
    lateral (select ${values} from tasks where organization_id = ${organizationId} and tasks.id = ${id} offset 0) task`
  return sql`
    select * from day
    union all
    select id, ${values} from (
      select id from older where status <> 'DONE' or id in (select id from earlier)) open cross join ${taskOf(sql`open.id`)}
    union all
    select id, ${values} from gone left join ${taskOf(sql`gone.id`)} on true
    where start_time is null or start_time >= ${until} or (start_time < ${from} and end_time < ${openSince})`
}
