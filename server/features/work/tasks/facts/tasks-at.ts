import type { Caller } from "#core/access/caller.ts"
import { doneLateAfter, earlierRows, tasksDoneLate, tasksThatLeft } from "#core/audit-trail/earlier-rows.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { inSightOf } from "../queries.ts"

/**
 * JSON texts, written by PostgreSQL: objects of thousands of tasks for one response cost the server ten times as much as the
 * statement's own work.
 */
interface TasksAt {
  /** An array of `_id` and the fields that were asked for. */
  tasks: string
  /** An array of `email` and `taskIds`: the open tasks of each person in their planned order, those without one last. */
  routes: string
  /** There were more than `maxTasks`. */
  isPart: boolean
}

/** Fields of a past task, by the column of each. */
const columns = {
  ...{ title: "title", hubId: "hub_id", status: "status", assignee: "assignee", orderIndex: "order_index" },
  ...{ startTime: "start_time", endTime: "end_time", lat: "lat", lon: "lng" },
} as const
type PastTaskField = keyof typeof columns

export function isPastTaskField(name: string): name is PastTaskField {
  return Object.hasOwn(columns, name)
}

/** Open tasks from before the day are listed if their window ended at most so many hours before it. */
const openBeforeHours = 24
/** Windows that end later are found by the index of long ones: it has those of more than so many hours. */
const longWindowHours = 7 * 24

interface Moment {
  at: Temporal.Instant
  hubIds: readonly string[] | undefined
  maxTasks: number
  /** Writing all of them takes a third of the statement's time. Undefined: all. */
  fields: readonly PastTaskField[] | undefined
}

/**
 * The tasks of a moment's day as they were then, that the caller sees by the hubs and teams of today: those that started
 * within the day, and open ones from before. They are the rows as they are with every change since taken back. More than `maxTasks`: the earliest.
 */
export async function tasksAt(sql: Sql, caller: Caller, moment: Moment): Promise<TasksAt> {
  const { at, hubIds, maxTasks } = moment
  const { organizationId } = caller
  const first = at.toZonedDateTimeISO(caller.timeZone).startOfDay()
  const [from, until] = [first.toInstant(), first.add({ days: 1 }).toInstant()]
  const openSince = from.subtract({ hours: openBeforeHours })
  const lastEnd = until.add({ hours: longWindowHours })
  const changes = { organizationId, type: "task", at }
  const values = sql.unsafe(["assignee", ...Object.keys(types)].join(", "))
  const fields = moment.fields ?? Object.keys(columns).filter(isPastTaskField)
  const ofRoutes = ["id", "assignee", "status", "order_index", "start_time"]
  const used = sql.unsafe([...new Set([...ofRoutes, ...fields.map((name) => columns[name])])].join(", "))
  // One by one by their key, whatever the planner expects of many: it would rather read every task.
  const taskOf = (id: Fragment) => sql`
    lateral (select ${values} from tasks where organization_id = ${organizationId} and tasks.id = ${id} offset 0) task`
  const [found] = await sql<TasksAt[]>`
    with day as materialized (
      select id, ${values} from tasks
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
    ), earlier as materialized (
      ${earlierRows(
        sql,
        changes,
        sql`(select array_agg(id order by id) from (
          select id from day union all select id from older union all select id from gone) ids)::text[]`,
      )}
    ), present as (
      select * from day
      union all
      select id, ${values} from (
        select id from older where status <> 'DONE' or id in (select id from earlier)) open cross join ${taskOf(sql`open.id`)}
      union all
      select id, ${values} from gone left join ${taskOf(sql`gone.id`)} on true
      where start_time is null or start_time >= ${until} or (start_time < ${from} and end_time < ${openSince})
    ), past as (
      -- A full join is always by hash or order: with wrong estimates a left one would compare each task with each change.
      -- Each value is found once for all conditions.
      select id, ${valuesThen(sql)} from present full join earlier using (id) where is_new is not true offset 0
    ), shown as (
      select ${used} from past
      where task_type = 'task' and ${inSightOf(sql, caller, sql`past`)}
        ${hubIds ? sql`and hub_id = any (${[...hubIds]})` : sql``}
        and start_time < ${until}
        and (start_time >= ${from} or (status <> 'DONE' and end_time >= ${openSince}))
      order by past.start_time, id limit ${maxTasks + 1}
    )
    select
      (select coalesce(json_agg(task), '[]')::text from (
        select id as "_id"${fieldsOf(sql, fields)} from shown limit ${maxTasks}) task) as tasks,
      (select coalesce(json_agg(route), '[]')::text from (
        select email, array_agg(id order by order_index, start_time, id) as "taskIds" from shown, unnest(assignee) email
        where status = 'ONGOING' group by email) route) as routes,
      (select count(*) > ${maxTasks} from shown) as is_part`
  return found ?? { tasks: "[]", routes: "[]", isPart: false }
}

function fieldsOf(sql: Sql, fields: readonly PastTaskField[]): Fragment {
  const expressionOf = (name: PastTaskField) =>
    name.endsWith("Time") ? `date_trunc('second', ${columns[name]})` : columns[name]
  return sql.unsafe(fields.map((name) => `, ${expressionOf(name)} as "${name}"`).join(""))
}

const types = {
  ...{ title: "text", hub_id: "text", status: "text", task_type: "text" },
  ...{
    order_index: "float8",
    lat: "float8",
    lng: "float8",
    start_time: "timestamptz",
    end_time: "timestamptz",
  },
}

/** The columns of tasks, each as it is or as the changes since the moment say that it was. */
function valuesThen(sql: Sql): Fragment {
  return Object.entries(types).reduce(
    (all, [column, type]) =>
      sql`${all}, case when before ? ${column} then (before ->> ${column})::${sql.unsafe(type)} else ${sql(column)} end as ${sql(column)}`,
    sql`case when before ? 'assignee' then array(select jsonb_array_elements_text(before -> 'assignee')) else assignee end as assignee`,
  )
}
