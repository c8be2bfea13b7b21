import { Type } from "typebox"
import { deleteExpired } from "#core/database/delete-expired.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"

/** Requests have addresses of customers: decided ones are kept for 180 days; the tasks have what they became. */
const removeOldRequests = defineJob({
  name: "request-forms.remove-old-requests",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "47 3 * * *",
  async handle({ sql, signal }) {
    await deleteExpired(sql, signal, { table: "task_requests", column: "decided_time", age: "180 days" })
  },
})

export const requestFormJobs: readonly Job[] = [removeOldRequests]
