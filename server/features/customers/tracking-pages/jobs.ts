import { Type } from "typebox"
import { deleteExpired } from "#core/database/delete-expired.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"

/** Links are kept for 90 days after their end, so that their page can say that they ended. */
const removeOldLinks = defineJob({
  name: "tracking-pages.remove-old-links",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "41 3 * * *",
  async handle({ sql, signal }) {
    await deleteExpired(sql, signal, { table: "tracking_links", column: "expires_at", age: "90 days" })
  },
})

export const trackingPageJobs: readonly Job[] = [removeOldLinks]
