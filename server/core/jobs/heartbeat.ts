import type { Sql } from "../database/database.ts"

/**
 * The queue library holds the locks of a worker that died for four hours. So workers say every few seconds
 * that they live, and any node frees what belongs to those that have been silent. Times are the database's
 * own: a node with a wrong clock does no harm.
 */
export const silenceSeconds = 20

export async function heartbeat(sql: Sql, workerIds: readonly string[]): Promise<void> {
  if (workerIds.length === 0) return
  await sql`
    insert into worker_heartbeats (worker_id, seen_at)
    select worker_id, now() from unnest(${workerIds as string[]}::text[]) as alive (worker_id)
    on conflict (worker_id) do update set seen_at = excluded.seen_at`
}

/** A worker that has ended on its own. */
export async function endHeartbeat(sql: Sql, workerId: string): Promise<void> {
  await sql`delete from worker_heartbeats where worker_id = ${workerId}`
}

/**
 * Unlocks the jobs of silent workers; returns how many workers that were. A worker is known dead when its heartbeat is
 * old, or it never had one and locked its job long ago. The caller's own workers live, however long the database took
 * to receive it: a job that is freed while it runs, and sends its successor under the same key, takes that with it.
 */
export async function freeDeadWorkers(sql: Sql, ownIds: readonly string[] = []): Promise<number> {
  const rows = await sql<{ freed: number }[]>`
    with holding as (
      select locked_by as worker_id, min(locked_at) as locked_at
      from graphile_worker.jobs where locked_by is not null group by locked_by
      union all
      select locked_by, min(locked_at)
      from graphile_worker._private_job_queues where locked_by is not null group by locked_by
    ), dead as (
      select distinct holding.worker_id from holding
      left join worker_heartbeats alive on alive.worker_id = holding.worker_id
      where coalesce(alive.seen_at, holding.locked_at) < now() - make_interval(secs => ${silenceSeconds})
        and holding.worker_id <> all (${ownIds as string[]}::text[])
    ), freed as (
      select graphile_worker.force_unlock_workers(array(select worker_id from dead)) where exists (select from dead)
    ), deleted as (
      delete from worker_heartbeats where seen_at < now() - interval '1 day'
    )
    select (select count(*) from dead where exists (select from freed))::int as freed`
  return rows[0]?.freed ?? 0
}
