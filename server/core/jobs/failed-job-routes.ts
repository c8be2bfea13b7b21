import { Type } from "typebox"
import { AppError } from "../errors.ts"
import type { App } from "../http/types.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "../paging.ts"

const FailedJob = Type.Object(
  {
    _id: Type.String(),
    name: Type.String(),
    attempts: Type.Integer(),
    error: Type.Union([Type.String(), Type.Null()]),
    failedTime: Type.String(),
  },
  { title: "FailedJob" },
)

/** Jobs of the caller's organization that failed for the last time, with the reason, and a way to run them again. */
export function failedJobRoutes(app: App): void {
  app.get(
    "/failed-jobs",
    {
      config: { permission: "edit/organization" },
      schema: {
        tags: ["Jobs"],
        operationId: "listFailedJobs",
        summary: "List background jobs that failed after all retries",
        querystring: Type.Object({ page: ListQuery.page, limit: ListQuery.limit }),
        response: {
          200: Type.Object({
            status: Type.Literal(true),
            message: Type.String(),
            data: PaginatorSchema(FailedJob),
          }),
        },
      },
    },
    async ({ sql, caller, query, address }) => {
      const page = readPage(query, "sys")
      const condition = sql`jobs.attempts >= jobs.max_attempts and jobs.locked_at is null
        and jobs.payload->>'organizationId' = ${caller.organizationId}`
      const rows = await sql<
        { id: string; name: string; attempts: number; error: string | null; failedAt: Temporal.Instant }[]
      >`
        select jobs.id::text, tasks.identifier as name, jobs.attempts, jobs.last_error as error, jobs.updated_at as failed_at
        from graphile_worker._private_jobs jobs join graphile_worker._private_tasks tasks on tasks.id = jobs.task_id
        where ${condition} order by jobs.updated_at desc, jobs.id limit ${page.limit} offset ${page.offset}`
      const counted = await sql<
        { total: number }[]
      >`select count(*) as total from graphile_worker._private_jobs jobs where ${condition}`
      const data = rows.map(({ id, name, attempts, error, failedAt }) => ({
        _id: id,
        name,
        attempts,
        error: error?.split("\n")[0] ?? null,
        failedTime: failedAt.toString(),
      }))
      return {
        status: true as const,
        message: "Success",
        data: paginate(data, counted[0]?.total ?? 0, page, address),
      }
    },
  )

  app.post(
    "/failed-job/:jobId/run",
    {
      config: { permission: "edit/organization" },
      schema: {
        tags: ["Jobs"],
        operationId: "runFailedJob",
        summary: "Retry a failed job",
        params: Type.Object({ jobId: Type.String({ pattern: "^\\d{1,18}$" }) }),
        response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
      },
    },
    async ({ sql, caller, params }) => {
      const own = await sql`
        select 1 from graphile_worker._private_jobs
        where id = ${params.jobId} and attempts >= max_attempts and payload->>'organizationId' = ${caller.organizationId}`
      if (own.length === 0) throw new AppError(404, "sys-033", "A failed job with this id does not exist")
      await sql`select graphile_worker.reschedule_jobs(array[${params.jobId}]::bigint[], run_at => now(), attempts => 0)`
      return { status: true as const, message: "The job has been queued again" }
    },
  )
}
