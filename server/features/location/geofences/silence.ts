import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import type { Fragment, Sql } from "#core/database/database.ts"
import { toT1 } from "#shared/wire-time.ts"
import { isInSight } from "../positions/index.ts"

export interface SilentPerson {
  organizationId: string
  userId: string
  email: string
  name: string
  hubIds: string[]
  /** Device time of the last position; null if there is none. */
  lastTime: Temporal.Instant | null
  hasOpenSession: boolean
  taskCount: number
  silentAfterSeconds: number
}

/** Late work is still work; what nobody has touched for longer is forgotten rather than in progress. */
const lateHours = 12

/**
 * People who should send positions (an open session, or a task that runs now) and did not for two intervals of
 * their tracking profile, at least two minutes (see `silentAfterSeconds`), counted from their last position or from
 * when that work began, whichever is later. `where` narrows `users`.
 */
export function listSilent(
  sql: Sql,
  now: Temporal.Instant,
  organizationIds: readonly string[],
  where: Fragment = sql`true`,
): Promise<SilentPerson[]> {
  return sql<SilentPerson[]>`
    select organization_id, user_id, email, name, hub_ids, last_time, has_open_session, task_count, silent_after_seconds
    from (
      select users.organization_id, users.id as user_id, users.email, users.name,
        array(select hub_id from user_hubs h where h.organization_id = users.organization_id and h.user_id = users.id) as hub_ids,
        newest.recorded_at as last_time,
        sessions.began_at is not null as has_open_session, least(sessions.began_at, work.began_at) as work_began_at,
        coalesce(work.task_count, 0)::int as task_count,
        greatest(120, coalesce((
          select (detail ->> 'interval')::float8 from jsonb_array_elements(roles.permission_details) as detail
          where detail ->> 'permissionName' = 'view/checkincheckout' and jsonb_typeof(detail -> 'interval') = 'number' limit 1), 3) * 120)::int
          as silent_after_seconds
      from users
      join roles on roles.organization_id = users.organization_id and roles.id = users.role_id
      left join person_positions newest on newest.organization_id = users.organization_id and newest.person_number = users.number
      left join lateral (
        select min(started_at) as began_at from location_sessions s where s.organization_number = newest.organization_number
          and s.person_number = newest.person_number and s.finished_at is null
      ) as sessions on true
      left join (
        select organization_id, email, count(*) as task_count,
          min(greatest(start_time, assigned_time)) as began_at
        from tasks cross join lateral unnest(assignee) as email
        where organization_id = any (${[...organizationIds]}) and status = 'ONGOING' and start_time <= ${now}
          and end_time >= ${now}::timestamptz - ${lateHours} * interval '1 hour' group by 1, 2
      ) as work on work.organization_id = users.organization_id and work.email = users.email
      where users.organization_id = any (${[...organizationIds]}) and users.status = 'active' and ${where}
    ) as person
    where (has_open_session or task_count > 0)
      and greatest(last_time, work_began_at) < ${now}::timestamptz - silent_after_seconds * interval '1 second'
    order by last_time nulls first, lower(name)`
}

/** Those of the caller's organization whom the caller sees. */
export function listVisibleSilent(sql: Sql, caller: Caller, now: Temporal.Instant) {
  return listSilent(sql, now, [caller.organizationId], isInSight(sql, caller))
}

export const SilentPersonSchema = Type.Object(
  {
    userId: Type.String(),
    email: Type.String(),
    name: Type.String(),
    hubIds: Type.Array(Type.String()),
    lastTime: Type.Union([Type.String(), Type.Null()]),
    silentSeconds: Type.Union([Type.Integer(), Type.Null()]),
    silentAfterSeconds: Type.Integer(),
    hasOpenSession: Type.Boolean(),
    taskCount: Type.Integer(),
  },
  { title: "SilentPerson" },
)

export function toWireSilent(silent: SilentPerson, now: Temporal.Instant) {
  const { organizationId: _organizationId, lastTime, ...person } = silent
  return {
    ...person,
    lastTime: lastTime ? toT1(lastTime) : null,
    silentSeconds: lastTime ? Math.round((now.epochMilliseconds - lastTime.epochMilliseconds) / 1000) : null,
  }
}
