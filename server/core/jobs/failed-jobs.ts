import type { Sql } from "../database/database.ts"
import type { PageOptions } from "../paging.ts"

export interface FailedJobRow {
  id: string
  name: string
  attempts: number
  error: string | null
  failedAt: Temporal.Instant
}

/** Jobs of an organization that have failed for the last time, newest first. */
export async function listFailedJobs(
  sql: Sql,
  organizationId: string,
  page: PageOptions,
): Promise<{ rows: FailedJobRow[]; total: number }> {
  const condition = sql`jobs.attempts >= jobs.max_attempts and jobs.locked_at is null
    and jobs.payload->>'organizationId' = ${organizationId}`
  const rows = await sql<FailedJobRow[]>`
    select jobs.id::text, tasks.identifier as name, jobs.attempts, jobs.last_error as error, jobs.updated_at as failed_at
    from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
    where ${condition} order by jobs.updated_at desc, jobs.id limit ${page.limit} offset ${page.offset}`
  const counted = await sql<{ total: number }[]>`
    select count(*) as total from graphile_worker._private_jobs jobs where ${condition}`
  return { rows, total: counted[0]?.total ?? 0 }
}

/** Queues a failed job again. False when the organization has no such job. */
export async function runFailedJob(sql: Sql, organizationId: string, jobId: string): Promise<boolean> {
  const own = await sql`
    select 1 from graphile_worker._private_jobs
    where id = ${jobId} and attempts >= max_attempts and payload->>'organizationId' = ${organizationId}`
  if (own.length === 0) return false
  await sql`select graphile_worker.reschedule_jobs(array[${jobId}]::bigint[], run_at => now(), attempts => 0)`
  return true
}
