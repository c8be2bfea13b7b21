import { Type } from "typebox"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { removeExpired } from "./requests.ts"

const removeOld = defineJob({
  name: "single-sign-on.remove-expired",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "53 * * * *",
  async handle({ sql }) {
    await removeExpired(sql)
  },
})

export const singleSignOnJobs: readonly Job[] = [removeOld]
