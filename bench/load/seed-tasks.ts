import type { Pool } from "#core/database/database.ts"
import type { Id } from "#core/ids.ts"
import { aFlow, aHub, anOrganization, aUser, type Organization, type Person } from "#samples/builders.ts"

export interface SeededTasks {
  org: Organization
  hubs: { id: Id<"hub"> }[]
  flows: { id: string; name: string }[]
  workers: Person[]
  count: number
}

const hubCount = 10
const flowCount = 8

/**
 * An organization with tasks of two years: ten hubs, eight flows, a worker for every 5,000 tasks (at least
 * twenty), nine of ten tasks done, 1 % nobody's. Times lie apart by the same step whatever the count is, so a
 * range of days matches as many tasks in every organization that is large enough to fill it.
 */
export async function seedTasks(sql: Pool, count: number): Promise<SeededTasks> {
  const org = await anOrganization(sql)
  const hubs = []
  for (let index = 0; index < hubCount; index += 1) hubs.push(await aHub(sql, { org }))
  const flows = []
  for (let index = 0; index < flowCount; index += 1) flows.push(await aFlow(sql, { org }))
  const workers: Person[] = []
  for (let index = 0; index < Math.max(20, Math.floor(count / 5_000)); index += 1)
    workers.push(
      await aUser(sql, {
        org,
        hubs,
        permissions: ["view/task", "do/task", "view/task/only-me"],
      }),
    )
  const stepSeconds = 60
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename = 'tasks' and indexname not like '%_pkey'`
  const session = await sql.reserve()
  // Loaded without indexes and triggers, which are put back or done by hand below: minutes become seconds.
  await session.unsafe(
    "set statement_timeout = 0; set session_replication_role = replica; set work_mem = '64MB'",
  )
  for (const { name } of indexes) await session.unsafe(`drop index ${name}`)
  for (let from = 0; from < count; from += 50_000) {
    const to = Math.min(count, from + 50_000)
    await session.unsafe(
      `insert into tasks (organization_id, id, hub_id, flow_id, flow, status, title, content, label, assignee, assigned_by,
        assigned_time, start_time, end_time, created_time, updated_time, created_by, created_from, done_by, done_time,
        order_index, ref_id, routing_result_id, lng, lat, "values", attributes)
      select $1, lpad(to_hex((extract(epoch from at))::bigint), 8, '0') || lpad(to_hex(n), 16, '0'),
        ($2::text[])[1 + n % $10], ($3::text[])[1 + (n / 7) % $11], ($4::text[])[1 + (n / 7) % $11],
        case when n % 100 = 0 then 'UNASSIGNED' when n % 100 < 10 then 'ONGOING' else 'DONE' end,
        'Visit ' || n || ' ' || (array['Harbour','Mill','Station','Market','Chapel'])[1 + n % 5],
        'Street ' || n % 9973, case when n % 500 = 3 then 'urgent' else 'routine' end,
        case when n % 100 = 0 then '{}' else array[($5::text[])[1 + (n / 3) % $12]] end, $6, at,
        at + interval '1 hour', at + interval '25 hours', at, at + interval '2 hours', $6, 'API',
        case when n % 100 >= 10 then ($5::text[])[1 + (n / 3) % $12] end,
        case when n % 100 >= 10 then at + interval '2 hours' end,
        extract(epoch from at) * 100000, 'ref-' || n, case when n % 1000 = 1 then lpad(to_hex(n / 200000), 24, '0') end,
        4 + (n % 1000) / 1000.0, 51 + (n % 997) / 997.0,
        jsonb_build_object('siteName', 'Visit ' || n, 'phone', '+31 20 ' || n, 'street', 'Street ' || n % 9973, 'notes',
          'Ring twice, then go round the back', 'floor', n % 12, 'paid', n % 3 = 0),
        jsonb_build_object('doneOrder', n % 12, 'isLastDoneOrder', false, 'useGeoLock', false)
      from (select n, now() - make_interval(secs => (($9 - n) * $13)::double precision) as at
        from generate_series($7::int, $8::int - 1) n) numbered`,
      [
        org.id,
        hubs.map((hub) => hub.id),
        flows.map((flow) => flow.id),
        flows.map((flow) => flow.name),
        workers.map((worker) => worker.email),
        org.owner.email,
        from,
        to,
        count,
        hubCount,
        flowCount,
        workers.length,
        stepSeconds,
      ],
    )
  }
  for (const { definition } of indexes) await session.unsafe(definition)
  await session`
    insert into task_counts (organization_id, hub_id, flow_id, flow, status, task_type, count)
    select organization_id, hub_id, flow_id, flow, status, task_type, count(*) from tasks
    where organization_id = ${org.id} group by 1, 2, 3, 4, 5, 6`
  await session.unsafe("reset statement_timeout; reset session_replication_role; reset work_mem")
  session.release()
  return { org, hubs, flows, workers, count }
}

/** As the database is after a night: statistics and visibility maps are fresh, counts are folded. */
export async function settle(sql: Pool): Promise<void> {
  const session = await sql.reserve()
  await session.unsafe("set statement_timeout = 0")
  await session.unsafe(`
    with folded as (delete from task_count_changes returning *)
    insert into task_counts (organization_id, hub_id, flow_id, flow, status, task_type, count)
    select organization_id, hub_id, flow_id, flow, status, task_type, sum(change) from folded group by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, hub_id, flow_id, flow, status, task_type)
    do update set count = task_counts.count + excluded.count`)
  for (const table of ["tasks", "task_histories", "task_counts", "task_count_changes"])
    await session.unsafe(`vacuum analyze ${table}`)
  await session.unsafe("reset statement_timeout")
  session.release()
}
