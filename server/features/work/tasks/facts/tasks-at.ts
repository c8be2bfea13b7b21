import type { Caller } from "#core/access/caller.ts"
import { earlierRows } from "#core/audit-trail/earlier-rows.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { inSightOf } from "../queries.ts"
import {
  columnOf,
  dayOf,
  type Moment,
  type PastTaskField,
  pastTaskFields,
  presentRows,
  rowsOfDay,
  type TasksAt,
  typeOfColumn,
} from "./day-rows.ts"
import { tasksInMemory } from "./past-day.ts"
import type { PastDays } from "./past-days.ts"

/**
 * The tasks of a moment's day as they were then, that the caller sees by the hubs and teams of today: those that started
 * within the day, and open ones from before. They are the rows as they are with every change since taken back. More than
 * `maxTasks`: the earliest.
 */
export async function tasksAt(sql: Sql, caller: Caller, days: PastDays, moment: Moment): Promise<TasksAt> {
  // A day that is in memory answers without the database.
  const past = days.find(sql, caller, moment.at)
  return past ? await tasksInMemory(sql, caller, past, moment) : await readTasksAt(sql, caller, moment)
}

async function readTasksAt(sql: Sql, caller: Caller, moment: Moment): Promise<TasksAt> {
  const { at, hubIds, maxTasks } = moment
  const { organizationId } = caller
  const day = dayOf(caller, at)
  const { from, until, openSince } = day
  const fields = moment.fields ?? pastTaskFields
  const ofRoutes = ["id", "assignee", "status", "order_index", "start_time"]
  const used = sql.unsafe([...new Set([...ofRoutes, ...fields.map((name) => columnOf[name])])].join(", "))
  const [found] = await sql<TasksAt[]>`
    with ${rowsOfDay(sql, organizationId, { at, ...day })}, earlier as materialized (
      ${earlierRows(sql, { organizationId, type: "task", at }, sql`(select array_agg(id order by id) from ids)::text[]`)}
    ), present as (
      ${presentRows(sql, organizationId, day)}
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
    name.endsWith("Time") ? `date_trunc('second', ${columnOf[name]})` : columnOf[name]
  return sql.unsafe(fields.map((name) => `, ${expressionOf(name)} as "${name}"`).join(""))
}

/** The columns of tasks, each as it is or as the changes since the moment say that it was. */
function valuesThen(sql: Sql): Fragment {
  return Object.entries(typeOfColumn).reduce(
    (all, [column, type]) =>
      sql`${all}, case when before ? ${column} then (before ->> ${column})::${sql.unsafe(type)} else ${sql(column)} end as ${sql(column)}`,
    sql`case when before ? 'assignee' then array(select jsonb_array_elements_text(before -> 'assignee')) else assignee end as assignee`,
  )
}
