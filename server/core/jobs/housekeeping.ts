import { Type } from "typebox"
import { deleteExpired } from "../database/delete-expired.ts"
import { defineJob, type Job } from "./define-job.ts"

const Nothing = Type.Object({})

/** Removes what has served its time. */
const removeExpired = defineJob({
  name: "core.remove-expired",
  payload: Nothing,
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "17 * * * *",
  async handle({ sql, signal }) {
    for (const [table, column, age] of [
      ["idempotency_keys", "created_at", "24 hours"],
      ["live_events", "created_time", "1 days"],
      ["trash", "deleted_time", "30 days"],
      ["undone_rows", "removed_time", "30 days"],
    ] as const)
      await deleteExpired(sql, signal, { table, column, age })
  },
})

export const housekeepingJobs: readonly Job[] = [removeExpired]
