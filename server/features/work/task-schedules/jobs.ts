import { Type } from "typebox"
import { deleteInBatches } from "#core/database/delete-expired.ts"
import { defineJob, type Job, sendAll } from "#core/jobs/define-job.ts"
import { batchSize, countDue, generateDueTasks } from "./runs/generate.ts"

const Nothing = Type.Object({})
const maxHelpers = 3

/** Takes part in a minute with more schedules than one batch holds, on whichever worker is free. */
export const helpGenerating = defineJob({
  name: "task-schedules.help-generating",
  payload: Nothing,
  maxAttempts: 3,
  timeoutSeconds: 300,
  handle: generateDueTasks,
})

/** Looks every minute which schedules are due, and makes their tasks. */
export const generateScheduledTasks = defineJob({
  name: "task-schedules.generate",
  payload: Nothing,
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle(context) {
    const due = await countDue(context.sql, context.clock.now(), batchSize * (maxHelpers + 1))
    const helpers = Math.max(0, Math.ceil(due / batchSize) - 1)
    await sendAll(
      context.sql,
      helpGenerating,
      Array.from({ length: helpers }, () => ({})),
    )
    await generateDueTasks(context)
  },
})

/** Removes runs from the log after 90 days. */
export const deleteOldRuns = defineJob({
  name: "task-schedules.forget-old-runs",
  payload: Nothing,
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "41 3 * * *",
  async handle({ sql, clock, signal }) {
    const oldest = clock.now().subtract({ hours: 90 * 24 })
    await deleteInBatches(
      signal,
      () => sql`
        delete from task_schedule_runs where ctid = any (array(
          select ctid from task_schedule_runs where executed_time < ${oldest} limit 5000)) returning 1`,
    )
  },
})

export const scheduleJobs: readonly Job[] = [generateScheduledTasks, helpGenerating, deleteOldRuns]
