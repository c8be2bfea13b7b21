import { Type } from "typebox"
import { deleteExpired } from "#core/database/delete-expired.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"

/** Slots do not hold capacity once their time is over; they are kept a while to look into questions. */
const removeOld = defineJob({
  name: "slots.remove-old",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "23 3 * * *",
  handle: ({ sql, signal }) =>
    deleteExpired(sql, signal, { table: "appointment_slots", column: "held_until", age: "30 days" }),
})

export const slotJobs: readonly Job[] = [removeOld]
