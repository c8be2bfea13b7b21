import { Type } from "typebox"
import { afterCommit, inTransaction } from "#core/database/database.ts"
import { type DomainEventListener, domainEvents } from "#core/domain-events.ts"
import { defineJob, type Job } from "#core/jobs/define-job.ts"
import { sendSoon } from "#core/jobs/send-soon.ts"
import { stampVisits } from "./complete/stamp-visits.ts"
import { createInBackground } from "./write/background.ts"

/**
 * Folds the changes of task counts into the counted groups. One statement an organization: readers see
 * either the changes or their sum, never both.
 */
const foldTaskCounts = defineJob({
  name: "tasks.fold-counts",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "* * * * *",
  async handle({ sql, signal }) {
    const due = await sql<{ organizationId: string }[]>`
      select organization_id from task_count_changes group by organization_id having count(*) > 50`
    for (const { organizationId } of due) {
      if (signal.aborted) return
      await inTransaction(sql, async (tx) => {
        await tx`
          with folded as (
            delete from task_count_changes where organization_id = ${organizationId}
            returning hub_id, flow_id, flow, status, task_type, change
          )
          insert into task_counts (organization_id, hub_id, flow_id, flow, status, task_type, count)
          select ${organizationId}, hub_id, flow_id, flow, status, task_type, sum(change)
          from folded group by 2, 3, 4, 5, 6 order by 2, 3, 4, 5, 6
          on conflict (organization_id, hub_id, flow_id, flow, status, task_type)
          do update set count = task_counts.count + excluded.count`
        await tx`delete from task_counts where organization_id = ${organizationId} and count = 0`
      })
    }
  },
})

/**
 * Listener of domain events: has the counts folded within seconds where many tasks change. Each list sums up what is not
 * folded yet; the changes of a minute made it cost ten times as much.
 */
export const foldTaskCountsSoon: DomainEventListener = async (tx, _organizationId, event, _events, pool) => {
  if (domainEvents[event] !== "task") return
  afterCommit(tx, () => sendSoon(pool, foldTaskCounts, { pauseMilliseconds: 2_000, changes: 50 }))
}

const deleteReceipts = defineJob({
  name: "tasks.forget-receipts",
  payload: Type.Object({}),
  maxAttempts: 3,
  timeoutSeconds: 300,
  cron: "43 3 * * *",
  async handle({ sql }) {
    await sql`delete from task_receipts where created_time < now() - interval '7 days'`
  },
})

export const taskJobs: readonly Job[] = [foldTaskCounts, createInBackground, deleteReceipts, stampVisits]
