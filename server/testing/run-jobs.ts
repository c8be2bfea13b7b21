import { runJob } from "#core/jobs/define-job.ts"
import { jobs } from "../jobs.ts"
import type { TestApp } from "./test-app.ts"

/** Runs every job that is due, and those that they send, one after the other, as a worker would. */
export async function runJobs({ sql, jobContext }: TestApp): Promise<void> {
  for (;;) {
    const due = await sql<{ id: string; name: string; payload: unknown }[]>`
      delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
      where tasks.id = jobs.task_id and jobs.run_at <= now()
      returning jobs.id::text, tasks.identifier as name, jobs.payload`
    if (due.length === 0) return
    for (const { name, payload } of due) {
      const job = jobs.find((candidate) => candidate.name === name)
      if (!job) throw new Error(`jobs.ts lists no job ${name}`)
      await runJob(job, payload, jobContext)
    }
  }
}
