import { Type } from "typebox"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { removeOldCodes } from "./clients.ts"

const removeExpired = defineJob({
  name: "oauth.remove-expired",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "51 3 * * *",
  handle: ({ sql }) => removeOldCodes(sql),
})

export const oauthJobs: readonly Job[] = [removeExpired]
