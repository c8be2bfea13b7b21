import { Type } from "typebox"
import { AppError } from "../errors.ts"
import type { App } from "../http/types.ts"
import { ListQuery, PaginatorSchema, paginate, readPage } from "../paging.ts"
import { listFailedJobs, runFailedJob } from "./failed-jobs.ts"

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
  app.get("/failed-jobs", {
    config: { permission: "edit/organization" },
    schema: {
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
    async handler({ sql, caller, query, address }) {
      const page = readPage(query, "sys")
      const { rows, total } = await listFailedJobs(sql, caller.organizationId, page)
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
        data: paginate(data, total, page, address),
      }
    },
  })

  app.post("/failed-job/:jobId/run", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "runFailedJob",
      summary: "Retry a failed job",
      params: Type.Object({ jobId: Type.String({ pattern: "^\\d{1,18}$" }) }),
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params }) {
      if (!(await runFailedJob(sql, caller.organizationId, params.jobId)))
        throw new AppError(404, "sys-033", "A failed job with this id does not exist")
      return { status: true as const, message: "The job has been queued again" }
    },
  })
}
