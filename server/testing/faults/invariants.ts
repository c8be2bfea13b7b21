import assert from "node:assert/strict"
import { setTimeout as pause } from "node:timers/promises"
import type { Pool } from "#core/database/database.ts"
import { checkPayload } from "#core/jobs/define-job.ts"
import { jobs } from "../../jobs.ts"
import type { World } from "./world.ts"

/** Where an operation takes place. */
export interface Place {
  org: { id: string }
}

/**
 * What holds after every fault, whatever the operation: nothing is open or locked in the database, counters equal what
 * they count, the queue holds what its jobs take, and no file is without a row or row without its file.
 */
export async function checkInvariants(
  { sql, store }: World,
  { org }: Place,
  { isSettled }: { isSettled: boolean },
): Promise<void> {
  await assertNothingOpen(sql)
  await assertCounters(sql, org.id)
  await assertQueue(sql)
  const keys = new Set(await Array.fromAsync(store.list(org.id)))
  await assertFiles(sql, org.id, keys, isSettled)
}

/** A connection that was cut leaves its transaction to PostgreSQL, which notices within a moment. */
async function assertNothingOpen(sql: Pool): Promise<void> {
  const until = performance.now() + 5_000
  for (;;) {
    const open = await sql<{ state: string; query: string }[]>`
      select state, left(query, 200) as query from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and (state like 'idle in transaction%' or state = 'active')
      union all
      select 'advisory lock', locktype from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`
    if (open.length === 0) return
    if (performance.now() > until) assert.deepEqual([...open], [], "left open in the database")
    await pause(10)
  }
}

async function assertCounters(sql: Pool, organizationId: string): Promise<void> {
  const wrong = await sql`
    with counted as (
      select hub_id, flow_id, flow, status, task_type, sum(count) as count from (
        select hub_id, flow_id, flow, status, task_type, count from task_counts where organization_id = ${organizationId}
        union all
        select hub_id, flow_id, flow, status, task_type, change from task_count_changes
        where organization_id = ${organizationId}) parts
      group by 1, 2, 3, 4, 5 having sum(count) <> 0
    ), plain as (
      select hub_id, flow_id, flow, status, task_type, count(*) from tasks where organization_id = ${organizationId}
      group by 1, 2, 3, 4, 5
    )
    (table counted except table plain) union all (table plain except table counted)`
  assert.deepEqual([...wrong], [], "task counts differ from a plain count")
  const records = await sql`
    with counted as (
      select data_type_id, sum(count) as count from (
        select data_type_id, count from data_counts where organization_id = ${organizationId} and field_id = ''
        union all
        select data_type_id, change from data_count_changes where organization_id = ${organizationId} and field_id = '') parts
      group by 1 having sum(count) <> 0
    ), plain as (
      select data_type_id, count(*) from data_records where organization_id = ${organizationId} group by 1
    )
    (table counted except table plain) union all (table plain except table counted)`
  assert.deepEqual([...records], [], "record counts differ from a plain count")
  const points = await sql`
    select counted.count, plain.count as plain from organizations
    cross join lateral (select coalesce(sum(change), 0)::int as count from (
      select change from location_count_changes where organization_number = organizations.number
      union all select count from location_counts where organization_number = organizations.number) parts) counted
    cross join lateral (select count(*)::int from location_points where organization_number = organizations.number) plain
    where organizations.id = ${organizationId} and counted.count <> plain.count`
  assert.deepEqual([...points], [], "position counts differ from a plain count")
}

async function assertQueue(sql: Pool): Promise<void> {
  const queued = await sql<{ name: string; payload: unknown }[]>`
    select tasks.identifier as name, jobs.payload from graphile_worker._private_jobs jobs
    join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id`
  for (const { name, payload } of queued) {
    const job = jobs.find((candidate) => candidate.name === name)
    assert.ok(job, `jobs.ts lists no job ${name}`)
    checkPayload(job, payload)
  }
}

/** Each import rebuilds the template and overwrites the last one. */
const ownerless = /^[0-9a-f]{24}\/templates\//

async function assertFiles(
  sql: Pool,
  organizationId: string,
  keys: ReadonlySet<string>,
  isSettled: boolean,
): Promise<void> {
  const rows = await sql<{ key: string; owner: string }[]>`
    select key, owner from (
      select rows_key as key, 'import' as owner from imports where organization_id = ${organizationId}
      union all select failed_key, 'failed rows of an import' from imports where organization_id = ${organizationId}
      union all select file_key, 'export' from exports where organization_id = ${organizationId}
      union all select file_key, 'archive' from organization_archives where organization_id = ${organizationId}
      union all select script_key, 'plugin' from plugins where organization_id = ${organizationId}
      union all select icon_key, 'icon of a plugin' from plugins where organization_id = ${organizationId}
      union all select certificate_key, 'sign-in' from app_integrations where organization_id = ${organizationId}
      union all select key, 'upload' from file_links where organization_id = ${organizationId}
      union all select key, 'to be removed' from loose_files where organization_id = ${organizationId}
      union all select substring(avatar from ${`(${organizationId}/avatars/[^?]+)`}), 'user' from users where organization_id = ${organizationId}
    ) owners where key is not null`
  const missing = rows.filter(({ key, owner }) => owner !== "to be removed" && !keys.has(key))
  assert.deepEqual(missing, [], "rows refer to files that are not there")
  if (!isSettled) return
  const owned = new Set(rows.map(({ key }) => key))
  const orphans = [...keys].filter((key) => !owned.has(key) && !ownerless.test(key))
  assert.deepEqual(orphans, [], "files that nothing refers to")
}
