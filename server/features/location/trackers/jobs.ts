import { Type } from "typebox"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { deleteOldMessages, keptMessageDays } from "./queries.ts"

/** Raw messages contain positions: those of devices that fell silent do not stay. */
const removeOldMessages = defineJob({
  name: "trackers.remove-old-messages",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "41 2 * * *",
  async handle({ sql, clock }) {
    await deleteOldMessages(sql, clock.now().subtract({ hours: 24 * keptMessageDays }))
  },
})

export const trackerJobs: readonly Job[] = [removeOldMessages]
