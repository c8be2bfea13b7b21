import { Type } from "typebox"
import { defineJob, type Job } from "./define-job.ts"

const Nothing = Type.Object({})

/** Removes what has served its time. Batches, so that no statement holds locks for long. */
const removeExpired = defineJob({
  name: "core.remove-expired",
  payload: Nothing,
  maxAttempts: 3,
  timeoutSeconds: 600,
  cron: "17 * * * *",
  async handle({ sql, signal }) {
    const batches = [
      () => sql`delete from idempotency_keys where ctid = any (array(
        select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit 5000)) returning 1`,
      () => sql`delete from live_events where ctid = any (array(
        select ctid from live_events where created_time < now() - interval '1 day' limit 5000)) returning 1`,
      () => sql`delete from trash where ctid = any (array(
        select ctid from trash where deleted_time < now() - interval '30 days' limit 1000)) returning 1`,
      () => sql`delete from undone_rows where ctid = any (array(
        select ctid from undone_rows where removed_time < now() - interval '30 days' limit 1000)) returning 1`,
      () => sql`delete from audit_log where ctid = any (array(
        select ctid from audit_log where time < now() - interval '1 year' limit 5000)) returning 1`,
      () => sql`delete from access_tokens where ctid = any (array(
        select ctid from access_tokens where expires_at < now() - interval '30 days' or revoked_at < now() - interval '30 days'
        limit 5000)) returning 1`,
    ]
    for (const remove of batches) {
      let removed = 1
      while (removed > 0 && !signal.aborted) removed = (await remove()).length
    }
  },
})

export const housekeepingJobs: readonly Job[] = [removeExpired]
