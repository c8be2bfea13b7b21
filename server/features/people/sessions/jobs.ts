import { Type } from "typebox"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { removeOldCodes, removeOldSources } from "../accounts/index.ts"
import { removeOldTokens } from "../tokens/index.ts"
import { removeOldChallenges } from "./challenge.ts"

const removeExpired = defineJob({
  name: "sessions.remove-expired",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "41 * * * *",
  async handle({ sql, signal }) {
    await removeOldChallenges(sql)
    await removeOldCodes(sql)
    await removeOldSources(sql)
    await removeOldTokens(sql, signal)
  },
})

export const sessionJobs: readonly Job[] = [removeExpired]
