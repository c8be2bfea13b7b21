import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { visibleTasks } from "../../work/tasks/index.ts"
import type { Span } from "./days.ts"

export interface DashboardFilter {
  hubId: string
  flows?: readonly string[]
  flowIds?: readonly string[]
  assignee?: string
}

/** The work that a caller sees in one hub. An activity is counted by its steps. */
function tasksOf(sql: Sql, caller: Caller, filter: DashboardFilter): Fragment {
  return sql`${visibleTasks(sql, caller)} and tasks.hub_id = ${filter.hubId.toLowerCase()} and task_type <> 'activityMaster'
    ${filter.flows?.length ? sql`and flow = any (${filter.flows as string[]})` : sql``}
    ${filter.flowIds?.length ? sql`and flow_id = any (${filter.flowIds.map((id) => id.toLowerCase())})` : sql``}
    ${filter.assignee ? sql`and assignee @> array[${filter.assignee.toLowerCase()}]::text[]` : sql``}`
}

function startingIn(sql: Sql, { from, until }: Span): Fragment {
  return sql`start_time >= ${from} and start_time < ${until}`
}

export interface CurrentActivities {
  created: number
  unassign: number
  ongoing: number
  done: number
  expiredSoon: number
}

export async function countCurrent(
  sql: Sql,
  caller: Caller,
  filter: DashboardFilter,
  { from, until }: Span,
  now: Temporal.Instant,
): Promise<CurrentActivities> {
  const own = tasksOf(sql, caller, filter)
  const count = (condition: Fragment) => sql`(select count(*) from tasks where ${own} and ${condition})`
  const rows = await sql<CurrentActivities[]>`
    select ${count(sql`created_time >= ${from} and created_time < ${until}`)} as created,
      ${count(sql`status = 'UNASSIGNED' and end_time >= ${now}`)} as unassign,
      ${count(sql`status = 'ONGOING'`)} as ongoing,
      ${count(sql`done_time >= ${from} and done_time < ${until}`)} as done,
      ${count(sql`status <> 'DONE' and end_time >= ${from} and end_time < ${until}`)} as expired_soon`
  return rows[0] ?? { created: 0, unassign: 0, ongoing: 0, done: 0, expiredSoon: 0 }
}

export function countByDay(
  sql: Sql,
  caller: Caller,
  filter: DashboardFilter,
  span: Span,
  timeZone: string,
): Promise<{ day: string; flow: string; total: number }[]> {
  return sql`
    select to_char(start_time at time zone ${timeZone}, 'YYYY-MM-DD') as day, flow, count(*) as total
    from tasks where ${tasksOf(sql, caller, filter)} and ${startingIn(sql, span)}
    group by 1, 2 order by 1, 2`
}

export function countByPerson(
  sql: Sql,
  caller: Caller,
  filter: DashboardFilter,
  span: Span,
): Promise<{ assignee: string; assigned: number; ongoing: number; done: number }[]> {
  return sql`
    select person as assignee, count(*) as assigned, count(*) filter (where status = 'ONGOING') as ongoing,
      count(*) filter (where status = 'DONE') as done
    from tasks, unnest(assignee) as person
    where ${tasksOf(sql, caller, filter)} and ${startingIn(sql, span)}
      ${filter.assignee ? sql`and person = ${filter.assignee.toLowerCase()}` : sql``}
    group by person order by count(*) desc, person`
}

export function countByStatus(
  sql: Sql,
  caller: Caller,
  filter: DashboardFilter,
  span: Span,
): Promise<{ status: string; total: number }[]> {
  return sql`
    select status, count(*) as total from tasks
    where ${tasksOf(sql, caller, filter)} and ${startingIn(sql, span)} group by status order by status`
}

/** Members of the hub, owners included, and how many of them have work in the span. */
export async function countPeople(
  sql: Sql,
  caller: Caller,
  filter: DashboardFilter,
  span: Span,
): Promise<{ allUser: number; activeUser: number }> {
  const rows = await sql<{ allUser: number; activeUser: number }[]>`
    with members as (
      select users.email from users
      join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
      where users.organization_id = ${caller.organizationId} and users.status = 'active'
        ${filter.assignee ? sql`and users.email = ${filter.assignee.toLowerCase()}` : sql``}
        and ((roles.is_default and roles.name = 'owner') or exists (select from user_hubs h
          where h.organization_id = users.organization_id and h.user_id = users.id and h.hub_id = ${filter.hubId.toLowerCase()}))
    ), busy as (
      select distinct person from tasks, unnest(assignee) as person
      where ${tasksOf(sql, caller, filter)} and ${startingIn(sql, span)}
    )
    select count(*) as all_user, count(*) filter (where email in (select person from busy)) as active_user from members`
  return rows[0] ?? { allUser: 0, activeUser: 0 }
}
